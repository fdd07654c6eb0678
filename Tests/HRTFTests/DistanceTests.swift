import Files
import Geometry
import TestSupport
import Testing

@testable import HRTF

@Suite struct DistanceTests {
  private static func set(_ distances: [Double], length: Int = 8) -> HRIRSet {
    HRIRSet(
      title: "made up", sampleRate: 48_000,
      directions: distances.enumerated().map {
        SphericalDirection(azimuth: 10 * Double($0.offset), elevation: 0, distance: $0.element)
      },
      length: length,
      samples: (0..<distances.count * 2 * length).map { Float($0 + 1) / 1024 },
      delays: (0..<distances.count * 2).map { Float($0) })
  }

  @Test func shells() {
    let set = Self.set([1, 0.5, 3.25, 1.05, 0.51, 1])
    let shells = set.shells
    #expect(shells.map(\.distance) == [0.51, 1, 3.25])
    #expect(shells.map(\.directions.count) == [2, 3, 1])
    #expect(shells[1].directions.map(\.azimuth) == [0, 30, 50])
    #expect(Array(shells[2].response(0, ear: 1)) == Array(set.response(2, ear: 1)))
    #expect(shells[2].delay(0, ear: 1) == 5)
    // Scattered measurements are one distance.
    #expect(Self.set([1, 1.06, 1.12, 1.18, 1.25]).shells.count == 1)
  }

  @Test func merging() {
    let (first, second) = (Self.set([1, 1]), Self.set([1, 2, 2], length: 4))
    let (merged, duplicates) = HRIRSet.merging([first, second])
    #expect(duplicates == 1 && merged.length == 8 && merged.directions.count == 4)
    #expect(Array(merged.response(1, ear: 1)) == Array(first.response(1, ear: 1)))
    #expect(Array(merged.response(2, ear: 0)) == Array(second.response(1, ear: 0)) + [0, 0, 0, 0])
    #expect(merged.delays == [0, 1, 2, 3, 2, 3, 4, 5])
  }

  /// What is written is read again, whichever reader reads it.
  @Test func writing() throws {
    let folder = TemporaryFolder()
    let set = Self.set([0.5, 1, 3.25], length: 64)
    let path = folder.path + "/set.sofa"
    try SOFAFile.write(set, attributes: [("Title", "made up"), ("License", "none")], to: path)
    let file = try SOFAFile(path: path)
    #expect(file.responses.samples == set.samples && file.responses.delays == set.delays)
    #expect(file.responses.directions == set.directions)
    #expect(file.responses.sampleRate == 48_000 && file.responses.title == "made up")
    #expect(file.attribute("License") == "none")
    #expect(names(in: folder.path) == ["set.sofa"])
    let nowhere = #expect(throws: FileError.self) {
      try SOFAFile.write(set, attributes: [], to: folder.path + "/no/set.sofa")
    }
    #expect(nowhere?.code == .unwritable)
  }

  /// The netCDF library is for one thread at a time, whichever files those have.
  @Test func manyThreadsWriteAtOnce() async throws {
    let folder = TemporaryFolder()
    let set = Self.set([0.5, 1, 3.25], length: 64)
    let paths = (0..<40).map { "\(folder.path)/\($0).sofa" }
    try await withThrowingTaskGroup { group in
      for path in paths {
        group.addTask { try SOFAFile.write(set, attributes: [], to: path) }
      }
      try await group.waitForAll()
    }
    for path in paths { #expect(try SOFAFile(path: path).responses.samples == set.samples) }
  }

  struct Plan: Sendable {
    var measured: [Double]
    var nearField = false
    var layout = OpenALDataSet.Layout.single
    var distances: [Double]
  }

  /// Single sets are at most a factor of 2 apart, made-up near ones of its root; fields as dense as 16
  /// allow.
  @Test(arguments: [
    Plan(measured: [1.4], distances: [1.4]),
    Plan(measured: [1.4], layout: .fields, distances: [1.4]),
    Plan(measured: [0.5, 1, 3.25], distances: [0.5, 1, 1.803, 3.25]),
    Plan(measured: [0.6], nearField: true, distances: [0.15, 0.212, 0.3, 0.424, 0.6]),
    Plan(measured: [0.15], nearField: true, distances: [0.15]),
    Plan(
      measured: [1, 2], layout: .fields,
      distances: [1, 1.149, 1.320, 1.516, 1.741, 2]),
  ])
  func plans(_ plan: Plan) {
    let distances = OpenALDataSet.distances(
      measured: plan.measured, nearField: plan.nearField, layout: plan.layout)
    #expect(distances.count == plan.distances.count)
    for (distance, expected) in zip(distances, plan.distances) {
      #expect(abs(distance.metres - expected) < 1e-3)
      #expect(distance.isMeasured == plan.measured.contains(distance.metres))
    }
  }

  @Test(arguments: 1...16) func fieldsFitOneDataSet(most: Int) {
    let plan = OpenALDataSet.distances(
      measured: [1.4], nearField: true, layout: .fields, most: most)
    #expect(plan.count <= max(5, most))
    #expect(plan.last?.metres == 1.4 && plan.last?.isMeasured == true)
  }
}

