import Geometry
import Glibc
import TestSupport
import Testing

@testable import HRTF

@Suite struct SphericalInterpolationTests {
  /// Directions spread evenly over the sphere by the golden angle, above an elevation.
  private static func spread(_ count: Int, above elevation: Double = -90) -> [Vector3] {
    (0..<count).map { index in
      let z = 1 - (2 * Double(index) + 1) / Double(count)
      let turn = Double(index) * .pi * (3 - 5.0.squareRoot())
      let radius = (1 - z * z).squareRoot()
      return Vector3(radius * cos(turn), radius * sin(turn), z)
    }.filter { $0.z > sin(radians(degrees: elevation)) }
  }

  private static func value(
    _ weights: [SphericalInterpolation.Weight], _ function: (Int) -> Double
  ) -> Double {
    weights.reduce(0) { $0 + $1.value * function($1.index) }
  }

  @Test(arguments: 0..<50) func weightsSumToOne(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let interpolation = SphericalInterpolation(Self.spread(300))
    let point = Vector3(
      .random(in: -1...1, using: &generator), .random(in: -1...1, using: &generator),
      .random(in: -1...1, using: &generator)
    ).normalized
    let weights = interpolation.weights(at: point)
    #expect(abs(weights.reduce(0) { $0 + $1.value } - 1) < 1e-9)
    #expect(Set(weights.map(\.index)).count == weights.count)
  }

  @Test func exactAtTheData() {
    let directions = Self.spread(300)
    let interpolation = SphericalInterpolation(directions)
    for index in directions.indices {
      let weights = interpolation.weights(at: directions[index])
      #expect(weights.count == 1 && weights[0].index == index && weights[0].value == 1)
    }
  }

  /// A course that is linear in the direction's coordinates is met to within what the sphere bends
  /// over two steps of the layout (about 12° each: 1 − cos 24° = 0.09), times a third for the weight
  /// of the far ones. The nearest direction alone would be off by sin 6° = 0.1.
  @Test(arguments: [[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, -0.3, 0.8]] as [[Double]])
  func linearCoursesAreFollowed(axes: [Double]) {
    let slope = Vector3(axes[0], axes[1], axes[2])
    let directions = Self.spread(300)
    let interpolation = SphericalInterpolation(directions)
    for point in Self.spread(97) {
      let value = Self.value(interpolation.weights(at: point)) { directions[$0].dot(slope) }
      #expect(abs(value - point.dot(slope)) < 0.03)
    }
  }

  /// Nothing was measured below −40°. There the value stays among those measured around the hole,
  /// whatever slope leads to it.
  @Test func holeAroundThePole() {
    let directions = Self.spread(600, above: -40)
    let interpolation = SphericalInterpolation(directions)
    for elevation in stride(from: -90.0, through: -50, by: 5) {
      for azimuth in stride(from: 0.0, to: 360, by: 45) {
        let point = SphericalDirection(azimuth: azimuth, elevation: elevation).unitVector
        let weights = interpolation.weights(at: point)
        #expect(abs(weights.reduce(0) { $0 + $1.value } - 1) < 1e-9)
        let value = Self.value(weights) { directions[$0].z }
        #expect(value > -0.75 && value < -0.3, "\(azimuth), \(elevation): \(value)")
        // No response is multiplied up against another.
        #expect(weights.reduce(0) { $0 + abs($1.value) } < 1.8)
      }
    }
    // Straight down all sides have a say: left and right balance.
    let down = interpolation.weights(at: [0, 0, -1])
    #expect(abs(Self.value(down) { directions[$0].y }) < 0.15)
    #expect(abs(Self.value(down) { directions[$0].x }) < 0.15)
  }

  @Test func fewDirections() {
    #expect(SphericalInterpolation([]).weights(at: [1, 0, 0]).isEmpty)
    let one = SphericalInterpolation([[0, 1, 0]]).weights(at: [1, 0, 0])
    #expect(one.count == 1 && abs(one[0].value - 1) < 1e-9)
    let two = SphericalInterpolation([[0, 1, 0], [0, -1, 0]]).weights(at: [1, 0, 0])
    #expect(two.count == 2 && two.allSatisfy { abs($0.value - 0.5) < 1e-9 })
    // The same direction twice, as at a pole that was measured from every side.
    let same = SphericalInterpolation([[0, 0, 1], [0, 0, 1], [1, 0, 0]]).weights(at: [0, 0, 1])
    #expect(abs(same.reduce(0) { $0 + $1.value } - 1) < 1e-9)
    #expect(same.allSatisfy { $0.value.isFinite })
  }
}
