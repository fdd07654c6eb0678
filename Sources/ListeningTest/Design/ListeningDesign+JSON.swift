import Files
import Glibc
import HRTF

extension ListeningDesign {
  /// The design's format and version, as they stand in the file.
  static let format = "aurient-listening-design"

  /// Reads a design; `docs/listening-tests.md` has its keys. Files that it names are not opened; their names
  /// are relative to its folder.
  ///
  /// - Throws: `FileError` with the place in the JSON, as in `directions[3].azimuth_deg`, and the cause.
  init(path: String) throws(FileError) {
    try self.init(try InputFile.bytes(path: path, limit: 1 << 26), path: path)
  }

  /// Reads a design's text.
  init(_ bytes: [UInt8], path: String) throws(FileError) {
    let root = JSONPlace(try JSONValue(bytes, path: path), file: path)
    let header = try DesignHeader(root)
    let reader = DesignReader(root: root, kind: header.kind)
    try root.checkKeys(DesignReader.keys(header.kind))
    let ears = try reader.ears()
    let directions = try reader.directions()
    self.init(
      path: path, id: header.id, title: header.title,
      language: try root.optional("language")?.text() ?? "en", kind: header.kind,
      seed: try root.optional("seed")?.whole(0...1 << 53) ?? 1,
      consent: try root.optional("consent")?.text() ?? "",
      instructions: try root.required("instructions").text(),
      thanks: try root.optional("thanks")?.text() ?? "",
      postURL: try reader.postURL(),
      breakEvery: try root.nullable("break_every")?.whole(1...100_000),
      breakText: try root.optional("break_text")?.text() ?? "",
      strings: try reader.strings(), response: try reader.response(),
      replays: try reader.replays(),
      intervalGap: try root.optional("interval_gap_s")?.number(0...10) ?? 0.3,
      isFeedbackGiven: try root.optional("practice_feedback")?.boolean() ?? true,
      participants: try reader.participants(),
      repetitions: try root.optional("repetitions")?.whole(1...1000) ?? 1,
      blockBy: try reader.blockBy(),
      practiceTrials: try root.optional("practice_trials")?.whole(0...1000) ?? 0,
      catchTrials: try root.optional("catch_trials")?.whole(0...1000) ?? 0,
      ears: ears, sources: try reader.sources(), directions: directions?.directions ?? [],
      directionPlaces: directions?.places ?? [], distances: try reader.distances(),
      directionTolerance: try root.optional("direction_tolerance_deg")?.number(0...90) ?? 10,
      level: try reader.level(), ramp: try root.optional("ramp_s")?.number(0...10) ?? 0.01,
      soundFormat: try root.optional("sound_format")?.choice(SoundFormat.self) ?? .flac,
      sampleRate: try root.optional("sample_rate_hz")?.whole(8000...192_000),
      headphones: try reader.headphones(), staircase: try reader.staircase(),
      pairs: try reader.pairs(of: ears), reference: try reader.reference(of: ears),
      anchors: try reader.anchors(), walks: try reader.walks())
    try reader.checkItemCount(self)
    try checkAgreement(root)
  }

  /// Where keys contradict each other.
  private func checkAgreement(_ root: JSONPlace) throws(FileError) {
    if blockBy == .distance, distances == nil {
      throw try root.required("block_by").fault("there are no distances_m")
    }
    if response.kind == .horizontal, kind == .localisation,
      let index = directions.firstIndex(where: { $0.elevation != 0 })
    {
      throw FileError(
        .malformed, file: path, place: "\(directionPlaces[index])",
        "elevation \(short(directions[index].elevation)) cannot be answered in the horizontal plane, which "
          + "response.kind asks for")
    }
    if let staircase { try checkSides(staircase) }
  }

  /// Of two directions of a track one must be to the left of the other, or above it.
  private func checkSides(_ staircase: Staircase) throws(FileError) {
    for (index, direction) in directions.enumerated() {
      let widest = staircase.steps[staircase.steps.count - 1]
      let isClear: Bool
      switch staircase.plane {
      case .vertical: isClear = abs(direction.elevation) + widest / 2 <= 90
      case .horizontal:
        // The interaural axis lies between none of the pairs.
        let axis = abs(abs(signed(direction.azimuth)) - 90)
        isClear = axis > widest / 2 && abs(direction.elevation) < 90
      }
      guard isClear else {
        throw FileError(
          .malformed, file: path, place: directionPlaces[index],
          "with \(short(widest)) degrees between them, the two sounds lie on both sides of the "
            + (staircase.plane == .vertical
              ? "pole: neither is above" : "interaural axis: neither is to the left"))
      }
    }
  }
}

/// An azimuth in (−180, 180].
func signed(_ azimuth: Double) -> Double { azimuth > 180 ? azimuth - 360 : azimuth }

/// What every design begins with.
private struct DesignHeader {
  let kind: ListeningTestKind
  let id: String
  let title: String

  init(_ root: JSONPlace) throws(FileError) {
    let format = try root.required("format")
    guard try format.text() == ListeningDesign.format else {
      throw format.fault("is not \"\(ListeningDesign.format)\"")
    }
    let version = try root.required("version")
    guard try version.whole(1...1_000_000) == 1 else {
      throw version.fault("only version 1 is read", .unsupported)
    }
    kind = try root.required("type").choice(ListeningTestKind.self)
    id = try root.required("id").identifier()
    title = try root.required("title").text()
  }
}
