import Files
import Geometry
import Glibc
import HeadTracking
import MotionLog
import Synchronization
import TestSupport
import Testing

@Suite struct AirPodsMotionSensorTests {
  final class Observer: AirPodsMotionObserver {
    let seen = Mutex<[String]>([])
    let labels = Mutex<Set<String>>([])
    func onDataChanged(data: MotionRecord) {
      seen.withLock { $0.append("data") }
      labels.withLock { _ = $0.insert(data.label) }
    }
    func onConnected() { seen.withLock { $0.append("connected") } }
    func onDisconnected() { seen.withLock { $0.append("disconnected") } }
    func count(_ what: String) -> Int { seen.withLock { $0.count { $0 == what } } }
  }

  final class Heard: Sendable {
    let all = Mutex<[MotionBroadcast]>([])
    func actions() -> [MotionBroadcast.Action] { all.withLock { $0.map(\.action) } }
  }

  private func wait(_ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<1000 {
      if try condition() { return true }
      usleep(5000)
    }
    return false
  }

  private func log(_ folder: borrowing TemporaryFolder) -> String {
    let rows = (0..<200).map { "\(1_790_000_000_000 + $0 * 20),0,0,0,1,\($0 < 100 ? 1 : 2)" }
    return folder.file(
      "head.csv",
      "timestamp,quaternionX,quaternionY,quaternionZ,quaternionW,headphonePlacement\n"
        + rows.joined(separator: "\n"))
  }

