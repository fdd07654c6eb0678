public import HRTF
import Geometry

/// What reaches the ears from a click in one direction, through the whole engine.
public struct ImpulseResponse: Equatable, Sendable {
  /// Frames a second.
  public var sampleRate: Int
  /// Left and right samples by turns, from the moment of the click on.
  public var samples: [Float]

  /// Longest delay and response of a data set, and room for the engine's own.
  package static let frameCount = 256

  /// A response of these samples.
  public init(sampleRate: Int, samples: [Float]) {
    self.sampleRate = sampleRate
    self.samples = samples
  }

  /// The response of a data set for a direction, on a device of its own.
  ///
  /// - Throws: `EngineError` if the engine cannot use the data set.
  public init(
    dataSets: [DistanceDataSet], sampleRate: Int, direction: SphericalDirection
  ) throws(EngineError) {
    let mix = try LoopbackMix(sampleRate: sampleRate, dataSets: dataSets, sourceCount: 1)
    self = try mix.impulseResponse(direction)
  }

  /// The samples of an ear: 0 left, 1 right.
  public func ear(_ ear: Int) -> [Float] {
    stride(from: ear, to: samples.count, by: 2).map { samples[$0] }
  }
}

extension LoopbackMix {
  /// Renders one sample of full scale, a static source, a listener looking ahead.
  ///
  /// - Parameter direction: Where it comes from; the distance matters where the mix has several.
  /// - Throws: `EngineError` if the engine cannot render it.
  public func impulseResponse(_ direction: SphericalDirection) throws(EngineError)
    -> ImpulseResponse
  {
    let source = try MixSource([1] + Array(repeating: 0, count: 63), looping: false, on: self)
    // SOFA counts azimuth to the left; ahead is north in the world frame.
    source.setPosition(
      WorldFrame.direction(azimuth: -direction.azimuth, elevation: direction.elevation)
        * direction.distance)
    source.play()
    var samples = [Float](repeating: 0, count: 2 * ImpulseResponse.frameCount)
    samples.withUnsafeMutableBufferPointer { render(into: $0) }
    try checkErrors()
    return ImpulseResponse(sampleRate: sampleRate, samples: samples)
  }
}
