public import Aurient
import Files
import HRTF
import SpatialAudio

/// Builds a design into a folder that any web server can hold: stimuli, the participant's page, and what both
/// the page and the analysis need to know.
///
/// The same design and inputs give the same bytes, on one core or many, at once or interrupted, whole or in
/// parts that are merged.
public struct ListeningTestBuilder: Sendable {
  /// What a build came to.
  public struct Summary: Sendable {
    /// The test.
    public var id: String
    /// The hash that its results carry; nil for a part.
    public var hash: String?
    /// Sound files in all.
    public var stimulusCount: Int
    /// Those that were made now.
    public var renderedCount: Int
    /// Seconds of sound in all.
    public var seconds: Double
    /// Participants.
    public var participantCount: Int
    /// Participants of whom each multiple balances the order of blocks.
    public var balancedCount: Int
    /// Hz.
    public var sampleRate: Int
    /// What was built but may not be meant, each with its place in the design, as in
    /// `hrtfs[0].set: left and right are mirrored`.
    public var warnings: [String]
  }

  private let plan: TrialPlan
  private let material: StimulusMaterial
  private let catalogue: HRTFCatalogue
  private let header: BuildHeader
  private let page: String?

  /// Reads a design and all that it names, and checks that it can be built.
  ///
  /// - Parameters:
  ///   - path: The design.
  ///   - version: Aurient's.
  ///   - page: The folder of the participant's page; nil for the one that ships.
  /// - Throws: `FileError` naming the file, the place in the design, and the cause.
  public init(
    design path: String, version: String, catalogue: HRTFCatalogue = HRTFCatalogue(),
    page: String? = nil
  ) throws {
    plan = try TrialPlan(try ListeningDesign(path: path))
    material = try StimulusMaterial(plan, catalogue: catalogue)
    self.catalogue = catalogue
    let mix = try LoopbackMix(
      sampleRate: material.sampleRate, dataSets: material.selections[0].dataSets, sourceCount: 1)
    header = try BuildHeader(material, version: version, engine: mix.libraryVersion)
    self.page = page
  }

  /// Builds the test, or a part of its stimuli.
  ///
  /// - Parameters:
  ///   - path: The folder, which is made if need be; a build that was interrupted there goes on.
  ///   - jobs: Threads; nil for one a core.
  ///   - isForced: Whether another test that is there is replaced.
  ///   - progress: Called with the fraction that is done, by one thread at a time.
  /// - Throws: `FileError` if a stimulus would clip, with the level that fits, or if the disk is full or the
  ///   folder another test's; `EngineError` if OpenAL cannot render. Where inputs are at fault, what was made
  ///   is taken away again.
  public func build(
    into path: String, shard: Shard = .whole, jobs: Int? = nil, isForced: Bool = false,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws -> Summary {
    // Before the long work.
    let page = shard == .whole ? try TestPage(folder: page) : nil
    let folder = try BuildFolder(path, header: header, shard: shard, isForced: isForced)
    let all = plan.stimuli.all
    let numbers = all.indices.filter(shard.contains)
    let files = StimulusFiles(
      material, plan.stimuli, folder: folder, numbers: numbers, progress: progress)
    do {
      try files.build(jobs: jobs ?? availableCoreCount(), catalogue: catalogue)
    } catch {
      files.removeRefused(error)
      throw error
    }
    let records = files.records
    var hash: String?
    if let page {
      hash = try CompleteTest(plan, header, records).write(to: path, page: page)
    } else {
      try OutputFile.write(
        BuiltManifest.json(
          format: BuiltManifest.shardFormat, header: header, shard: shard, records: records,
          rest: ""
        ).utf8, to: "\(path)/\(BuildFolder.shardName)")
    }
    files.finish()
    let frames = records.reduce(0) { $0 + $1.frameCount }
    return Summary(
      id: plan.design.id, hash: hash, stimulusCount: records.count,
      renderedCount: files.renderedCount, seconds: Double(frames) / Double(material.sampleRate),
      participantCount: plan.sessions.count, balancedCount: plan.balancedCount,
      sampleRate: material.sampleRate, warnings: header.warnings)
  }
}
