import Files
import Glibc
import HeadTracking

/// Takes the events of a motion source, tracks the head, and prints how it stands.
struct HeadWatch {
  enum Output { case text, json }

  private let output: Output
  private let interval: Double
  private let duration: Double
  private var references: HeadReferences
  private let isTerminal = isatty(STDOUT_FILENO) != 0

  private var tracker: HeadTracker
  private var state = HeadWatchState()
  private var start: Timestamp?
  private var last: Timestamp?
  private var hasEnded = false
  private var nextPrint = 0.0
  private var rateStart = (time: 0.0, frames: 0)
  private var reported: Set<MotionFault> = []

  /// - Parameters:
  ///   - interval: seconds between two lines; nil for the output's usual one.
  ///   - duration: seconds of the source's time after which to end.
  ///   - tracker: An unused one.
  init(
    output: Output, interval: Double?, duration: Double?, references: HeadReferences,
    tracker: HeadTracker
  ) {
    self.tracker = tracker
    self.output = output
    self.interval = interval ?? (output == .json ? 0 : isTerminal ? 0.1 : 1)
    self.duration = duration ?? .infinity
    self.references = references
    self.tracker.becomeAvailable()
    self.tracker.start()
    state.status = self.tracker.status
  }

  /// Watches a log to its end.
  ///
  /// - Throws: `FileError` for faults of the log, and if nothing else is of its time.
  consuming func run(
    _ source: consuming LogMotionSource, _ name: String, _ interrupt: Interrupt
  ) throws {
    try watch(&source, name, interrupt) { nil }
    if hasEnded, let start, let last { try references.checkOverlap(name, start...last) }
  }

  /// Watches a port.
  ///
  /// - Throws: `MotionSourceError` if no motion came.
  consuming func run(
    _ source: consuming NetworkMotionSource, _ name: String, _ interrupt: Interrupt
  ) throws {
    start = MonotonicClock.now
    try watch(&source, name, interrupt) { MonotonicClock.now }
  }

  /// - Parameter clock: the source's time where none of its events tells it.
  private mutating func watch<Source: MotionSource & ~Copyable>(
    _ source: inout Source, _ name: String, _ interrupt: Interrupt, clock: () -> Timestamp?
  ) throws {
    loop: while state.seconds < duration {
      let event = try source.next()
      var isDue = false
      switch event {
      case .ended:
        hasEnded = true
        break loop
      case .connected: tracker.connect()
      case .disconnected:
        tracker.disconnect()
        state.pose = nil
        isDue = true
      case .frame(let frame):
        state.pose = tracker.update(
          frame, phoneHeading: references.phoneHeadings.reading(at: frame.time),
          course: references.courses.reading(at: frame.time))
        isDue = interval == 0
      case nil: if interrupt.comes(within: 5) { break loop }
      }
      state.status = tracker.status
      if let now = event?.time ?? clock() {
        let start = start ?? now
        self.start = start
        last = now
        state.seconds = now.seconds(since: start)
      }
      updateRate(source.counts.frames)
      if case .connected = event { continue }
      // Without headphones there is nothing new for a program.
      let isTime = interval > 0 && state.seconds >= nextPrint
      if isDue || isTime && (output == .text || state.pose != nil) {
        nextPrint = state.seconds + interval
        try report(source.counts, of: source, name)
        try print(ending: isTerminal && output == .text ? "" : "\n")
        if interrupt.comes() { break loop }
      } else if event == nil {
        try report(source.counts, of: source, name)
      }
    }
    try report(source.counts, of: source, name)
    if isTerminal, output == .text { try print(ending: "\n") }
    guard state.counts.frames > 0 else { throw MotionSourceError(name, "no head motion came") }
  }

  /// Frames a second, over about the last second.
  private mutating func updateRate(_ frames: Int) {
    let elapsed = state.seconds - rateStart.time
    guard elapsed >= 1 else { return }
    state.rate = Double(frames - rateStart.frames) / elapsed
    rateStart = (state.seconds, frames)
  }

  private func print(ending: String) throws {
    switch output {
    case .json: try printOut(state.json + "\n")
    case .text where isTerminal:
      let line = state.text.prefix(max(0, terminalWidth(STDOUT_FILENO) - 1))
      try printOut("\r\u{1B}[K" + line + ending)
    case .text: try printOut(state.text + ending)
    }
  }

  /// Tells each cause of a loss when it occurs for the first time.
  private mutating func report<Source: MotionSource & ~Copyable>(
    _ counts: MotionSourceCounts, of source: borrowing Source, _ name: String
  ) throws {
    state.counts = counts
    for fault in MotionFault.allCases where counts.dropped[fault] != nil {
      guard reported.insert(fault).inserted else { continue }
      if isTerminal, output == .text { try printOut("\r\u{1B}[K") }
      let example = source.example(of: fault).map { ", \($0)" } ?? ""
      printError("aurient: \(name): dropped \(fault.cause)\(example); others are counted".onOneLine)
    }
  }
}