/// MinPHR03 by `docs/hrtf.txt` of OpenAL Soft 1.21: magic; 32-bit rate; channel type (1: stereo); taps;
/// fields; of each, the farthest first, 16-bit distance in mm, elevations, one count of azimuths each;
/// all taps, 24 bits; all delays in quarters of a sample.
@Suite struct FieldsTests {
  private static func set(_ distance: Double, tap: Float, delay: UInt8) -> OpenALDataSet {
    OpenALDataSet(
      sampleRate: 44_100, distance: distance, grid: OpenALGrid(azimuthCounts: [1, 1, 1, 1, 1]),
      tapCount: 8, taps: [tap] + [Float](repeating: 0, count: 79),
      delays: [delay] + [UInt8](repeating: 0, count: 9))
  }

  private static let bytes = OpenALDataSet.minPHR03([
    set(0.25, tap: 0.5, delay: 1), set(1, tap: -0.5, delay: 63), set(4, tap: 0.25, delay: 2),
  ])

  @Test func byteByByte() {
    let rings: [UInt8] = [5, 1, 1, 1, 1, 1]
    var expected: [UInt8] = Array("MinPHR03".utf8) + [0x44, 0xAC, 0, 0, 1, 8, 3]
    // A field begins at the geometric mean with the next nearer: 2000, 500; the nearest at its own.
    expected += [0xD0, 0x07] + rings + [0xF4, 0x01] + rings + [0xFA, 0x00] + rings
    let zeros = [UInt8](repeating: 0, count: 79 * 3)
    expected += [0, 0, 0x20] + zeros + [0, 0, 0xC0] + zeros + [0, 0, 0x40] + zeros
    for delay: UInt8 in [8, 252, 4] { expected += [delay] + [UInt8](repeating: 0, count: 9) }
    #expect(Self.bytes == expected)
    #expect(OpenALDataSet.fault(in: expected, layout: .fields) == nil)
    #expect(OpenALDataSet.fault(in: expected, layout: .single) != nil)
  }

  /// What the loader of OpenAL Soft 1.25 refuses.
  @Test(arguments: [
    (12, UInt8(2), "of an unknown channel type"),
    (13, 129, "129 taps; OpenAL Soft has room for 8 to 128"),
    (14, 0, "0 distances; OpenAL Soft takes 1 to 16"),
    (14, 17, "17 distances; OpenAL Soft takes 1 to 16"), (16, 0x20, "distance 8400 mm"),
    (24, 0x08, "distance 2292 mm"), (17, 4, "4 elevations"), (18, 0, "a ring without azimuths"),
    (18, 2, "truncated: 789 bytes of 839"), (759, 253, "a delay of more than 63 samples"),
  ])
  func faults(_ place: Int, _ value: UInt8, _ fault: String) {
    var bytes = Self.bytes
    bytes[place] = value
    #expect(OpenALDataSet.fault(in: bytes, layout: .fields) == fault)
  }

  @Test func truncated() {
    for count in 0..<Self.bytes.count {
      #expect(OpenALDataSet.fault(in: Array(Self.bytes[..<count]), layout: .fields) != nil)
    }
  }
}
