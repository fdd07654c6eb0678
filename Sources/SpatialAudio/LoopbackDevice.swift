internal import COpenAL
public import Geometry

/// A device of OpenAL Soft that renders into memory as fast as it is asked to, with one context whose
/// output is two channels of floats through one head-related data set.
///
/// The same calls give the same samples. One thread uses a device at a time; devices are independent
/// of each other.
public final class LoopbackDevice {
  /// The listener and the sources.
  public let context: OpenALContext

  /// Frames a second.
  public var sampleRate: Int { context.sampleRate }

  /// Opens a device.
  ///
  /// `OpenALConfiguration.prepare` comes first.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames a second; the data set's own.
  ///   - dataSet: The name of a data set that OpenAL lists.
  ///   - sourceCount: How many sources must be able to play at once.
  /// - Throws: `EngineError`, also if OpenAL uses another data set than the one asked for: by itself
  ///   it would say nothing.
  public init(sampleRate: Int, dataSet: String, sourceCount: Int = 64) throws(EngineError) {
    context = try OpenALContext(
      try Self.open(),
      attributes: [
        ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT, ALC_FORMAT_TYPE_SOFT, ALC_FLOAT_SOFT,
        ALC_MONO_SOURCES, ALCint(sourceCount), ALC_STEREO_SOURCES, 0,
      ], sampleRate: sampleRate, dataSet: dataSet)
  }

  private static func open() throws(EngineError) -> OpaquePointer {
    guard let device = alcLoopbackOpenDeviceSOFT(nil) else {
      throw EngineError(.device, "OpenAL cannot open a loopback device")
    }
    return device
  }

  /// The names of all data sets that OpenAL finds now, whatever their rate.
  ///
  /// - Throws: `EngineError` if no device can be opened.
  public static func dataSets() throws(EngineError) -> [String] {
    let device = try open()
    defer { alcCloseDevice(device) }
    return OpenALContext.dataSets(of: device)
  }

  /// Renders the next frames of left and right samples.
  ///
  /// - Parameter output: Twice as many floats as frames.
  public func render(into output: UnsafeMutableBufferPointer<Float>) {
    guard let base = output.baseAddress, output.count >= 2 else { return }
    alcRenderSamplesSOFT(context.device, base, ALCsizei(output.count / 2))
  }

  /// Turns the listener; see `OpenALContext`.
  public func setListener(ahead: Vector3, up: Vector3) {
    context.setListener(ahead: ahead, up: up)
  }

  /// Checks that the calls since the last check went well; see `OpenALContext`.
  public func checkErrors() throws(EngineError) { try context.checkErrors() }
}
