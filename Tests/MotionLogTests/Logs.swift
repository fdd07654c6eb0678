import Files
import MotionLog
import TestSupport

/// All records of a log.
func records(
  _ path: String, format: MotionLogFormat? = nil, _ selection: MotionSelection = MotionSelection()
) throws -> [MotionRecord] {
  let reader = try openMotionLog(path: path, format: format, selection: selection)
  var (record, records) = (MotionRecord(), [MotionRecord]())
  while try reader.next(&record) { records.append(record) }
  return records
}

/// Writes records in a format.
func write(_ records: [MotionRecord], to path: String, _ format: MotionLogFormat) throws {
  if format == .sqlite {
    try MotionStore(path: path).append(records)
  } else {
    let writer = try MotionTextWriter(path: path, format: format, hasNanoseconds: true)
    for record in records { try writer.append(record) }
    try writer.commit()
  }
}

/// A record with a quaternion and a yaw.
func record(_ milliseconds: Int64, label: String = "") -> MotionRecord {
  var record = MotionRecord()
  record.timestamp = milliseconds
  record.label = label
  record.deviceId = "d"
  record[.quaternionX] = 0
  record[.quaternionY] = 0
  record[.quaternionZ] = 0.6
  record[.quaternionW] = 0.8
  record[.yaw] = 1.2870022175866
  return record
}

/// Records whose values are hard to keep: the ends of the range of a Double, its smallest steps,
/// zeros with either sign, random bits, and texts that mean something to CSV, JSON or SQL.
func hardRecords(count: Int = 200) -> [MotionRecord] {
  var random = SeededGenerator(seed: 1)
  let doubles = [
    0.0, -0.0, 0.1, -1, 1, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 2.2250738585072014e-308,
    .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .pi, 1e22, 1e23, 123_456_789_012_345_680, 0.30000000000000004,
    9_007_199_254_740_992,
  ]
  let texts = [
    "", "walk", "a,b", "\"", "a\"b", "line\nend", "crlf\r\n", " spaces ", "tab\t", "\u{1}", "ä€😀",
    "'; DROP TABLE airpods_motion; --", "null", "{\"a\": 1}", "\\", "\u{FEFF}mark", "0",
    "nul\u{0}l",
  ]
  return (0..<count).map { index in
    var record = MotionRecord()
    for field in MotionField.allCases {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: record[field] = nil
      case 1: record[field] = doubles.randomElement(using: &random)
      default:
        let value = Double(bitPattern: UInt64.random(in: 0...(.max), using: &random))
        record[field] = value.isFinite ? value : nil
      }
    }
    let times: [Int64] = [0, -1, 1, .max, .min, 1_790_000_000_000 + Int64(index)]
    record.timestamp = index % 10 == 0 ? times[index / 10 % times.count] : times[5]
    record.nanoseconds = Int64.random(in: 0..<1_000_000, using: &random)
    record.headphonePlacement = [nil, 0, 1, 2].randomElement(using: &random) ?? nil
    record.label = texts[index % texts.count]
    record.deviceId = texts.randomElement(using: &random) ?? ""
    record.os = texts.randomElement(using: &random) ?? ""
    record.timezone = [nil, -11, 0, 14, .min].randomElement(using: &random) ?? nil
    record.jsonVersion = [nil, 1, .max].randomElement(using: &random) ?? nil
    return record
  }
}
