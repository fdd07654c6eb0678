import Files

/// What `manifest.json` or `shard.json` tells of sound files that have been built.
struct BuiltManifest {
  let path: String
  let header: BuildHeader
  /// The hash of the header.
  let plan: String
  let shard: Shard
  let records: [StimulusRecord]

  /// The formats of a whole test and of a part.
  static let format = "aurient-listening-manifest"
  static let shardFormat = "aurient-listening-shard"

  /// - Throws: `FileError` if it is no such file, or has been changed.
  init(path: String) throws(FileError) {
    self.path = path
    let root = JSONPlace(
      try JSONValue(try InputFile.bytes(path: path, limit: 1 << 31), path: path), file: path)
    let format = try root.required("format").text()
    guard format == Self.format || format == Self.shardFormat else {
      throw root.fault("is no manifest of a listening test")
    }
    header = try BuildHeader(
      try root.required("header"), sets: try root.required("hrtf_sets"))
    plan = try root.required("plan").text()
    guard header.plan == plan else {
      throw root.fault("has been changed: its header is not the one of the build")
    }
    let part = try root.required("shard")
    guard
      let shard = Shard(
        index: try part.required("index").whole(1...Shard.greatestCount),
        count: try part.required("count").whole(1...Shard.greatestCount))
    else { throw part.fault("is no part") }
    self.shard = shard
    var records: [StimulusRecord] = []
    if case .list(let values) = try root.required("records").value, !values.isEmpty {
      for item in try root.required("records").list() { records.append(try StimulusRecord(item)) }
    }
    self.records = records
  }

  /// The text of a manifest, without its end.
  static func json(
    format: String, header: BuildHeader, shard: Shard, records: [StimulusRecord], rest: String
  ) -> String {
    """
    {"format":"\(format)","version":1,"plan":"\(header.plan)",
    "shard":{"index":\(shard.index),"count":\(shard.count)},
    "hrtf_sets":\(header.setsJSON),
    "header":\(header.json),
    "records":[
    \(records.map(\.json).joined(separator: ",\n"))
    ]\(rest)}

    """
  }
}
