import Geometry

extension MagnetometerCalibration {
  /// Fits a calibration to readings of a phone that was turned about in a steady field.
  ///
  /// Robust in three steps: the sphere through four samples that has the least median residual, of 60
  /// tries (P. J. Rousseeuw, "Least median of squares regression", JASA 79, 1984), is beyond the reach of
  /// outliers; samples within 4 robust standard deviations of it start the least-squares fit; and that is
  /// repeated with the samples within 3.5 of the last fit until they stay the same.
  ///
  /// - Parameter model: The surface, or nil for an ellipsoid if the readings determine one, else a sphere.
  /// - Throws: `CalibrationRefusal` if they determine neither, or come from one side or plane only.
  public init(
    fitting samples: FieldSamples, model: Model? = nil
  ) throws(CalibrationRefusal) {
    guard samples.count >= Self.fewestReadings else {
      throw .tooFew(samples.count, needed: Self.fewestReadings)
    }
    let all = samples.samples
    let (mean, spread) = Self.spread(all)
    guard spread > 0.01 else { throw .constant }
    guard let start = Self.leastMedianSphere(all),
      let sphere = Self.refine(start, all, FieldEllipsoid.sphere)
    else {
      // Four readings of one plane determine no sphere.
      try Self.checkCoverage(all.map { $0.field - mean }, gap: 0)
      throw .undetermined(.sphere)
    }
    // As the sphere sees it, which unlike an ellipsoid cannot make noise look like the whole.
    try Self.checkCoverage(
      Self.inliers(sphere, all, Self.gate).map { $0.field - sphere.centre }, gap: Self.sphereGap)
    var refusal: CalibrationRefusal?
    for model in model.map({ [$0] }) ?? [.ellipsoid, .sphere] {
      do throws(CalibrationRefusal) {
        let fit = model == .sphere ? sphere : Self.refine(start, all, FieldEllipsoid.ellipsoid)
        try self.init(fit, model, all, samples.count)
        return
      } catch {
        refusal = error
      }
    }
    throw refusal ?? .undetermined(.sphere)
  }

  private init(
    _ fit: FieldEllipsoid?, _ model: Model, _ all: [FieldSamples.Sample], _ count: Int
  ) throws(CalibrationRefusal) {
    guard let fit else { throw .undetermined(model) }
    let inliers = Self.inliers(fit, all, Self.gate)
    guard fit.shape.stretch <= Self.largestStretch else { throw .undetermined(model) }
    let coverage = try Self.checkCoverage(
      inliers.map { fit.corrected($0.field) },
      gap: model == .sphere ? Self.sphereGap : Self.ellipsoidGap)
    guard Self.strengths.contains(fit.radius) else { throw .strange(strength: fit.radius) }
    var (square, weight) = (0.0, 0.0)
    for sample in inliers {
      square += sample.weight * fit.residual(sample.field) * fit.residual(sample.field)
      weight += sample.weight
    }
    let residual = (square / weight).squareRoot()
    let outlierShare = 1 - weight / all.reduce(0) { $0 + $1.weight }
    guard residual <= Self.largestResidual * fit.radius, outlierShare <= Self.mostOutliers else {
      throw .disturbed(residual: residual, outlierShare: outlierShare)
    }
    guard fit.centreDeviation <= 2, fit.shapeDeviation <= 0.03 else { throw .undetermined(model) }
    self.init(
      model: model, offset: fit.centre, matrix: fit.shape, strength: fit.radius,
      residual: residual, coverage: coverage.share, readingCount: count,
      outlierShare: outlierShare)
  }

