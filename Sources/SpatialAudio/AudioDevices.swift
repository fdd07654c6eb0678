internal import COpenAL
import Glibc

/// A device that sound can be played on.
public struct AudioDevice: Equatable, Sendable {
  /// Its name, as OpenAL Soft has it.
  public var name: String
  /// Whether it is the one that is used if none is named.
  public var isDefault: Bool
}

/// The devices that sound can be played on.
public enum AudioDevices {
  /// Lists them, as they are now; `OpenALConfiguration.prepare` comes first.
  ///
  /// - Throws: `EngineError` if there is none.
  public static func list() throws(EngineError) -> [AudioDevice] {
    quietenLibraries()
    // Names, each ended by a zero, and another zero after the last.
    var names: [String] = []
    var next = alcGetString(nil, ALC_ALL_DEVICES_SPECIFIER)
    while let name = next, name.pointee != 0 {
      names.append(String(cString: name))
      next = name + strlen(name) + 1
    }
    let standard =
      alcGetString(nil, ALC_DEFAULT_ALL_DEVICES_SPECIFIER).map { String(cString: $0) } ?? ""
    names.removeAll { $0 == nothing }
    // ALSA lists a default device even where there is no card.
    if let device = alcOpenDevice(nil) {
      alcCloseDevice(device)
    } else {
      names.removeAll { $0 == standard }
    }
    guard !names.isEmpty else { throw none }
    return names.map { AudioDevice(name: $0, isDefault: $0 == standard) }
  }

  /// Opens a device, or the default one.
  static func open(_ name: String?) throws(EngineError) -> OpaquePointer {
    quietenLibraries()
    guard let device = alcOpenDevice(name) else {
      guard let name else { throw none }
      let list = try list().map(\.name).joined(separator: ", ")
      throw EngineError(.device, "cannot open the sound device \"\(name)\"; there are \(list)")
    }
    // Without any device, OpenAL opens one that plays to nobody.
    guard name != nil || self.name(of: device) != nothing else {
      alcCloseDevice(device)
      throw none
    }
    return device
  }

  static func name(of device: OpaquePointer) -> String {
    alcGetString(device, ALC_ALL_DEVICES_SPECIFIER).map { String(cString: $0) } ?? "unknown"
  }

  /// What OpenAL Soft calls its device that plays to nobody.
  private static let nothing = "No Output"

  private static var none: EngineError {
    EngineError(
      .device,
      "there is no sound device that can be opened: connect one, or start PulseAudio or PipeWire; "
        + "'aurient render' writes to a file instead")
  }

  /// Keeps the libraries that OpenAL loads from writing lines of their own to standard error: what
  /// could not be done is told by this one.
  private static func quietenLibraries() { _ = librariesAreQuiet }

  private static let librariesAreQuiet: Bool = {
    // PulseAudio's library logs to the system's log then.
    setenv("PULSE_LOG_SYSLOG", "1", 0)
    guard let alsa = dlopen("libasound.so.2", RTLD_NOW),
      let symbol = dlsym(alsa, "snd_lib_error_set_handler")
    else { return false }
    // The handler is variadic; what follows the first parameter is the caller's business.
    typealias Handler = @convention(c) (UnsafePointer<CChar>?) -> Void
    typealias SetHandler = @convention(c) (Handler) -> CInt
    return unsafeBitCast(symbol, to: SetHandler.self)({ _ in }) == 0
  }()
}
