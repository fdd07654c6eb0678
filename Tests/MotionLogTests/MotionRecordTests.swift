import Files
import Geometry
import HeadTracking
import MotionLog
import Testing

@Suite struct MotionRecordTests {
  /// A head turned by 0.5 about z, then by 0.3 about its own x, then by −0.2 about its own y. The
  /// quaternion and the inverse of the product of the three rotation matrices, from a few lines of
  /// Python: Rz(0.5) @ Rx(0.3) @ Ry(-0.2), transposed.
  static let attitude = Quaternion(
    x: 0.16849094096611827, y: -0.058856783978165426, z: 0.22894864274603222,
    w: 0.9569374069273544)
  static let matrix = [
    0.8882367959289946, 0.4183453711884094, 0.18979606097868743, -0.45801271084729195,
    0.8383866435942036, 0.29552020666133955, -0.03549297198190898, -0.34942092989412915,
    0.9362933635841992,
  ]

  @Test func ofAFrame() throws {
    let time = Timestamp(nanoseconds: 1_790_000_000_123_456_789)
    let record = MotionRecord(
      MotionFrame(
        time: time, attitude: Self.attitude, yaw: 0.75,
        readings: HeadphoneReadings(
          rotationRate: Vector3(1, 2, 3), gravity: Vector3(0, 0, -1), placement: .right)))
    #expect(record.timestamp == 1_790_000_000_123 && record.nanoseconds == 456_789)
    #expect(record.time == time)
    // The yaw is the source's own, whatever the quaternion says.
    #expect(record[.yaw] == 0.75)
    #expect(abs(try #require(record[.pitch]) - 0.3) < 1e-15)
    #expect(abs(try #require(record[.roll]) + 0.2) < 1e-15)
    for (index, expected) in Self.matrix.enumerated() {
      let field = try #require(
        MotionField(rawValue: MotionField.rotationMatrixM11.rawValue + index))
      #expect(abs(try #require(record[field]) - expected) < 1e-15, "\(field.name)")
    }
    #expect(record[.rotationX] == 1 && record[.rotationY] == 2 && record[.rotationZ] == 3)
    #expect(record[.gravityZ] == -1 && record[.userAccX] == nil)
    #expect(record.headphonePlacement == 2)
  }

  @Test func theThirdColumnIsWhereUpIs() throws {
    // Gravity points down; Core Motion's is R(q)⁻¹ (0, 0, −1).
    let record = MotionRecord(MotionFrame(time: Timestamp(nanoseconds: 0), attitude: Self.attitude))
    let gravity = Self.attitude.conjugate.rotate(Vector3(0, 0, -1))
    let up = [MotionField.rotationMatrixM13, .rotationMatrixM23, .rotationMatrixM33]
    for axis in 0..<3 { #expect(abs(try #require(record[up[axis]]) + gravity[axis]) < 1e-15) }
  }

  @Test(arguments: [-1, -999_999, -1_000_000, -1_000_001, 0, 1, 1_000_000] as [Int64])
  func timesBeforeTheEpoch(nanoseconds: Int64) {
    var record = MotionRecord()
    record.time = Timestamp(nanoseconds: nanoseconds)
    #expect(0..<1_000_000 ~= record.nanoseconds)
    #expect(record.time == Timestamp(nanoseconds: nanoseconds))
  }

  @Test func equalMeansToTheLastBit() {
    var (first, second) = (MotionRecord(), MotionRecord())
    first[.yaw] = 0
    #expect(first != second)
    second[.yaw] = -0.0
    #expect(first != second)
    second[.yaw] = 0.0
    #expect(first == second)
  }
}
