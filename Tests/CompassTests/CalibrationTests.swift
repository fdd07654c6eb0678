import Compass
import Geometry
import Glibc
import TestSupport
import Testing

@Suite struct CalibrationTests {
  static let hardIron = Vector3(22, -27, 14)

  /// Figures of a study made beforehand: about 56° and 156° before, about 1° and 3° after.
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func hardIron(seed: UInt64) throws {
    let phone = SimulatedPhone(offset: Self.hardIron)
    let samples = phone.samples(SimulatedPhone.figureEight(300), noise: 0.5, seed: seed)
    let calibration = try MagnetometerCalibration(fitting: samples, model: .sphere)
    #expect((calibration.offset - Self.hardIron).length < 0.5)
    #expect(abs(calibration.strength - 48) < 0.5)
    #expect(abs(calibration.residual - 0.5) < 0.1)
    #expect(calibration.matrix == .identity)
    let raw = phone.headingErrors { $0 }
    #expect(abs(raw.median - 56) < 8 && abs(raw.percentile95 - 156) < 10, "\(raw)")
    let corrected = phone.headingErrors(calibration.corrected)
    #expect(corrected.median < 1.3 && corrected.percentile95 < 3.8, "\(corrected)")
  }

  static let softIron = SymmetricMatrix3(xx: 1.15, yy: 1, zz: 1, xy: 0.08)

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func softIron(seed: UInt64) throws {
    let phone = SimulatedPhone(offset: Self.hardIron, softIron: Self.softIron)
    let samples = phone.samples(SimulatedPhone.figureEight(300), noise: 0.5, seed: seed)
    let sphere = try MagnetometerCalibration(fitting: samples, model: .sphere)
    let ellipsoid = try MagnetometerCalibration(fitting: samples)
    #expect(ellipsoid.model == .ellipsoid)
    #expect((ellipsoid.offset - Self.hardIron).length < 0.5)
    let before = phone.headingErrors(sphere.corrected)
    let after = phone.headingErrors(ellipsoid.corrected)
    #expect(after.median <= 1.2 && after.median * 4 <= before.median, "\(before) \(after)")
  }

  /// Without noise a surface is recovered to rounding, however far off its centre is.
  @Test(arguments: [Triple(0, 0, 0), Triple(22, -27, 14), Triple(3000, -800, 12_000)])
  func isExactWithoutNoise(offset: Triple) throws {
    let phone = SimulatedPhone(offset: offset.vector, softIron: Self.softIron)
    let samples = SimulatedPhone.figureEight(500).map { FieldSamples.Sample(phone.field($0)) }
    let fit = try #require(FieldEllipsoid.ellipsoid(samples))
    #expect((fit.centre - offset.vector).length < 1e-8)
    // The inverse of the soft iron up to scale: the determinant is 1.
    let scale = cbrt(Self.softIron.determinant)
    #expect(abs(fit.radius - 48 * scale) < 1e-8)
    for vector in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0.3, 0.5, -0.8)] {
      #expect((fit.shape * (Self.softIron * vector) - scale * vector).length < 1e-9)
    }
    let round = SimulatedPhone(offset: offset.vector)
    let sphere = try #require(
      FieldEllipsoid.sphere(SimulatedPhone.figureEight(500).map { .init(round.field($0)) }))
    #expect((sphere.centre - offset.vector).length < 1e-8)
    #expect(abs(sphere.radius - 48) < 1e-8)
  }

  /// Pooling readings in cubes takes less than a tenth of a microtesla off.
  @Test func pooling() throws {
    let phone = SimulatedPhone(offset: Self.hardIron, softIron: Self.softIron)
    let samples = phone.samples(SimulatedPhone.figureEight(20_000), noise: 0)
    let calibration = try MagnetometerCalibration(fitting: samples)
    #expect((calibration.offset - Self.hardIron).length < 0.1)
    #expect(calibration.residual < 0.1)
  }

  @Test(arguments: [0.05, 0.1])
  func outliers(share: Double) throws {
    let phone = SimulatedPhone(offset: Self.hardIron, softIron: Self.softIron)
    for (seed, size) in [(1, 30.0), (2, 200), (3, 20_000)] as [(UInt64, Double)] {
      var generator = SeededGenerator(seed: seed)
      var samples = FieldSamples()
      for (index, attitude) in SimulatedPhone.figureEight(400).enumerated() {
        let isOutlier = index % Int(1 / share) == 3
        samples.add(
          phone.field(attitude)
            + SimulatedPhone.noise(isOutlier ? size : 0.5, &generator))
      }
      let calibration = try MagnetometerCalibration(fitting: samples)
      #expect((calibration.offset - Self.hardIron).length < 0.5, "\(size)")
      #expect(phone.headingErrors(calibration.corrected).median < 1.2, "\(size)")
      #expect(
        calibration.outlierShare > 0.5 * share && calibration.outlierShare < 1.5 * share + 0.03)
    }
  }

  /// A phone that lay still for an hour before its figure eight is calibrated by the figure eight.
  @Test func stillness() throws {
    let phone = SimulatedPhone(offset: Self.hardIron, softIron: Self.softIron)
    let still = Array(repeating: SimulatedPhone.attitude(20, 3, 2), count: 100_000)
    let samples = phone.samples(still + SimulatedPhone.figureEight(1000), noise: 0.5)
    #expect(samples.count == 101_000)
    #expect(samples.samples.count < 2000)
    let calibration = try MagnetometerCalibration(fitting: samples)
    #expect((calibration.offset - Self.hardIron).length < 0.5)
    #expect(phone.headingErrors(calibration.corrected).median < 1.2)
  }

  /// Readings all over the place fill no more memory.
  @Test func memoryIsBounded() {
    var generator = SeededGenerator(seed: 4)
    var samples = FieldSamples()
    for _ in 0..<100_000 { samples.add(SimulatedPhone.noise(3000, &generator)) }
    #expect(samples.count == 100_000)
    #expect(samples.samples.count <= 8192)
  }
}

