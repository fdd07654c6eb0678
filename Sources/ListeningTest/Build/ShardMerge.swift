public import Files
import Glibc

/// Puts the parts of a test together that were built apart.
public enum ShardMerge {
  /// Merges parts into a folder, which is then what one build would have made.
  ///
  /// - Parameters:
  ///   - paths: The folders of all parts, in any order.
  ///   - page: The folder of the participant's page; nil for the one that ships.
  /// - Throws: `FileError` for a part that is missing, there twice, unfinished, damaged, or of another test.
  public static func merge(
    _ paths: [String], into output: String, page: String? = nil, isForced: Bool = false,
    progress: (Double) -> Void = { _ in }
  ) throws(FileError) -> ListeningTestBuilder.Summary {
    var parts: [(folder: String, manifest: BuiltManifest)] = []
    for path in paths { parts.append((path, try part(path, after: parts))) }
    guard let first = parts.first?.manifest else {
      throw FileError(.notFound, file: output, "no parts to merge")
    }
    let missing = (1...first.shard.count).filter { index in
      !parts.contains { $0.manifest.shard.index == index }
    }
    guard missing.isEmpty else {
      let shown = missing.prefix(5).map { "\($0)/\(first.shard.count)" }.joined(separator: ", ")
      throw FileError(
        .notFound, file: parts[0].folder,
        "of its test \(missing.count) of \(first.shard.count) parts are missing: \(shown)"
          + (missing.count > 5 ? " …" : ""))
    }
    let page = try TestPage(folder: page)
    let design = try ListeningDesign(Array(first.header.design.utf8), path: first.path)
    let plan = try TrialPlan(design)
    let folder = try BuildFolder(
      output, header: first.header, shard: .whole, isForced: isForced)
    let records: [StimulusRecord]
    do throws(FileError) {
      records = try copy(parts, of: plan, into: folder, progress: progress)
    } catch {
      folder.removeRefused(error)
      throw error
    }
    let hash = try CompleteTest(plan, first.header, records).write(to: output, page: page)
    folder.finish()
    let frames = records.reduce(0) { $0 + $1.frameCount }
    return ListeningTestBuilder.Summary(
      id: design.id, hash: hash, stimulusCount: records.count, renderedCount: 0,
      seconds: Double(frames) / Double(first.header.sampleRate),
      participantCount: plan.sessions.count, balancedCount: plan.balancedCount,
      sampleRate: first.header.sampleRate, warnings: first.header.warnings)
  }

  /// Copies the sounds of all parts, each of which must be what was built.
  private static func copy(
    _ parts: [(folder: String, manifest: BuiltManifest)], of plan: TrialPlan,
    into folder: BuildFolder, progress: (Double) -> Void
  ) throws(FileError) -> [StimulusRecord] {
    let sources = Dictionary(
      parts.flatMap { part in
        part.manifest.records.map { ($0.name, (folder: part.folder, record: $0)) }
      }, uniquingKeysWith: { first, _ in first })
    var records: [StimulusRecord] = []
    let count = plan.stimuli.all.count
    for number in 0..<count {
      let name = plan.stimuli.name(number)
      guard let source = sources[name] else {
        let index = number % parts.count + 1
        throw FileError(
          .malformed, file: parts.first { $0.manifest.shard.index == index }?.manifest.path ?? "",
          "the sound \(name) is missing")
      }
      let file = "stimuli/\(name).\(plan.design.soundFormat.rawValue)"
      let bytes = try InputFile.bytes(path: "\(source.folder)/\(file)", limit: 1 << 33)
      guard contentHash(bytes) == source.record.hash else {
        throw FileError(
          .malformed, file: "\(source.folder)/\(file)",
          "is not what was built: it has been changed or damaged; build that part again")
      }
      try OutputFile.write(bytes, to: "\(folder.path)/\(file)")
      try folder.append(source.record)
      records.append(source.record)
      progress(Double(number + 1) / Double(count))
    }
    return records
  }

  /// Reads what a folder has a part of, and compares it with the parts before.
  private static func part(
    _ path: String, after others: [(folder: String, manifest: BuiltManifest)]
  ) throws(FileError) -> BuiltManifest {
    let name = "\(path)/\(BuildFolder.shardName)"
    guard access(name, F_OK) == 0 else {
      let isUnfinished = access("\(path)/\(BuildFolder.journalName)", F_OK) == 0
      throw FileError(
        .notFound, file: path,
        isUnfinished
          ? "is unfinished: its build was interrupted or goes on; build that part again"
          : "holds no part of a listening test")
    }
    let manifest = try BuiltManifest(path: name)
    for (folder, other) in others {
      guard other.plan == manifest.plan, other.shard.count == manifest.shard.count else {
        throw FileError(
          .unsupported, file: path,
          "is a part of another test than \(folder): "
            + difference(other, manifest))
      }
      guard other.shard.index != manifest.shard.index else {
        throw FileError(
          .unsupported, file: path, "is part \(manifest.shard), as \(folder) is, too")
      }
    }
    return manifest
  }

  private static func difference(_ one: BuiltManifest, _ other: BuiltManifest) -> String {
    let (a, b) = (one.header, other.header)
    if a.design != b.design { return "of another design" }
    if a.version != b.version { return "built by Aurient \(b.version), not \(a.version)" }
    if a.engine != b.engine { return "built by OpenAL \(b.engine), not \(a.engine)" }
    if let changed = zip(a.inputs, b.inputs).first(where: { $0 != $1 })?.1 {
      return "\(changed.role) (\(changed.file)) differs"
    }
    return "one of \(other.shard.count) parts, not of \(one.shard.count)"
  }
}
