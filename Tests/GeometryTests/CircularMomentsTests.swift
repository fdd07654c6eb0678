import Geometry
import Glibc
import Testing

@Suite struct CircularMomentsTests {
  /// Directions, their mean and standard deviation in degrees, by SciPy 1.17.1:
  /// `circmean(s, high=360, low=0)`, `np.degrees(circstd(np.radians(s)))`.
  static let samples: [([Double], Double, Double)] = [
    ([10, 20, 30], 19.999999999999996, 8.17536831253456),
    ([350, 10], 360.0, 10.0255602484647),
    ([359, 0, 1, 2], 0.4999999999999992, 1.1180581142574768),
    ([0, 90], 45.0, 47.701865433491434),
    ([0, 0, 90], 26.56505117707799, 43.92709637561879),
    ([180], 180.0, 0.0),
    ([179, -179], 180.0, 1.0000253865248747),
    ([10.5, 200, 301.25], 298.9948206265194, 78.98121860416592),
    ([720.25, -359, 1], 0.7500015865717193, 0.3535542319910899),
    (
      [
        0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 91, 98, 105, 112, 119, 126, 133, 140, 147,
        154, 161, 168, 175,
      ], 87.5, 55.08522759480967
    ),
    ([45, 46, 44, 225], 45.00000000000001, 67.46803674662208),
  ]

  @Test(arguments: samples)
  func meanAndDeviation(sample: [Double], mean: Double, deviation: Double) throws {
    let moments = CircularMoments(degrees: sample)
    #expect(moments.count == sample.count)
    let (meanDegrees, deviationDegrees) = (
      try #require(moments.meanDegrees), try #require(moments.standardDeviationDegrees)
    )
    #expect(meanDegrees >= 0 && meanDegrees < 360)
    #expect(abs(signedDegrees(meanDegrees - mean)) < 1e-9)
    // Of one repeated direction the length is 1 to within a few units in the last place, and the
    // root makes that 2e-6 degrees.
    #expect(abs(deviationDegrees - deviation) < (deviation == 0 ? 3e-6 : 1e-9))
  }

  @Test func emptySampleHasNoDirection() {
    let moments = CircularMoments()
    #expect(moments.meanResultantLength == 0)
    #expect(moments.meanDegrees == nil)
    #expect(moments.standardDeviationDegrees == nil)
  }

  @Test func cancellingDirectionsHaveNoMean() {
    let moments = CircularMoments(sineSum: 0, cosineSum: 0, count: 2)
    #expect(moments.meanDegrees == nil)
    #expect(moments.standardDeviationDegrees == .infinity)
  }

  /// A window of one repeated direction: rounding may not take its length above 1, where the
  /// logarithm turns positive and the deviation is no number.
  @Test func constantWindowsAtAllOffsets() throws {
    var raw = 0
    for step in 0..<3600 {
      let direction = Double(step) / 10
      var moments = CircularMoments()
      for _ in 0..<200 { moments.add(degrees: direction) }
      if hypot(moments.sineSum, moments.cosineSum) / 200 > 1 { raw += 1 }
      #expect(moments.meanResultantLength <= 1)
      let deviation = try #require(moments.standardDeviationDegrees)
      #expect(deviation >= 0 && deviation < 1e-5, "\(direction)")
      let mean = try #require(moments.meanDegrees)
      #expect(abs(signedDegrees(mean - direction)) < 1e-9)
    }
    #expect(raw > 100, "the windows no longer meet the rounding that they are for")
  }
}
