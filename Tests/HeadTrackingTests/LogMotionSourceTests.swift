import Files
import Synchronization
import TestSupport
import Testing

@testable import HeadTracking

@Suite struct LogMotionSourceTests {
  /// Frames at 0, 40, 80 ms, then 2.05 s later two more.
  static let aware = """
    timestamp,quaternionX,quaternionY,quaternionZ,quaternionW
    1790000000000,0,0,0,1
    1790000000040,0,0,0,1
    1790000000080,0,0,0.6,0.8
    1790000002130,0,0,0,1
    1790000002170,0,0,0,1

    """
  /// The same as Sensor Logger writes it.
  static let sensorLogger = """
    quaternionW,seconds_elapsed,quaternionZ,quaternionX,quaternionY,time
    1,0,0,0,0,1790000000000000000
    1,0.04,0,0,0,1790000000040000000
    0.8,0.08,0.6,0,0,1790000000080000000
    1,2.13,0,0,0,1790000002130000000
    1,2.17,0,0,0,1790000002170000000

    """

  static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: (1_790_000_000_000 + milliseconds) * 1_000_000)
  }

  /// In words, with the log's milliseconds.
  static func word(_ event: MotionEvent) -> String {
    let milliseconds = event.time.map { ($0.nanoseconds - time(0).nanoseconds) / 1_000_000 }
    return switch event {
    case .connected: "connected \(milliseconds ?? -1)"
    case .frame: "frame \(milliseconds ?? -1)"
    case .disconnected: "disconnected \(milliseconds ?? -1)"
    case .ended: "ended"
    }
  }

  @Test(arguments: [aware, sensorLogger]) func tellsFramesAndConnections(_ log: String) throws {
    let folder = TemporaryFolder()
    var source = try LogMotionSource(path: folder.file("head.csv", log))
    var words: [String] = []
    while let event = try source.next(), words.last != "ended" { words.append(Self.word(event)) }
    #expect(
      words == [
        "connected 0", "frame 0", "frame 40", "frame 80", "disconnected 2080", "connected 2130",
        "frame 2130", "frame 2170", "disconnected 2170", "ended",
      ])
    #expect(source.counts.frames == 5)
    let end = try source.next()
    #expect(end == .ended)
  }

  /// A clock that is moved by hand.
  final class Clock: Sendable {
    let milliseconds = Atomic(0)
    var now: Timestamp {
      Timestamp(nanoseconds: Int64(milliseconds.load(ordering: .relaxed)) * 1_000_000)
    }
  }

  @Test(arguments: [(1.0, 1), (4, 4), (0.5, 1)])
  func keepsPaceWithTheClock(_ speed: Double, _ step: Int) throws {
    let folder = TemporaryFolder()
    let clock = Clock()
    var source = try LogMotionSource(
      path: folder.file("head.csv", Self.aware), speed: speed, clock: { clock.now })
    var due: [String: Int] = [:]
    var hasEnded = false
    while !hasEnded {
      while let event = try source.next(), !hasEnded {
        hasEnded = event == .ended
        due[Self.word(event)] = clock.milliseconds.load(ordering: .relaxed)
      }
      clock.milliseconds.add(1, ordering: .relaxed)
      try #require(clock.milliseconds.load(ordering: .relaxed) < 10_000)
    }
    for milliseconds in [0, 40, 80, 2130, 2170] {
      let expected = (Double(milliseconds) / speed).rounded(.up)
      #expect(due["frame \(milliseconds)"] == Int(expected))
    }
  }

  @Test func aFaultIsThrown() throws {
    let folder = TemporaryFolder()
    let path = folder.file(
      "head.csv", "timestamp,yaw\n1790000000000,0\n1790000000040,nan\n")
    var source = try LogMotionSource(path: path)
    let first = try [source.next(), source.next()]
    #expect(first.compactMap(\.self).map(Self.word) == ["connected 0", "frame 0"])
    var failure: FileError?
    do { _ = try source.next() } catch { failure = error }
    #expect(failure?.place == "line 3, column yaw")
  }

  /// Fed from events, the tracker says what it says when fed from the log.
  @Test(.enabled(if: Walk.recorded != nil)) func agreesWithTheReplay() throws {
    let walk = try #require(Walk.recorded)
    var replay = try HeadReplay(
      headLog: walk.head, phoneHeadings: ReferenceSeries(phoneLog: walk.phone))
    var source = try LogMotionSource(path: walk.head)
    var headings = try ReferenceSeries(phoneLog: walk.phone)
    var tracker = HeadTracker()
    tracker.becomeAvailable()
    tracker.start()
    var frames = 0
    while let event = try source.next(), event != .ended {
      switch event {
      case .connected: tracker.connect()
      case .disconnected: tracker.disconnect()
      case .ended: break
      case .frame(let frame):
        let pose = tracker.update(
          frame, phoneHeading: headings.reading(at: frame.time), course: nil)
        let expected = try replay.next()
        #expect(pose == expected)
        frames += 1
      }
    }
    #expect(frames == 9702)
  }
}
