public import HRTF
import Geometry

/// What reaches the ears from a click in one direction, through the whole engine.
public struct ImpulseResponse: Equatable, Sendable {
  /// Frames a second.
  public var sampleRate: Int
  /// Left and right samples by turns, from the moment of the click on.
  public var samples: [Float]

  /// Longest delay and response of a data set, and room for the engine's own.
  private static let frameCount = 256

  /// Renders one sample of full scale, a static source, a listener looking ahead.
  ///
  /// - Parameter direction: Where it comes from; with the distance it is as loud as at the distance
  ///   at which the set was measured.
  /// - Throws: `EngineError` if the engine cannot use the data set.
  public init(dataSet: String, sampleRate: Int, direction: SphericalDirection) throws(EngineError) {
    let device = try LoopbackDevice(sampleRate: sampleRate, dataSet: dataSet, sourceCount: 1)
    let source = try LoopbackSource(
      [1] + Array(repeating: 0, count: 63), looping: false, on: device)
    // SOFA counts azimuth to the left; ahead is north in the world frame.
    source.setPosition(
      direction.distance
        * WorldFrame.direction(azimuth: -direction.azimuth, elevation: direction.elevation))
    source.play()
    samples = Array(repeating: 0, count: 2 * Self.frameCount)
    samples.withUnsafeMutableBufferPointer { device.render(into: $0) }
    try device.checkErrors()
    self.sampleRate = sampleRate
  }
}
