import Glibc

/// A terminal without a screen: what is written to `descriptor` can be read back from `controller`, and
/// the other way round.
public final class PseudoTerminal {
  /// The end of whoever looks at the screen.
  public let controller: Int32
  /// The end of the program.
  public let descriptor: Int32
  /// The program's end as a device.
  public let path: String

  /// A terminal so wide.
  public init(columns: UInt16 = 80) {
    controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // TIOCSPTLCK and TIOCGPTN of Linux's <asm-generic/ioctls.h>, macros that Swift cannot read.
    var lock: Int32 = 0
    var number: UInt32 = 0
    precondition(ioctl(controller, 0x4004_5431, &lock) == 0, "no pseudo-terminal")
    precondition(ioctl(controller, 0x8004_5430, &number) == 0, "no pseudo-terminal")
    path = "/dev/pts/\(number)"
    descriptor = open(path, O_RDWR | O_NOCTTY)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    precondition(ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0, "no pseudo-terminal")
  }

  deinit {
    close(descriptor)
    close(controller)
  }

  /// What is on the screen and has not been read.
  public func output() -> String { waiting(controller) }
}

/// What can be read at once.
public func waiting(_ descriptor: Int32) -> String {
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(descriptor, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}
