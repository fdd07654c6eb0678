import Aurient
public import CAurient
import Files
import Glibc
import HRTF
import SpatialAudio

/// The version as the header has it.
let libraryVersion =
  "\(AURIENT_VERSION_MAJOR).\(AURIENT_VERSION_MINOR).\(AURIENT_VERSION_PATCH)"

/// The version for C, which is never freed.
private nonisolated(unsafe) let versionText = UnsafePointer(strdup(libraryVersion))

/// See `aurient.h`.
@c @implementation
public func aurient_version() -> UnsafePointer<CChar>! { versionText }

/// See `aurient.h`.
@c @implementation
public func aurient_abi_version() -> Int32 { AURIENT_ABI_VERSION }

/// See `aurient.h`.
@c @implementation
public func aurient_status_name(_ status: aurient_status) -> UnsafePointer<CChar>! {
  let name: StaticString =
    switch status {
    case AURIENT_OK: "AURIENT_OK"
    case AURIENT_INVALID_ARGUMENT: "AURIENT_INVALID_ARGUMENT"
    case AURIENT_INVALID_HANDLE: "AURIENT_INVALID_HANDLE"
    case AURIENT_INVALID_SIZE: "AURIENT_INVALID_SIZE"
    case AURIENT_NOT_FOUND: "AURIENT_NOT_FOUND"
    case AURIENT_BAD_FILE: "AURIENT_BAD_FILE"
    case AURIENT_UNWRITABLE: "AURIENT_UNWRITABLE"
    case AURIENT_DEVICE: "AURIENT_DEVICE"
    case AURIENT_BUSY: "AURIENT_BUSY"
    case AURIENT_FULL: "AURIENT_FULL"
    case AURIENT_CANCELLED: "AURIENT_CANCELLED"
    case AURIENT_WRONG_STATE: "AURIENT_WRONG_STATE"
    case AURIENT_SYSTEM: "AURIENT_SYSTEM"
    case AURIENT_INTERNAL: "AURIENT_INTERNAL"
    default: "unknown"
    }
  return UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// See `aurient.h`.
@c @implementation
public func aurient_last_message(_ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int) -> Int {
  copy(String(cString: aurient_thread_message()), to: buffer, capacity: capacity)
}

/// See `aurient.h`.
@c @implementation
public func aurient_set_data_folder(_ path: UnsafePointer<CChar>!) -> aurient_status {
  call {
    let path = try text(path, "the folder")
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw Fault(AURIENT_NOT_FOUND, "\(path): no such folder".onOneLine)
    }
    guard DataFolder.use(path) else {
      throw Fault(AURIENT_WRONG_STATE, "the data has been looked for already")
    }
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_list_devices(
  _ devices: UnsafeMutablePointer<aurient_name>!, _ capacity: Int, _ elementSize: Int,
  _ count: UnsafeMutablePointer<Int>!
) -> aurient_status {
  call {
    try give([], to: devices, capacity: capacity, elementSize: elementSize, count: count)
    try HRTFCatalogue().prepare(latency: nil)
    let names = try AudioDevices.list().map { name($0.name, isStandard: $0.isDefault) }
    try give(names, to: devices, capacity: capacity, elementSize: elementSize, count: count)
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_list_data_sets(
  _ dataSets: UnsafeMutablePointer<aurient_name>!, _ capacity: Int, _ elementSize: Int,
  _ count: UnsafeMutablePointer<Int>!
) -> aurient_status {
  call {
    try give([], to: dataSets, capacity: capacity, elementSize: elementSize, count: count)
    let catalogue = HRTFCatalogue()
    let names =
      catalogue.entries.map { name($0.name, isStandard: true) }
      + (try catalogue.ownDataSets().map { name($0, isStandard: false) })
    try give(names, to: dataSets, capacity: capacity, elementSize: elementSize, count: count)
  }
}

private func name(_ text: String, isStandard: Bool) -> aurient_name {
  var name = aurient_name()
  put(text, into: &name.name)
  name.is_standard = isStandard ? 1 : 0
  return name
}

/// Tells a caller how far a call has come, not more often than it cares to know.
struct Progress {
  private let function: aurient_progress?
  private let context: UnsafeMutableRawPointer?
  private var next: Timestamp?

  /// Seconds between two tellings.
  private static let interval = 0.1

  init(_ function: aurient_progress?, _ context: UnsafeMutableRawPointer?) {
    self.function = function
    self.context = context
  }

  /// Tells a fraction.
  ///
  /// - Throws: `Fault` if the caller wants no more.
  mutating func tell(_ fraction: Double) throws(Fault) {
    guard let function else { return }
    let now = MonotonicClock.now
    guard next.map({ now >= $0 }) ?? true || fraction >= 1 else { return }
    next = now + Self.interval
    guard function(min(1, max(0, fraction)), context) == 0 else {
      throw Fault(AURIENT_CANCELLED, "cancelled")
    }
  }
}
