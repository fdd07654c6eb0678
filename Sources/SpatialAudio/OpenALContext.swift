internal import COpenAL
public import Geometry
import HRTF
import Synchronization

/// A listener and the sources around in OpenAL Soft: a context on a device that renders into memory
/// (`LoopbackDevice`) or plays.
///
/// Any thread may call it, one at a time.
public final class OpenALContext {
  /// The device and the context; both end with this.
  let device: OpaquePointer
  let context: OpaquePointer
  /// Frames a second.
  public let sampleRate: Int
  /// The name of the data set, as OpenAL reports it; nil where sounds are played as they are.
  public let dataSet: String?

  /// Takes over a device on which a context can be made.
  ///
  /// - Parameters:
  ///   - attributes: Of the context, besides the data set's and the rate's; in pairs, without the 0 at
  ///     the end.
  ///   - dataSet: The name of a data set that OpenAL lists; nil to play sounds as they are.
  /// - Throws: `EngineError`, also if OpenAL uses another data set than the one asked for: by itself
  ///   it would say nothing. The device is closed then.
  init(
    _ device: OpaquePointer, attributes: [ALCint], sampleRate: Int, dataSet: String?
  ) throws(EngineError) {
    do throws(EngineError) {
      var all = attributes + [ALC_FREQUENCY, ALCint(sampleRate)]
      if let dataSet {
        let index = try Self.number(of: dataSet, on: device)
        all += [ALC_HRTF_SOFT, ALCint(ALC_TRUE), ALC_HRTF_ID_SOFT, index, 0]
      } else {
        all += [ALC_HRTF_SOFT, ALCint(ALC_FALSE), 0]
      }
      var made: OpaquePointer?
      Self.creation.withLock { _ in made = alcCreateContext(device, all) }
      guard let context = made else {
        throw EngineError(
          .context, "OpenAL refuses a context of \(sampleRate) Hz (code \(alcGetError(device)))")
      }
      do throws(EngineError) {
        try Self.check(dataSet, sampleRate: sampleRate, of: device)
      } catch {
        alcDestroyContext(context)
        throw error
      }
      self.context = context
    } catch {
      alcCloseDevice(device)
      throw error
    }
    self.device = device
    self.sampleRate = sampleRate
    self.dataSet = dataSet
    makeCurrent()
    alDistanceModel(AL_INVERSE_DISTANCE_CLAMPED)
    if let dataSet { alListenerf(AL_GAIN, HRTFCache.gain(of: dataSet)) }
  }

  deinit {
    if alcGetThreadContext() == context { alcSetThreadContext(nil) }
    alcDestroyContext(context)
    alcCloseDevice(device)
  }

  /// Makes it the one that the calling thread's OpenAL calls mean.
  func makeCurrent() {
    // To ask takes no lock, to set does.
    if alcGetThreadContext() != context { alcSetThreadContext(context) }
  }

  /// Does some work, after which the calling thread's OpenAL calls mean what they did before: a program may use
  /// OpenAL itself, and a context that ends must be no other thread's.
  public static func leavingThreadAsItWas<Value, Failure: Error>(
    _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let before = alcGetThreadContext()
    defer { if alcGetThreadContext() != before { alcSetThreadContext(before) } }
    return try work()
  }

  /// The names of all data sets that OpenAL finds now for a device, whatever their rate.
  static func dataSets(of device: OpaquePointer) -> [String] {
    creation.withLock { _ in listDataSets(of: device) }
  }

  /// Held where OpenAL looks for data sets: its list of them is one for all devices, and 1.19 does not guard it.
  private static let creation = Mutex(())

  private static func listDataSets(of device: OpaquePointer) -> [String] {
    var count: ALCint = 0
    alcGetIntegerv(device, ALC_NUM_HRTF_SPECIFIERS_SOFT, 1, &count)
    return (0..<count).compactMap { index in
      alcGetStringiSOFT(device, ALC_HRTF_SPECIFIER_SOFT, index).map { String(cString: $0) }
    }
  }

  private static func number(
    of dataSet: String, on device: OpaquePointer
  ) throws(EngineError) -> ALCint {
    let names = Self.dataSets(of: device)
    guard let index = names.firstIndex(of: dataSet) else {
      let list = names.isEmpty ? "none" : names.joined(separator: ", ")
      throw EngineError(
        .hrtf, "OpenAL does not find the HRTF data set \(dataSet); it has \(list)")
    }
    return ALCint(index)
  }

  private static func check(
    _ name: String?, sampleRate: Int, of device: OpaquePointer
  ) throws(EngineError) {
    var status: ALCint = 0
    alcGetIntegerv(device, ALC_HRTF_STATUS_SOFT, 1, &status)
    var frequency: ALCint = 0
    alcGetIntegerv(device, ALC_FREQUENCY, 1, &frequency)
    let used = alcGetString(device, ALC_HRTF_SPECIFIER_SOFT).map { String(cString: $0) } ?? ""
    if let name, status != ALC_HRTF_ENABLED_SOFT || used != name {
      throw EngineError(
        .hrtf,
        "OpenAL uses \(used.isEmpty ? "no HRTF data set" : "the HRTF data set \(used)") instead of "
          + "\(name); is that one of \(sampleRate) Hz?")
    }
    if name == nil, status == ALC_HRTF_ENABLED_SOFT {
      throw EngineError(.hrtf, "OpenAL uses the HRTF data set \(used) where none is asked for")
    }
    guard Int(frequency) == sampleRate else {
      throw EngineError(.context, "OpenAL renders at \(frequency) Hz instead of \(sampleRate)")
    }
  }

  /// The version that OpenAL gives of itself, for example `1.1 ALSOFT 1.19.1`.
  public var version: String {
    makeCurrent()
    return alGetString(AL_VERSION).map { String(cString: $0) } ?? "unknown"
  }

  /// Turns the listener.
  ///
  /// - Parameters:
  ///   - ahead: Where the nose points, a unit vector in the world frame (east, north, up).
  ///   - up: Where the crown points, likewise.
  public func setListener(ahead: Vector3, up: Vector3) {
    makeCurrent()
    let orientation = (ahead.openAL, up.openAL)
    withUnsafeBytes(of: orientation) { bytes in
      alListenerfv(AL_ORIENTATION, bytes.bindMemory(to: ALfloat.self).baseAddress)
    }
  }

  /// Checks that the calls since the last check went well.
  ///
  /// - Throws: `EngineError` with OpenAL's first error since then.
  public func checkErrors() throws(EngineError) {
    makeCurrent()
    let code = alGetError()
    guard code == AL_NO_ERROR else {
      throw EngineError(.rendering, "OpenAL reports error \(code)")
    }
  }
}

extension Vector3 {
  /// A vector of the world frame (east, north, up) in OpenAL's axes: x east, y up, z south.
  var openAL: (Float, Float, Float) { (Float(x), Float(z), Float(-y)) }
}
