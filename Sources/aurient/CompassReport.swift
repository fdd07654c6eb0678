import Compass
import Files
import Geometry
import HeadTracking

/// What a log's headings come to: how many are disturbed, by what, and when.
struct CompassReport {
  /// A time in which all headings were disturbed.
  struct Interval {
    var start, end: Timestamp
    var faults: FieldFaults
  }

  private(set) var count = 0
  private var disturbedCount = 0
  private var faultCounts: [String: Int] = [:]
  private var strengths = RunningSpread()
  private var dips = RunningSpread()
  private var intervals: [Interval] = []
  private var intervalCount = 0
  private var isInInterval = false
  private var courses: ReferenceSeries
  /// Of undisturbed headings less the course at their time.
  private var differences = CircularMoments()

  /// A report of nothing yet, which compares headings with these courses.
  init(courses: ReferenceSeries = ReferenceSeries()) { self.courses = courses }

  /// How many intervals are told; the rest is counted.
  private static let toldIntervals = 20
  /// Seconds for which a course holds.
  private static let courseValidity = 2.0

  /// Takes in the next heading.
  mutating func add(_ heading: CompassHeading) {
    count += 1
    strengths.add(heading.strength)
    if let dip = heading.dip { dips.add(dip) }
    for name in heading.faults.names { faultCounts[name, default: 0] += 1 }
    guard heading.isDisturbed else {
      isInInterval = false
      compare(heading)
      return
    }
    disturbedCount += 1
    if !isInInterval { intervalCount += 1 }
    if isInInterval, intervalCount == intervals.count {
      intervals[intervals.count - 1].end = heading.time
      intervals[intervals.count - 1].faults.formUnion(heading.faults)
    } else if !isInInterval, intervals.count < Self.toldIntervals {
      intervals.append(Interval(start: heading.time, end: heading.time, faults: heading.faults))
    }
    isInInterval = true
  }

  private mutating func compare(_ heading: CompassHeading) {
    guard let course = courses.reading(at: heading.time), let direction = course.direction,
      heading.time.seconds(since: course.time) < Self.courseValidity,
      let degrees = heading.trueHeading ?? heading.magneticHeading
    else { return }
    differences.add(degrees: degrees - direction)
  }

  /// For people.
  func text(_ log: borrowing CompassLog) -> String {
    let start = log.span.lowerBound
    var text = "\(count) readings, \(tenths(share(disturbedCount))) % disturbed"
    let shares = ["strength", "dip", "rotation", "vertical"].compactMap { name in
      faultCounts[name].map { "\(name) \(tenths(share($0))) %" }
    }
    text += shares.isEmpty ? "\n" : " (\(shares.joined(separator: ", ")))\n"
    text += "calibration \(log.calibration?.model.rawValue ?? "none")\n"
    text += "strength    \(tenths(strengths.mean)) ± \(tenths(strengths.deviation)) µT\n"
    text += "dip         \(tenths(dips.mean)) ± \(tenths(dips.deviation))°\n"
    if let mean = differences.meanDegrees, let deviation = differences.standardDeviationDegrees {
      text += "from course \(tenths(signedDegrees(mean))) ± \(tenths(deviation))°\n"
    }
    for interval in intervals {
      text +=
        "disturbed   \(tenths(interval.start.seconds(since: start))) s to "
        + "\(tenths(interval.end.seconds(since: start))) s: "
        + "\(interval.faults.names.joined(separator: ", "))\n"
    }
    if intervalCount > intervals.count { text += "and \(intervalCount - intervals.count) more\n" }
    return text
  }

  /// For programs: one JSON object.
  func json(_ log: borrowing CompassLog) -> String {
    let start = log.span.lowerBound
    let faults = ["strength", "dip", "rotation", "vertical"].map {
      "\"\($0)\": \(share(faultCounts[$0] ?? 0) / 100)"
    }
    let intervals = intervals.map { interval in
      "{\"start_s\": \(interval.start.seconds(since: start)), "
        + "\"end_s\": \(interval.end.seconds(since: start)), "
        + "\"faults\": [\(interval.faults.names.map(jsonText).joined(separator: ", "))]}"
    }
    func number(_ value: Double?) -> String {
      value.flatMap { $0.isFinite ? "\($0)" : nil } ?? "null"
    }
    return """
      {"readings": \(count), "disturbed_share": \(share(disturbedCount) / 100), \
      "fault_shares": {\(faults.joined(separator: ", "))}, \
      "calibration": \(log.calibration.map { jsonText($0.model.rawValue) } ?? "null"), \
      "gravity": \(jsonText(log.gravitySense.rawValue)), \
      "strength_mean_ut": \(number(strengths.mean)), "strength_deviation_ut": \(number(strengths.deviation)), \
      "dip_mean_deg": \(dips.mean), "dip_deviation_deg": \(dips.deviation), \
      "from_course_mean_deg": \(number(differences.meanDegrees.map(signedDegrees))), \
      "from_course_deviation_deg": \(number(differences.standardDeviationDegrees)), \
      "interval_count": \(intervalCount), "intervals": [\(intervals.joined(separator: ", "))]}

      """
  }

  private func share(_ part: Int) -> Double { 100 * Double(part) / Double(max(1, count)) }
}

/// Mean and standard deviation of numbers as they come (B. P. Welford, Technometrics 4, 1962).
private struct RunningSpread {
  private var count = 0.0
  private(set) var mean = 0.0
  private var squares = 0.0

  mutating func add(_ value: Double) {
    count += 1
    let difference = value - mean
    mean += difference / count
    squares += difference * (value - mean)
  }

  var deviation: Double { count > 1 ? (squares / (count - 1)).squareRoot() : 0 }
}
