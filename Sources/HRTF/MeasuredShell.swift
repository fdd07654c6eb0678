import Geometry

/// What was measured at one distance, as the converter needs it: the model at the rate of the result, and
/// how the directions lie on OpenAL's grid.
struct MeasuredShell: Sendable {
  /// Metres.
  let distance: Double
  /// Magnitudes and onsets at the rate of the result.
  let model: MinimumPhaseModel
  /// The grid for these directions.
  let grid: OpenALGrid
  /// What of the grid's nodes OpenAL blends at each direction.
  let shares: [[OpenALGrid.Share]]

  /// Takes a set of one distance apart, at a rate in Hz.
  init(_ set: HRIRSet, sampleRate: Int) {
    distance = set.distance
    model = MinimumPhaseModel(set).resampled(to: Double(sampleRate))
    grid = OpenALGrid(fitting: set.directions)
    shares = set.directions.map(grid.shares)
  }

  /// Onsets of left and right at the measured directions, samples.
  var onsets: [[Double]] {
    shares.indices.map { [model.onsets[2 * $0], model.onsets[2 * $0 + 1]] }
  }

  /// From what moment its onsets should count.
  var reference: EarDelays.Reference { EarDelays.Reference(measured: onsets, shares: shares) }
}
