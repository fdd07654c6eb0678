import Aurient
import CAurient
import Files
import Glibc
import HeadTracking
import Navigation
import SpatialAudio
import Synchronization

/// What a call answers when it fails.
struct Fault: Error {
  let status: aurient_status
  let message: String

  init(_ status: aurient_status, _ message: String) {
    self.status = status
    self.message = message
  }

  /// The fault that an error of the library is.
  init(_ error: any Error) {
    switch error {
    case let fault as Fault: self = fault
    case let error as FileError:
      switch error.code {
      case .notFound: self.init(AURIENT_NOT_FOUND, error.description)
      case .unwritable: self.init(AURIENT_UNWRITABLE, error.description)
      default: self.init(AURIENT_BAD_FILE, error.description)
      }
    case let error as EngineError:
      self.init(error.code == .hrtf ? AURIENT_NOT_FOUND : AURIENT_DEVICE, error.description)
    case let error as SessionError:
      self.init(Self.status(error.code), error.description)
    case is MotionSourceError, is LocationSourceError: self.init(AURIENT_SYSTEM, "\(error)")
    default: self.init(AURIENT_INTERNAL, "\(error)")
    }
  }

  private static func status(_ code: SessionError.Code) -> aurient_status {
    switch code {
    case .unknownBeacon: AURIENT_NOT_FOUND
    case .invalid: AURIENT_INVALID_ARGUMENT
    case .full: AURIENT_FULL
    case .busy: AURIENT_BUSY
    default: AURIENT_WRONG_STATE
    }
  }

  static func invalid(_ message: String) -> Fault { Fault(AURIENT_INVALID_ARGUMENT, message) }
}

/// Does the work of a call, and keeps what goes wrong for the calling thread.
func call(_ work: () throws -> Void) -> aurient_status {
  do {
    try work()
    return AURIENT_OK
  } catch {
    let fault = Fault(error)
    copy(fault.message, to: aurient_thread_message(), capacity: Int(AURIENT_MESSAGE_SIZE))
    return fault.status
  }
}

/// Does the work of a call on a session, and keeps what goes wrong for that, too.
func call(
  _ handle: OpaquePointer?, _ work: (borrowing SessionEntry) throws -> Void
) -> aurient_status {
  call {
    guard let use = sessions.use(handle) else {
      throw Fault(AURIENT_INVALID_HANDLE, "no session, or one that is closed")
    }
    defer { sessions.release(use) }
    try use.object._withUnsafeGuaranteedRef { entry in
      do {
        try work(entry)
      } catch {
        entry.message.withLock { $0 = Fault(error).message }
        throw error
      }
    }
  }
}

/// Copies a text, cut off at a whole character where it has no room, and ends it with a zero; returns its bytes
/// without that.
@discardableResult
func copy(_ text: String, to buffer: UnsafeMutablePointer<CChar>?, capacity: Int) -> Int {
  var text = text
  return text.withUTF8 { bytes in
    guard let buffer, capacity > 0 else { return bytes.count }
    var count = min(bytes.count, capacity - 1)
    // Bytes that continue a character are 10xxxxxx.
    while count > 0, count < bytes.count, bytes[count] & 0xC0 == 0x80 { count -= 1 }
    if let start = bytes.baseAddress { memcpy(buffer, start, count) }
    buffer[count] = 0
    return bytes.count
  }
}
