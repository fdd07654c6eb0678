import Files
import Geometry

/// Where the three components of a sensor stand in a log.
struct VectorColumns: Equatable, Sendable {
  let x, y, z: Int
  /// The name of the first, as the file has it.
  let name: String

  /// The columns that are called one of `stems` with x, y and z after it, in any case and with or without
  /// `_` and the like; nil if there are none.
  init?(_ stems: [String], in header: [String]) {
    let plain = header.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
    for stem in stems {
      if let x = plain.firstIndex(of: stem + "x"), let y = plain.firstIndex(of: stem + "y"),
        let z = plain.firstIndex(of: stem + "z")
      {
        (self.x, self.y, self.z) = (x, y, z)
        name = header[x]
        return
      }
    }
    return nil
  }

  /// The vector of the current record, or nil where a component is empty.
  func vector(_ reader: CSVReader) throws(FileError) -> Vector3? {
    guard let x = try reader.number(x), let y = try reader.number(y),
      let z = try reader.number(z)
    else { return nil }
    for (column, value) in [(self.x, x), (self.y, y), (self.z, z)] where abs(value) > Self.greatest
    {
      throw reader.bad(column, "is no reading of a sensor")
    }
    return Vector3(x, y, z)
  }

  /// No field in µT or nT, gravity or turning of a phone is so great, in whatever unit.
  private static let greatest = 1e9

  static let field = ["mag", "magneticfield", "magnetometer", "magnetic", "field", "m", "b"]
  static let gravity = ["gravity", "grav"]
  static let rotationRate = ["gyro", "gyroscope", "rotationrate", "rotation"]
}

/// A log of one sensor beside the magnetometer's, asked for in the order of time.
final class VectorLog {
  private let reader: CSVReader
  private let time: Int
  private let columns: VectorColumns
  private var before: (time: Timestamp, vector: Vector3)?
  private var after: (time: Timestamp, vector: Vector3)?

  /// Seconds between readings beyond which the value between them is not known.
  private static let longestGap = 1.0

  init(path: String, stems: [String]) throws(FileError) {
    reader = try CSVReader(path: path)
    time = try reader.requiredColumn(of: ["timestamp", "time"])
    guard let columns = VectorColumns(stems + [""], in: reader.header) else {
      throw FileError(.malformed, file: path, place: "line 1", "there are no columns x, y and z")
    }
    self.columns = columns
    try advance()
  }

  /// The vector at a time, between the readings about it in proportion; nil outside the log and in a gap.
  func vector(at moment: Timestamp) throws(FileError) -> Vector3? {
    while let next = after, next.time < moment { try advance() }
    guard let after else { return nil }
    if after.time == moment { return after.vector }
    guard let before else { return nil }
    let span = after.time.seconds(since: before.time)
    guard span > 0, span <= Self.longestGap else { return nil }
    let part = moment.seconds(since: before.time) / span
    return before.vector + part * (after.vector - before.vector)
  }

  private func advance() throws(FileError) {
    before = after
    after = nil
    while try reader.next() {
      guard let vector = try columns.vector(reader) else { continue }
      let now = try reader.timestamp(time)
      if let before, now < before.time {
        throw reader.bad(time, "is earlier than the reading before")
      }
      after = (now, vector)
      return
    }
  }
}
