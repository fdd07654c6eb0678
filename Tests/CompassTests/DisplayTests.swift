import Compass
import Testing

@Suite struct DisplayTests {
  @Test func unwraps() {
    var angle = UnwrappedAngle(358)
    let turned = [359.0, 1, 3, 2, 359, 357].map { angle.turn(to: $0) }
    #expect(turned == [359, 361, 363, 362, 359, 357])
    #expect(angle.turn(to: .nan) == 357)
    // Half a turn goes clockwise; a whole turn is none.
    #expect(angle.turn(to: 177) == 537)
    #expect(angle.turn(to: 177 + 720) == 537)
  }

  @Test func filterMeasuresFromTheLastDelivered() {
    var filter = HeadingFilter()
    let delivered = [359.5, 0.2, 0.4, 0.5, 1.4, 1.5, .nan, 359.9, 359.4].map { filter.deliver($0) }
    #expect(delivered == [359.5, nil, nil, 0.5, nil, 1.5, nil, 359.9, nil])
    var coarse = HeadingFilter(threshold: 10)
    #expect([0.0, 9, 350, 341, 340].map { coarse.deliver($0) } == [0, nil, 350, nil, 340])
  }

  /// By numpy: `z = np.exp(1j*np.radians([350, 10, 30]))`, s = z[0], twice
  /// `s += (1 - np.exp(-1/2)) * (z - s)`, `np.degrees(np.angle(s)) % 360`.
  @Test func smoothsAcrossNorth() {
    var smoothing = CircularSmoothing(timeConstant: 2)
    #expect(smoothing.direction == nil)
    let first = smoothing.update(350, after: 0) ?? .nan
    #expect(abs(first - 350) < 1e-9)
    let second = smoothing.update(10, after: 1) ?? .nan
    #expect(abs(second - 357.8484976689695) < 1e-9)
    let third = smoothing.update(30, after: 1) ?? .nan
    #expect(abs(third - 10.525585793817614) < 1e-9)
    #expect(smoothing.update(.nan, after: 1) == third)
    #expect(smoothing.update(100, after: -1) == third)
  }
}
