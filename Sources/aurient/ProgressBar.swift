import Glibc

/// A line on a terminal that shows how much of a long task is done and how long the rest will take.
///
/// Nothing is shown where standard error is no terminal, nor in the first two seconds. The line is
/// cleared by `deinit`.
final class ProgressBar {
  private let descriptor: Int32
  private let start = ContinuousClock.now
  private var nextDrawing: ContinuousClock.Instant
  private var threshold = 0.0
  private var isShown = false

  /// A bar on the terminal `descriptor` that appears after `delay`.
  init(descriptor: Int32 = STDERR_FILENO, delay: Duration = .seconds(2)) {
    self.descriptor = descriptor
    nextDrawing = start + delay
    if isatty(descriptor) == 0 { threshold = .infinity }
  }

  deinit {
    if isShown { draw("\r\u{1B}[K") }
  }

  /// Shows that `fraction` in [0, 1] of the task is done; may be called as often as one likes.
  func update(_ fraction: Double) {
    guard fraction >= threshold else { return }
    threshold = fraction + 0.0005
    let now = ContinuousClock.now
    guard now >= nextDrawing else { return }
    nextDrawing = now + .milliseconds(100)
    isShown = true
    draw("\r\u{1B}[K" + Self.line(fraction, elapsed: now - start, width: terminalWidth(descriptor)))
  }

  /// The line for a terminal of `width` columns; the last is left free.
  static func line(_ fraction: Double, elapsed: Duration, width: Int) -> String {
    let fraction = max(0, min(1, fraction))
    let percent = "\(Int(fraction * 100)) %"
    let left = fraction > 0 ? elapsed / .seconds(1) * (1 - fraction) / fraction : 0
    let seconds = Int(min(left.rounded(), 99 * 3600))
    let time =
      seconds < 3600
      ? "\(seconds / 60):\(twoDigits(seconds % 60))"
      : "\(seconds / 3600):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    let text = String(repeating: " ", count: 5 - percent.count) + percent + "  \(time) left"
    let room = min(60, width - 1 - text.count - 3)
    guard room >= 10 else { return String(text.prefix(max(0, width - 1))) }
    let done = Int(fraction * Double(room))
    return "[" + String(repeating: "#", count: done)
      + String(repeating: "-", count: room - done) + "] " + text
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private func draw(_ text: String) {
    var text = text
    // A terminal that cannot be written to shows no progress; the task goes on.
    text.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
  }
}

/// The columns of a terminal; 80 where it doesn't tell.
func terminalWidth(_ descriptor: Int32) -> Int {
  var size = winsize()
  return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    ? Int(size.ws_col) : 80
}