  @Test func recordsAndTells() throws {
    let folder = TemporaryFolder()
    let (path, source) = (folder.path + "/log.sqlite", log(folder))
    let (observer, heard) = (Observer(), Heard())
    var config = AirPodsMotionSensor.Config()
    config.sensorObserver = observer
    config.dbType = .sqlite
    config.dbPath = path
    config.label = "sitting"
    config.deviceId = "bud"
    config.period = 0.1 / 60
    let sensor = AirPodsMotionSensor(config) {
      LogMotionSource(try HeadLog(motionLog: source, withReadings: true))
    }
    sensor.broadcaster.addObserver { broadcast in heard.all.withLock { $0.append(broadcast) } }
    try sensor.start()
    // A second start is none.
    try sensor.start()
    #expect(wait { observer.count("disconnected") == 1 })
    // The buffer goes to the database after the period, while the sensor runs.
    #expect(try wait { try records(path).count == 200 })
    try sensor.stop()
    #expect(observer.count("data") == 200 && observer.count("connected") == 1)
    #expect(heard.actions().first == .start && heard.actions().last == .stop)
    #expect(heard.actions().filter { $0 == .start }.count == 1)
    for action in [MotionBroadcast.Action.connected, .disconnected, .dataChanged] {
      #expect(heard.actions().contains(action))
    }
    let stored = try records(path)
    #expect(stored.allSatisfy { $0.label == "sitting" && $0.deviceId == "bud" && $0.os == "Linux" })
    #expect(stored.map(\.headphonePlacement) == (0..<200).map { $0 < 100 ? 1 : 2 })
    let events = try openMotionLog(path: path).trackingEvents()
    #expect(
      events.map(\.kind) == [.started, .connected, .placement, .placement, .disconnected, .stopped])
    #expect(events[3].record == 101 && events[3].placement == 2)
    #expect(events[3].time == Timestamp(milliseconds: 1_790_000_002_000))
    // The start is the wall clock's, now.
    #expect(abs(SystemClock.now.seconds(since: events[0].time)) < 60)
  }

  @Test func obeysBroadcasts() throws {
    let folder = TemporaryFolder()
    let source = log(folder)
    let observer = Observer()
    var config = AirPodsMotionSensor.Config()
    config.sensorObserver = observer
    let broadcaster = MotionBroadcaster()
    let sensor = AirPodsMotionSensor(config, broadcaster: broadcaster) {
      LogMotionSource(try HeadLog(motionLog: source), speed: 1)
    }
    broadcaster.send(MotionBroadcast(.start))
    #expect(wait { observer.count("data") > 5 })
    broadcaster.send(
      MotionBroadcast(.setLabel, extras: [MotionBroadcast.extraLabel: "walking"]))
    #expect(wait { observer.labels.withLock { $0.contains("walking") } })
    #expect(observer.labels.withLock { $0.contains("") })
    broadcaster.send(MotionBroadcast(.stop))
    let count = observer.count("data")
    usleep(100_000)
    #expect(observer.count("data") == count)
    // And once more.
    broadcaster.send(MotionBroadcast(.start))
    #expect(wait { observer.count("data") > count })
    try sensor.stop()
  }

  @Test func theNamesAreThoseOfTheDocumentation() {
    #expect(
      MotionBroadcast.Action.allCases.map(\.rawValue) == [
        "ACTION_AWARE_AIRPODS_MOTION", "ACTION_AWARE_AIRPODS_MOTION_START",
        "ACTION_AWARE_AIRPODS_MOTION_STOP", "ACTION_AWARE_AIRPODS_MOTION_CONNECTED",
        "ACTION_AWARE_AIRPODS_MOTION_DISCONNECTED", "ACTION_AWARE_AIRPODS_MOTION_SYNC",
        "ACTION_AWARE_AIRPODS_MOTION_SYNC_COMPLETION", "ACTION_AWARE_AIRPODS_MOTION_SET_LABEL",
      ])
    #expect(MotionBroadcast.extraLabel == "EXTRA_LABEL")
  }

  @Test func broadcastsAsAStream() async throws {
    let broadcaster = MotionBroadcaster()
    var stream = broadcaster.broadcasts().makeAsyncIterator()
    broadcaster.send(MotionBroadcast(.sync))
    #expect(await stream.next() == MotionBroadcast(.sync))
  }

  @Test func syncsWhatHasCome() throws {
    let folder = TemporaryFolder()
    let (path, source) = (folder.path + "/log.sqlite", log(folder))
    let host = try MotionSyncTests.Host("200", in: folder)
    let heard = Heard()
    var config = AirPodsMotionSensor.Config()
    config.dbType = .sqlite
    config.dbPath = path
    config.dbHost = "http://127.0.0.1:\(host.port)"
    config.period = 60
    let observer = Observer()
    config.sensorObserver = observer
    let sensor = AirPodsMotionSensor(config) { LogMotionSource(try HeadLog(motionLog: source)) }
    sensor.broadcaster.addObserver { broadcast in heard.all.withLock { $0.append(broadcast) } }
    try sensor.start()
    #expect(wait { observer.count("disconnected") == 1 })
    // Nothing is stored before the period has passed, unless that is forced.
    #expect(try records(path).isEmpty)
    sensor.sync(force: true)
    #expect(wait { heard.actions().contains(.syncCompletion) })
    #expect(
      heard.all.withLock { $0.last { $0.action == .syncCompletion }?.extras }
        == [MotionBroadcast.extraStatus: "true"])
    #expect(try host.requests().flatMap(\.timestamps).count == 200)
    try sensor.stop()
  }

  @Test func aFaultySourceIsToldByStop() throws {
    let folder = TemporaryFolder()
    let source = folder.file("head.csv", "timestamp,yaw\n1,0\n2,x\n")
    var config = AirPodsMotionSensor.Config()
    config.dbType = .sqlite
    config.dbPath = folder.path + "/log.sqlite"
    let sensor = AirPodsMotionSensor(config) { try LogMotionSource(path: source) }
    try sensor.start()
    usleep(100_000)
    let error = #expect(throws: FileError.self) { try sensor.stop() }
    #expect(error?.place == "line 3, column yaw")
    #expect(try records(config.dbPath).count == 1)
    // A source that can't be made is told at once.
    let none = AirPodsMotionSensor(config) { try LogMotionSource(path: source + "x") }
    #expect(throws: FileError.self) { try none.start() }
  }

  /// While another program holds the database what comes is kept.
  @Test func aLockedDatabaseIsWaitedFor() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    let recorder = MotionRecorder(
      into: try MotionStore(path: path), period: 0, label: "", deviceId: "d", source: "test",
      sampleClock: "test")
    let frame = MotionFrame(time: Timestamp(nanoseconds: 5), attitude: .identity)
    recorder.take(.frame(frame))
    let other = Other(path)
    try other.run("BEGIN IMMEDIATE")
    #expect(throws: FileError.self) { try recorder.flush() }
    recorder.take(.frame(frame))
    #expect(recorder.pendingCount == 2 && recorder.storedCount == 0 && !recorder.isDue)
    try other.run("COMMIT")
    try recorder.flush()
    #expect(recorder.storedCount == 2)
    #expect(try records(path).count == 2)
  }
}
