import Geometry
import Glibc

extension HRIRSet {
  /// Samples of the transform by which responses are equalised.
  private var equalizationSize: Int {
    RealFFT.size(atLeast: max(2048, 4 * length, Int(0.04 * sampleRate)))
  }

  /// Power by frequency, mean of both ears, of the diffuse field: the mean over all directions, each
  /// weighted by the solid angle that is nearer to it than to others.
  ///
  /// H. Møller, "Fundamentals of binaural technology", Appl. Acoust. 36 (1992); V. Larcher, J.-M. Jot
  /// and G. Vandernoot, "Equalization methods in binaural technology", AES 105th Convention (1998).
  /// Where a part of the sphere is not measured, the directions at its edge stand for it.
  var diffuseFieldPower: [Double] {
    let weights = solidAngleShares
    let size = equalizationSize
    // Few sums at a time: they are of one size, however many directions there are.
    let runs = 16
    let sums = parallelMap(runs, worker: { RealFFT(size: size) }) { fft, run in
      var sum = [Double](repeating: 0, count: size / 2 + 1)
      for direction in run * directions.count / runs..<(run + 1) * directions.count / runs
      where weights[direction] > 0 {
        add(powerOf: direction, weight: weights[direction], to: &sum, fft)
      }
      return sum
    }
    return sums.reduce(into: [Double](repeating: 0, count: size / 2 + 1)) { total, sum in
      for bin in total.indices { total[bin] += sum[bin] }
    }
  }

  /// Power by frequency, mean of both ears, of the response nearest to straight ahead; nil if there is
  /// none within 5°.
  var freeFieldPower: [Double]? {
    guard let front = DirectionIndex(directions.map(\.unitVector)).nearest(to: Vector3(1, 0, 0)),
      front.distance < 2 * sin(radians(degrees: 2.5))
    else { return nil }
    let fft = RealFFT(size: equalizationSize)
    var power = [Double](repeating: 0, count: fft.size / 2 + 1)
    add(powerOf: front.index, weight: 1, to: &power, fft)
    return power
  }

  private func add(
    powerOf direction: Int, weight: Double, to sum: inout [Double], _ fft: RealFFT
  ) {
    for ear in 0...1 {
      let spectrum = fft.forward(response(direction, ear: ear))
      for bin in sum.indices {
        let (re, im) = (Double(spectrum.real[bin]), Double(spectrum.imaginary[bin]))
        sum[bin] += weight / 2 * (re * re + im * im)
      }
    }
  }

  /// The share of the sphere that is nearest to each direction, their sum 1: the areas of the spherical
  /// Voronoi cells, counted on even points, at least eight a cell on average.
  private var solidAngleShares: [Double] {
    let index = DirectionIndex(directions.map(\.unitVector))
    let points = evenSphere(max(20_000, 8 * directions.count))
    let nearest = parallelMap(points.count, worker: {}) { _, point in
      index.nearest(to: points[point])?.index ?? 0
    }
    var shares = [Double](repeating: 0, count: directions.count)
    for direction in nearest { shares[direction] += 1 / Double(points.count) }
    return shares
  }

  /// The set with all responses divided by the minimum-phase response of this power.
  func equalized(by power: [Double]) -> HRIRSet {
    let filter = InverseFilter.taps(power: power, sampleRate: sampleRate)
    let newLength = length + filter.count - 1
    let size = RealFFT.size(atLeast: newLength)
    let filtered = parallelMap(
      directions.count,
      worker: { () -> (fft: RealFFT, filter: Spectrum) in
        let fft = RealFFT(size: size)
        return (fft, fft.forward(filter))
      }
    ) { worker, direction in
      (0...1).flatMap { ear in
        var spectrum = worker.fft.forward(response(direction, ear: ear))
        spectrum *= worker.filter
        return worker.fft.inverse(spectrum).prefix(newLength)
      }
    }
    var set = self
    set.length = newLength
    set.samples = filtered.flatMap { $0 }
    return set
  }
}

extension Spectrum {
  /// The product of two spectra.
  fileprivate static func *= (left: inout Spectrum, right: Spectrum) {
    for bin in left.real.indices {
      let (a, b, c, d) = (
        left.real[bin], left.imaginary[bin], right.real[bin], right.imaginary[bin]
      )
      left.real[bin] = a * c - b * d
      left.imaginary[bin] = a * d + b * c
    }
  }
}