/// Readings that make no calibration, and what is said of them.
@Suite struct CalibrationRefusalTests {
  private func refusal(_ readings: [Vector3]) -> CalibrationRefusal? {
    var samples = FieldSamples()
    for reading in readings { samples.add(reading) }
    return #expect(throws: CalibrationRefusal.self) {
      try MagnetometerCalibration(fitting: samples)
    }
  }

  private func readings(
    noise: Double, count: Int = 400, _ attitude: (Double) -> Quaternion
  ) -> [Vector3] {
    var generator = SeededGenerator(seed: 3)
    let phone = SimulatedPhone(offset: Vector3(22, -27, 14))
    return (0..<count).map {
      phone.field(attitude(Double($0) / Double(count))) + SimulatedPhone.noise(noise, &generator)
    }
  }

  @Test(arguments: [0, 0.5])
  func turnedFlat(noise: Double) {
    let refusal = refusal(readings(noise: noise) { SimulatedPhone.attitude(360 * $0, 0, 0) })
    #expect(refusal?.description.hasSuffix("turn the phone over") == true, "\(refusal as Any)")
  }

  /// The screen stays up, tilted by up to 40°.
  @Test func oneSide() {
    let refusal = refusal(
      readings(noise: 0.5) {
        SimulatedPhone.attitude(3600 * $0, 40 * sin(50 * $0), 40 * cos(31 * $0))
      })
    #expect(refusal?.description.hasSuffix("turn the phone over") == true, "\(refusal as Any)")
    guard case .uncovered(let direction, let angle, let coverage) = refusal else {
      Issue.record("\(refusal as Any)")
      return
    }
    #expect(direction.z > 0.7 && angle > 75 && coverage < 0.6)
  }

  /// Turned about its long axis alone, towards north: the field stays in one plane.
  @Test(arguments: [0, 0.5], [400, 20_000])
  func onePlane(noise: Double, count: Int) {
    let refusal = refusal(
      readings(noise: noise, count: count) { SimulatedPhone.attitude(90, 0, 360 * $0) })
    #expect(
      refusal?.description.hasSuffix("stand the phone on its head and upright") == true,
      "\(refusal as Any)")
  }

  @Test func tooFew() {
    #expect(refusal([]) == .tooFew(0, needed: 30))
    #expect(refusal([Vector3(1, 2, 3), Vector3(2, 3, 4)]) == .tooFew(2, needed: 30))
    let invalid = Vector3(.nan, 0, 0)
    #expect(refusal(Array(repeating: invalid, count: 100)) == .tooFew(0, needed: 30))
    #expect(
      refusal(Array(repeating: 1e300 * Vector3(1, 1, 1), count: 100)) == .tooFew(0, needed: 30))
  }

  @Test func constant() {
    #expect(refusal(Array(repeating: Vector3(20, 3, -40), count: 1000)) == .constant)
  }

  @Test func onALine() {
    let line = refusal((0..<300).map { Vector3(1, 2, 3) + 0.2 * Double($0) * Vector3(1, -1, 0.5) })
    guard case .uncovered = line else {
      Issue.record("\(line as Any)")
      return
    }
  }

  @Test func otherUnits() {
    let refusal = refusal(SimulatedPhone.figureEight(300).map { 1000 * SimulatedPhone().field($0) })
    #expect(refusal?.description.contains("are the readings in µT") == true, "\(refusal as Any)")
  }

  @Test func noSurface() {
    var generator = SeededGenerator(seed: 5)
    let cloud = (0..<500).map { _ in SimulatedPhone.noise(30, &generator) }
    let refusal = refusal(cloud)
    guard case .disturbed = refusal else {
      Issue.record("\(refusal as Any)")
      return
    }
  }
}
