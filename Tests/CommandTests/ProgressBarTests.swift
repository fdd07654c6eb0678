import Glibc
import Testing

@testable import aurient

/// A terminal without a screen: what is written to `descriptor` can be read back.
private final class PseudoTerminal {
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
private func waiting(_ descriptor: Int32) -> String {
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(descriptor, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}

@Suite struct ProgressBarTests {
  private let clear = "\r\u{1B}[K"

  @Test func showsAndClearsItsLine() throws {
    let terminal = try PseudoTerminal(columns: 50)
    do {
      let bar = ProgressBar(descriptor: terminal.descriptor, delay: .zero)
      bar.update(0.5)
      let shown = terminal.output()
      #expect(shown.hasPrefix(clear + "[##"))
      #expect(shown.contains("  50 %  0:00 left"))
      #expect(shown.unicodeScalars.count - clear.unicodeScalars.count <= 49)
    }
    #expect(terminal.output() == clear)
  }

  @Test func isDrawnTenTimesASecondAtMost() throws {
    let terminal = try PseudoTerminal(columns: 80)
    let bar = ProgressBar(descriptor: terminal.descriptor, delay: .zero)
    let start = ContinuousClock.now
    for step in 0..<100_000 { bar.update(Double(step) / 100_000) }
    let most = 1 + Int((ContinuousClock.now - start) / .milliseconds(100))
    #expect(terminal.output().split(separator: "[K").count - 1 <= most)
  }

  @Test func shortTasksShowNothing() throws {
    let terminal = try PseudoTerminal(columns: 80)
    do {
      let bar = ProgressBar(descriptor: terminal.descriptor)
      for step in 0...1000 { bar.update(Double(step) / 1000) }
    }
    #expect(terminal.output() == "")
  }

  @Test func pipesShowNothing() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    do {
      let bar = ProgressBar(descriptor: ends[1], delay: .zero)
      bar.update(0.5)
    }
    #expect(waiting(ends[0]) == "")
    for end in ends { close(end) }
  }

  @Test(
    arguments: [
      (0.25, 30, 40, "[#####---------------]  25 %  1:30 left"),
      (0, 30, 40, "[--------------------]   0 %  0:00 left"),
      (1, 30, 40, "[####################] 100 %  0:00 left"),
      (1.5, 30, 40, "[####################] 100 %  0:00 left"),
      (-1, 30, 40, "[--------------------]   0 %  0:00 left"),
      (0.01, 100, 40, "[-----------------]   1 %  2:45:00 left"),
      (0.5, 59, 20, " 50 %  0:59 left"),
      (0.5, 59, 8, " 50 %  "),
      (0.5, 59, 1, ""), (0.5, 59, 0, ""),
      (1e-300, 9, 40, "[----------------]   0 %  99:00:00 left"),
    ] as [(Double, Int, Int, String)])
  func line(fraction: Double, seconds: Int, width: Int, expected: String) {
    let line = ProgressBar.line(fraction, elapsed: .seconds(seconds), width: width)
    #expect(line == expected)
  }
}