  /// Fewer readings determine nothing to be trusted.
  public static let fewestReadings = 30
  /// The widest gap of directions, degrees, that a fit may have. In simulated turns with 0.5 µT of noise the
  /// ellipsoid's centre was off by 0.1 to 0.4 µT at gaps to 80°, by 1 to 3 at 95°, 3 at 108°, and 28 at 130°.
  /// A sphere is determined by less, but from one side nothing shows that it is none.
  private static let (sphereGap, ellipsoidGap) = (95.0, 85.0)
  /// The least spread of directions across any plane, as a part of the radius.
  private static let leastThickness = 0.2
  /// Of the ellipsoid's longest axis to its shortest; no phone's soft iron does that.
  private static let largestStretch = 3.0
  /// µT; wider than the Earth's, for soft iron changes the scale.
  private static let strengths = 12.0...120.0
  private static let largestResidual = 0.1
  private static let mostOutliers = 0.3
  /// Robust standard deviations beyond which a sample is an outlier.
  private static let gate = 3.5
}

extension MagnetometerCalibration {
  /// The coverage of directions.
  ///
  /// - Throws: `CalibrationRefusal` where it leaves a wider gap, degrees, or is that of a plane.
  @discardableResult
  private static func checkCoverage(
    _ directions: [Vector3], gap: Double
  ) throws(CalibrationRefusal) -> DirectionCoverage {
    let coverage = DirectionCoverage(directions)
    guard coverage.gap <= gap, coverage.thickness >= leastThickness else {
      throw .uncovered(coverage.farthest, within: coverage.gap, coverage: coverage.share)
    }
    return coverage
  }

  /// The samples' mean, and their standard deviation where it is greatest, µT.
  private static func spread(
    _ samples: [FieldSamples.Sample]
  ) -> (mean: Vector3, deviation: Double) {
    let mean = samples.reduce(Vector3()) { $0 + $1.field } / Double(samples.count)
    var scatter = SymmetricMatrix3(xx: 0, yy: 0, zz: 0)
    for sample in samples { scatter.add(sample.field - mean, weight: 1 / Double(samples.count)) }
    return (mean, max(0, scatter.eigensystem[2].value).squareRoot())
  }

  private static func leastMedianSphere(_ samples: [FieldSamples.Sample]) -> FieldEllipsoid? {
    // Enough to know the median by, spread over the whole record.
    let few = stride(from: 0, to: samples.count, by: max(1, samples.count / 400)).map {
      samples[$0]
    }
    // The same draws each time; MINSTD (Park and Miller, CACM 31, 1988) is random enough for that.
    var state: UInt64 = 1
    var best: (sphere: FieldEllipsoid, median: Double)?
    for _ in 0..<60 {
      let four = (0..<4).map { _ in
        state = state * 48271 % 2_147_483_647
        return FieldSamples.Sample(few[Int(state) % few.count].field)
      }
      guard let sphere = FieldEllipsoid.sphere(four) else { continue }
      let median = median(few.map { abs(sphere.residual($0.field)) })
      if median < best?.median ?? .infinity { best = (sphere, median) }
    }
    return best?.sphere
  }

  private static func refine(
    _ start: FieldEllipsoid, _ samples: [FieldSamples.Sample],
    _ fit: ([FieldSamples.Sample]) -> FieldEllipsoid?
  ) -> FieldEllipsoid? {
    var current: FieldEllipsoid?
    var chosen = inliers(start, samples, 4)
    for _ in 0..<20 {
      guard let next = fit(chosen) else { return nil }
      current = next
      let better = inliers(next, samples, gate)
      if better == chosen { break }
      chosen = better
    }
    return current
  }

  /// The samples within so many robust standard deviations (1.4826 median) of a surface; of less than 2 %
  /// of the field none is out.
  private static func inliers(
    _ fit: FieldEllipsoid, _ samples: [FieldSamples.Sample], _ deviations: Double
  ) -> [FieldSamples.Sample] {
    let residuals = samples.map { abs(fit.residual($0.field)) }
    let limit = max(0.02 * fit.radius, deviations * 1.4826 * median(residuals))
    return zip(samples, residuals).filter { $0.1 <= limit }.map(\.0)
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}
