import Files
import Geometry
import HeadTracking
import TestSupport
import Testing

@Suite struct HeadReplayTests {
  struct Row {
    let time: Double
    let yaw: Double
    let offset: Double?
    let heading: Double?
    let status: String
  }

  static func rows(_ path: String) throws -> [Row] {
    let reader = try CSVReader(path: path)
    #expect(
      reader.header == ["time_s", "yaw_deg", "offset_deg", "head_deg", "status", "uncertainty_deg"])
    var rows: [Row] = []
    while try reader.next() {
      rows.append(
        Row(
          time: try reader.requiredNumber(0), yaw: try reader.requiredNumber(1),
          offset: try reader.number(2), heading: try reader.number(3), status: reader.text(4)))
    }
    return rows
  }

  /// The recorded walk with every bearing of its track as course. Headings from `headsim.py`'s
  /// function `reference` on the same files (course column: the track's bearings).
  @Test(.enabled(if: Walk.recorded != nil)) func agreesWithTheReferenceOnTheWalk() throws {
    let walk = try #require(Walk.recorded)
    let folder = TemporaryFolder()
    let output = folder.path + "/replay.csv"
    try HeadReplay(
      headLog: walk.head, phoneHeadings: ReferenceSeries(phoneLog: walk.phone),
      courses: ReferenceSeries(
        walk.bearings().map { .init(time: $0.time, direction: $0.bearing) }),
      calibrator: .classic
    ).write(to: output)
    let rows = try Self.rows(output)
    #expect(rows.count == 9702)
    #expect(rows.firstIndex { $0.heading != nil } == 287)
    #expect(rows[286].status == "connected")
    for (frame, heading, offset) in [
      (1000, 293.77058308400444, 350.67993428262974),
      (2500, 274.24378032343435, 350.34383147837303),
      (5000, 99.90385855004818, 349.6047014488843), (7500, 24.500899328485147, 344.25883882401394),
      (9000, 22.374692402938532, 349.72188188374344),
      (9701, 48.419434210218085, 336.45374910211825),
    ] {
      let row = rows[frame]
      #expect(abs(signedDegrees(try #require(row.heading) - heading)) < 1e-6)
      #expect(abs(signedDegrees(try #require(row.offset) - offset)) < 1e-6)
      #expect(row.time == Double(frame) * 40 / 1000)
      #expect(row.status == "calibrated")
    }
  }

  /// Both layouts hold the same walk, one rounded to seven decimals, the other to nine; Sensor Logger
  /// has the heading from magnetic north alone, two degrees less here.
  @Test(.enabled(if: Walk.recorded != nil)) func bothLayoutsHoldTheSameWalk() throws {
    let walk = try #require(Walk.recorded)
    let frames = try HeadLog.frames(path: walk.head)
    let others = try HeadLog.frames(path: walk.sibling("Headphone.csv"))
    #expect(frames.count == 9702)
    #expect(frames.map(\.time) == others.map(\.time))
    for (frame, other) in zip(frames, others) {
      #expect(abs(frame.yaw - other.yaw) < 1e-7)
      let (a, b) = (frame.attitude, other.attitude)
      #expect(abs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) > 1 - 1e-12)
      let yaw = CoreMotionAngles(other.attitude).yaw
      #expect(abs(signedDegrees(degrees(radians: yaw - other.yaw))) < 1e-5)
    }
    let headings = try PhoneLog.headings(path: walk.phone)
    let bearings = try PhoneLog.headings(path: walk.sibling("Compass.csv"))
    #expect(headings.map(\.time) == bearings.map(\.time))
    for (heading, bearing) in zip(headings, bearings) {
      let difference = try #require(heading.heading) - (try #require(bearing.heading))
      #expect(abs(signedDegrees(difference - 2)) < 1e-3)
    }
  }

  /// 1000 frames of whole-number noise: a look aside, a phone heading that is invalid for a second,
  /// courses from the sixth second on, a gap of 2.021 s before frame 700.
  static func writeFixture(into folder: borrowing TemporaryFolder) -> (
    head: String, phone: String, courses: [ReferenceSeries.Reading]
  ) {
    let start = 1_790_000_000_000
    var head = "timestamp,yaw\n"
    for i in 0..<1000 {
      let yaw = 1_500_000 + 2000 * i + i * 7919 % 60001 + (100..<140 ~= i ? 1_047_198 : 0)
      head += "\(start + 20 * i + (i >= 700 ? 2001 : 0)),\(yaw)e-6\n"
    }
    func direction(_ offset: Int, _ i: Int) -> Int {
      720_000 + offset - (1_500_000 + 2000 * i) * 57296 / 1_000_000
    }
    var phone = "timestamp,magneticHeading,trueHeading,headingAccuracy\n"
    for i in stride(from: 0, to: 1100, by: 5) {
      let heading = (direction(75_000, i) + i * 104_729 % 6001 - 3000) % 360_000
      phone += "\(start + 20 * i + 3),0,\(heading)e-3,\(150..<200 ~= i ? -1 : 8)\n"
    }
    let courses = stride(from: 0, to: 1100, by: 50).map { i in
      let course = (direction(80_000, i) + i * 7723 % 4001 - 2000) % 360_000
      return ReferenceSeries.Reading(
        time: Timestamp(nanoseconds: Int64(start + 20 * i - 7) * 1_000_000),
        direction: i < 300 ? nil : Double(course) / 1000)
    }
    return (folder.file("head.csv", head), folder.file("phone.csv", phone), courses)
  }

  /// Expected: `headsim.py`'s function `reference`, run once on the same numbers.
  @Test func agreesWithTheReferenceThroughLooksFaultsAndGaps() throws {
    let folder = TemporaryFolder()
    let fixture = Self.writeFixture(into: folder)
    let output = folder.path + "/replay.csv"
    try HeadReplay(
      headLog: fixture.head, phoneHeadings: ReferenceSeries(phoneLog: fixture.phone),
      courses: ReferenceSeries(fixture.courses), calibrator: .classic
    ).write(to: output)
    let rows = try Self.rows(output)
    #expect(rows.count == 1000)
    let calibrated = rows.indices.filter { rows[$0].heading != nil }
    #expect(calibrated == Array(401..<700) + Array(900..<1000))
    for row in rows {
      #expect((row.offset != nil) == (row.heading != nil))
      #expect(row.status == (row.heading != nil ? "calibrated" : "connected"))
    }
    // The frame of each new offset: its yaw, offset and heading.
    let changes: [(Int, Double, Double, Double)] = [
      (401, 44.92709055863236, 257.21825423746174, 302.1453447960941),
      (500, 33.355176561934144, 260.9955978731077, 294.3507744350419),
      (602, 23.516116120829594, 258.7906425594167, 282.3067586802463),
      (900, 348.2320572937447, 249.10303009274878, 237.33508738649346),
    ]
    for (frame, yaw, offset, heading) in changes {
      #expect(abs(rows[frame].yaw - yaw) < 1e-9)
      #expect(abs(try #require(rows[frame].offset) - offset) < 1e-9)
      #expect(abs(try #require(rows[frame].heading) - heading) < 1e-9)
      #expect(rows[frame - 1].offset != rows[frame].offset)
    }
    #expect(abs(try #require(rows[999].heading) - 225.76317338979527) < 1e-9)
    #expect(rows[999].time == 21.981)
  }

  @Test func theSameInputsGiveTheSameBytes() throws {
    let folder = TemporaryFolder()
    let fixture = Self.writeFixture(into: folder)
    var outputs: [[UInt8]] = []
    for name in ["a.csv", "b.csv"] {
      let output = folder.path + "/" + name
      try HeadReplay(
        headLog: fixture.head,
        phoneHeadings: ReferenceSeries(phoneLog: fixture.phone)
      ).write(to: output)
      outputs.append(try content(of: output))
    }
    #expect(outputs[0].count > 30_000)
    #expect(outputs[0] == outputs[1])
  }

  @Test func aFaultLeavesNoOutput() throws {
    let folder = TemporaryFolder()
    let head = folder.file("head.csv", "timestamp,yaw\n1790000000000,0\n1790000000040,7\n")
    let error = #expect(throws: FileError.self) {
      try HeadReplay(headLog: head).write(to: folder.path + "/replay.csv")
    }
    #expect(error?.place == "line 3, column yaw")
    #expect(folder.names() == ["head.csv"])
  }
}
