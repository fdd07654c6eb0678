import Geometry
import TestSupport
import Testing

@Suite struct DegreesTests {
  @Test(
    arguments: [
      (0.0, 0.0), (-0.0, 0), (-1e-20, 0), (-1e-13, 360 - 1e-13), (360, 0), (-360, 0), (180, 180),
      (-180, 180), (359.5, 359.5), (-0.5, 359.5), (1e6, 280), (-1e6, 80), (720.25, 0.25),
    ] as [(Double, Double)])
  func positive(degrees: Double, expected: Double) {
    #expect(positiveDegrees(degrees) == expected)
    #expect(positiveDegrees(degrees).sign == .plus)
  }

  @Test(
    arguments: [
      (0.0, 0.0), (-0.0, 0), (-1e-20, -1e-20), (360, 0), (180, 180), (-180, 180), (180.5, -179.5),
      (-180.5, 179.5), (540, 180), (1e6, -80), (-1e6, 80), (-90, -90), (270, -90),
    ] as [(Double, Double)])
  func signed(degrees: Double, expected: Double) {
    #expect(signedDegrees(degrees) == expected)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func noDirection(degrees: Double) {
    #expect(positiveDegrees(degrees).isNaN)
    #expect(signedDegrees(degrees).isNaN)
  }

  @Test func rangesHoldForAllMagnitudes() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<100_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      let (positive, signed) = (positiveDegrees(value), signedDegrees(value))
      #expect(positive >= 0 && positive < 360, "\(value)")
      #expect(signed > -180 && signed <= 180, "\(value)")
    }
  }
}
