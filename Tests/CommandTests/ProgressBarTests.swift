import Glibc
import TestSupport
import Testing

@testable import aurient

@Suite struct ProgressBarTests {
  private let clear = "\r\u{1B}[K"

  @Test func showsAndClearsItsLine() throws {
    let terminal = PseudoTerminal(columns: 50)
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
    let terminal = PseudoTerminal(columns: 80)
    let bar = ProgressBar(descriptor: terminal.descriptor, delay: .zero)
    let start = ContinuousClock.now
    for step in 0..<100_000 { bar.update(Double(step) / 100_000) }
    let most = 1 + Int((ContinuousClock.now - start) / .milliseconds(100))
    #expect(terminal.output().split(separator: "[K").count - 1 <= most)
  }

  @Test func shortTasksShowNothing() throws {
    let terminal = PseudoTerminal(columns: 80)
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
