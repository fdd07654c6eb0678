import Files
import HRTF

/// A test all of whose sound files are there, as its files tell of it.
struct CompleteTest {
  let plan: TrialPlan
  let header: BuildHeader
  /// Of all stimuli and checks, in their order.
  let records: [StimulusRecord]

  var design: ListeningDesign { plan.design }

  /// Of the design, its inputs and all its sounds; results carry it.
  let hash: String

  init(_ plan: TrialPlan, _ header: BuildHeader, _ records: [StimulusRecord]) {
    self.plan = plan
    self.header = header
    self.records = records
    hash = contentHash(Array((header.plan + records.map(\.hash).joined()).utf8))
  }

  /// The name of a sound file in the folder.
  func file(_ number: Int) -> String {
    "stimuli/\(plan.stimuli.name(number)).\(design.soundFormat.rawValue)"
  }

  /// Writes all but the sounds; what makes it a whole test comes last.
  ///
  /// - Returns: Its hash.
  func write(to path: String, page: TestPage) throws(FileError) -> String {
    try page.write(to: path)
    var outputs = page.files.map { (name: $0.name, hash: contentHash($0.bytes)) }
    func write(_ name: String, _ text: String) throws(FileError) {
      let bytes = Array(text.utf8)
      try OutputFile.write(bytes, to: "\(path)/\(name)")
      outputs.append((name, contentHash(bytes)))
    }
    if design.kind == .preference { try write("webmushra.yaml", webMUSHRA) }
    try write(BuildFolder.testName, testJSON)
    outputs += records.indices.map { (file($0), records[$0].hash) }
    try OutputFile.write(
      manifestJSON(outputs: outputs).utf8, to: "\(path)/\(BuildFolder.manifestName)")
    return hash
  }

  private func manifestJSON(outputs: [(name: String, hash: String)]) -> String {
    let stimuli = records.indices.map { number in
      "{\"id\":\(jsonText(records[number].name)),\"file\":\(jsonText(file(number)))"
        + description(plan.stimuli.all[number], records[number]) + "}"
    }
    let files = outputs.sorted { $0.name < $1.name }.map {
      "{\"file\":\(jsonText($0.name)),\"hash\":\"\($0.hash)\"}"
    }
    let rest = """
      ,
      "test":\(jsonText(design.id)),"test_hash":"\(hash)","seed":\(design.seed),
      "level":{"align":"\(design.level.alignment.rawValue)","per":"\(design.level.scope.rawValue)"},
      "stimuli":[
      \(stimuli.joined(separator: ",\n"))
      ],
      "outputs":[
      \(files.joined(separator: ",\n"))
      ]
      """
    return BuiltManifest.json(
      format: BuiltManifest.format, header: header, shard: .whole, records: records, rest: rest)
  }

  /// What a stimulus is, in the design's terms.
  private func description(_ stimulus: Stimulus, _ record: StimulusRecord) -> String {
    var text = ""
    func add(_ key: String, _ value: String) { text += ",\"\(key)\":\(value)" }
    switch stimulus.content {
    case .placed(let source, let ears, let direction, let distance, let lowPass):
      add("hrtf", jsonText(design.ears[ears].id))
      add("sound", jsonText(design.sources[source].id))
      add(
        "asked",
        jsonObject(
          SphericalDirection(
            azimuth: direction.azimuth, elevation: direction.elevation,
            distance: distance ?? header.usualDistances[ears])))
      if let measured = record.measured { add("measured", jsonObject(measured)) }
      if let lowPass { add("low_pass_hz", short(lowPass)) }
    case .diotic(let source): add("sound", jsonText(design.sources[source].id))
    case .walk(let scene, let ears):
      add("hrtf", jsonText(design.ears[ears].id))
      add("scene", jsonText(design.walks[scene].id))
      if let target = record.target { add("target", jsonObject(target)) }
    case .check(let check): add("check", jsonText(check.rawValue))
    }
    add("rove_db", short(stimulus.rove))
    add("gain_db", "\(record.gain)")
    if let level = record.level { add("level_before_db", "\(level)") }
    add("peak_dbfs", "\(record.peak)")
    add("duration_s", "\(Double(record.frameCount) / Double(header.sampleRate))")
    return text
  }
}
