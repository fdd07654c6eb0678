/// Head-related impulse responses of a set of directions, as measured.
///
/// The responses lie in one array, direction by direction, left ear before right.
public struct HRIRSet: Sendable {
  /// The set's title, for people.
  public var title: String
  /// Sampling rate, Hz.
  public var sampleRate: Double
  /// The directions, as many as there are pairs of responses.
  public var directions: [SphericalDirection]
  /// Samples in one response.
  public var length: Int
  /// All responses: direction, ear (left, right), sample.
  public var samples: [Float]
  /// Delays that precede the responses, in samples: direction, ear.
  public var delays: [Float]

  /// The response of one ear (0 left, 1 right) for one direction.
  public func response(_ direction: Int, ear: Int) -> ArraySlice<Float> {
    let start = (direction * 2 + ear) * length
    return samples[start..<start + length]
  }

  /// The delay of one ear for one direction, samples.
  public func delay(_ direction: Int, ear: Int) -> Float { delays[direction * 2 + ear] }
}
