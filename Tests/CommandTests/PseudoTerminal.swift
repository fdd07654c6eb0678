import Glibc
import Testing

/// A terminal without a screen: what is written to `descriptor` can be read back.
final class PseudoTerminal {
  let controller: Int32
  let descriptor: Int32

  init(columns: UInt16) throws {
    controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // TIOCSPTLCK and TIOCGPTN of Linux's <asm-generic/ioctls.h>, macros that Swift cannot read.
    var lock: Int32 = 0
    var number: UInt32 = 0
    try #require(ioctl(controller, 0x4004_5431, &lock) == 0)
    try #require(ioctl(controller, 0x8004_5430, &number) == 0)
    descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(descriptor >= 0)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0)
  }

  deinit {
    close(descriptor)
    close(controller)
  }

  func output() -> String { waiting(controller) }
}

/// What can be read at once.
func waiting(_ descriptor: Int32) -> String {
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(descriptor, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}
