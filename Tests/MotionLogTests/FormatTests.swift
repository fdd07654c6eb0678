import Files
import HeadTracking
import MotionLog
import TestSupport
import Testing

/// What is written reads back the same, and what others write is understood.
@Suite struct FormatTests {
  @Test(arguments: [MotionLogFormat.sqlite, .csv, .jsonl])
  func everyBitComesBack(format: MotionLogFormat) throws {
    let folder = TemporaryFolder()
    let hard = hardRecords()
    let path = folder.path + "/log"
    try write(hard, to: path, format)
    let read = try records(path)
    #expect(read.count == hard.count)
    for (index, (old, new)) in zip(hard, read).enumerated() where old != new {
      Issue.record("record \(index): \(old) became \(new)")
    }
  }

  @Test func throughEveryFormatInTurn() throws {
    let folder = TemporaryFolder()
    var current = hardRecords()
    for (index, format) in [MotionLogFormat.csv, .sqlite, .jsonl, .sqlite, .csv].enumerated() {
      try write(current, to: "\(folder.path)/\(index)", format)
      current = try records("\(folder.path)/\(index)")
    }
    #expect(current == hardRecords())
  }

  /// Gravity of an AirPod as Sensor Logger writes it: a number of G times 9.80665.
  @Test func sensorLoggerComesBack() throws {
    var random = SeededGenerator(seed: 2)
    let folder = TemporaryFolder()
    let path = folder.path + "/Headphone.csv"
    let names = [
      "time", "seconds_elapsed", "rotationRateX", "rotationRateY", "rotationRateZ", "gravityX",
      "gravityY", "gravityZ", "accelerationX", "accelerationY", "accelerationZ", "quaternionW",
      "quaternionX", "quaternionY", "quaternionZ", "roll", "pitch", "yaw", "devicelocation",
    ]
    var text = names.joined(separator: ",") + "\n"
    for index in 0..<500 {
      let time = 1_790_000_000_123_456_789 + index * 20_123_457
      var fields = ["\(time)", "\(Double(20_123_457 * index + 35_945_068) / 1e9)"]
      for column in 2..<18 {
        let value = Double.random(in: -1...1, using: &random)
        fields.append("\(5..<8 ~= column ? value * 9.80665 : value)")
      }
      text += (fields + [index < 250 ? "left" : "right"]).joined(separator: ",") + "\n"
    }
    _ = folder.file("Headphone.csv", text)
    let database = folder.path + "/log.sqlite"
    let reader = try openMotionLog(path: path)
    try MotionStore.write(to: database) { store in
      let report = try importRecords(from: reader, into: store)
      #expect(
        report
          == {
            var all = MotionCopyReport(); all.count = 500; return all
          }())
    }
    let stored = try openMotionLog(path: database)
    let events = try stored.trackingEvents()
    // The recording started before the first sample, and the right earbud took over half-way.
    #expect(events.map(\.kind) == [.started, .placement, .placement])
    #expect(events[0].time == Timestamp(nanoseconds: 1_790_000_000_123_456_789 - 35_945_068))
    #expect(events[2].placement == 2 && events[2].record == 251)
    let out = folder.path + "/back.csv"
    let writer = try MotionTextWriter(
      path: out, format: .sensorLogger, hasNanoseconds: true, start: { events[0].time })
    _ = try copyRecords(from: stored, to: writer.append)
    try writer.commit()
    let back = String(decoding: try InputFile.bytes(path: out, limit: 1 << 24), as: UTF8.self)
    #expect(back == text)
  }

  @Test func gravityOfSensorLoggerIsInMetres() throws {
    let folder = TemporaryFolder()
    let path = folder.file(
      "h.csv", "time,yaw,gravityZ,accelerationZ\n1790000000000000000,0,-9.80665,0.25\n")
    let record = try #require(try records(path).first)
    #expect(record[.gravityZ] == -1 && record[.userAccZ] == 0.25)
  }

  struct Computed: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    var hasMatrix = true
    var hasQuaternion = true
  }

  static let quaternion =
    "0.16849094096611827,-0.058856783978165426,0.22894864274603222,0.9569374069273544"

  @Test(arguments: [
    Computed(
      testDescription: "from the quaternion",
      text:
        "timestamp,quaternionX,quaternionY,quaternionZ,quaternionW\n1790000000000,\(quaternion)\n"),
    Computed(
      testDescription: "from the angles",
      text: "timestamp,yaw,pitch,roll\n1790000000000,0.5,0.3,-0.2\n"),
    Computed(
      testDescription: "not from the yaw", text: "timestamp,yaw\n1790000000000,0.5\n",
      hasMatrix: false, hasQuaternion: false),
    Computed(
      testDescription: "JSON",
      text: "{\"timestamp\":1790000000000,\"yaw\":0.5,\"pitch\":0.3,\"roll\":-0.2}"),
    Computed(
      testDescription: "null stays null",
      text: "{\"timestamp\":1790000000000,\"yaw\":0.5,\"pitch\":null,\"roll\":-0.2}",
      hasMatrix: false, hasQuaternion: false),
  ])
  func whatIsMissingIsComputed(_ log: Computed) throws {
    let folder = TemporaryFolder()
    let record = try #require(try records(folder.file("log", log.text)).first)
    #expect(abs(try #require(record[.yaw]) - 0.5) < 1e-15)
    #expect((record[.rotationMatrixM11] != nil) == log.hasMatrix)
    #expect((record[.quaternionX] != nil) == log.hasQuaternion)
    #expect(record[.gravityX] == nil && record.headphonePlacement == nil)
    guard log.hasMatrix else { return }
    #expect(abs(try #require(record[.pitch]) - 0.3) < 1e-15)
    for (index, expected) in MotionRecordTests.matrix.enumerated() {
      let field = try #require(
        MotionField(rawValue: MotionField.rotationMatrixM11.rawValue + index))
      #expect(abs(try #require(record[field]) - expected) < 2e-15, "\(field.name)")
    }
  }

  @Test func columnsAndKeysInAnyOrder() throws {
    let folder = TemporaryFolder()
    let texts = [
      "x,label,yaw,timestamp,deviceId,headphonePlacement,jsonVersion\n7,a,0.5,-5,d,2,1\n",
      "{\"deviceId\":\"d\",\"x\":[{\"yaw\":[1]},\"}\"],\"headphonePlacement\":2,\"timestamp\":-5,"
        + "\"label\":\"\\u0061\",\"yaw\":5e-1,\"jsonVersion\":1.0}\r\n\n",
    ]
    for text in texts {
      let record = try #require(try records(folder.file("log", text)).first)
      #expect(record.timestamp == -5 && record.headphonePlacement == 2)
      #expect(record.label == "a" && record.deviceId == "d" && record[.yaw] == 0.5)
    }
  }

  @Test func selection() throws {
    let folder = TemporaryFolder()
    let all = (0..<100).map {
      record(1_790_000_000_000 + 10 * ($0 * 37 % 100), label: $0 % 2 == 0 ? "a" : "b")
    }
    let from = try #require(Timestamp(milliseconds: 1_790_000_000_200))
    let to = try #require(Timestamp(milliseconds: 1_790_000_000_500))
    let selection = MotionSelection(from: from, to: to, label: "a", deviceId: "d")
    let expected = all.filter {
      $0.label == "a" && 1_790_000_000_200..<1_790_000_000_500 ~= $0.timestamp
    }
    #expect(expected.count == 15)
    for format in [MotionLogFormat.sqlite, .csv, .jsonl] {
      try write(all, to: "\(folder.path)/\(format)", format)
      let read = try records("\(folder.path)/\(format)", selection)
      let order = format == .sqlite ? expected.sorted { $0.timestamp < $1.timestamp } : expected
      #expect(read == order)
    }
  }

  @Test(arguments: [MotionLogFormat.sqlite, .csv, .jsonl, .sensorLogger])
  func servesAsHeadLog(format: MotionLogFormat) throws {
    let folder = TemporaryFolder()
    let walk = "\(projectFolder)/Examples/walk/Headphone.csv"
    let path = folder.path + "/log"
    try write(try records(walk), to: path, format)
    var log = try HeadLog(motionLog: path)
    var reference = try HeadLog(path: walk)
    var count = 0
    while let expected = try reference.next() {
      var frame = try #require(try log.next())
      // Those of CSV have no readings, which nobody reads there.
      frame.readings = nil
      #expect(frame == expected)
      count += 1
    }
    #expect(count == 9702)
    #expect(try log.next() == nil)
  }

  @Test func aHeadLogHasReadings() throws {
    let folder = TemporaryFolder()
    var full = record(1_790_000_000_000)
    full[.gravityX] = 0.5
    full[.gravityY] = 0.25
    full[.gravityZ] = -1
    full.headphonePlacement = 1
    try write([full], to: folder.path + "/log.csv", .csv)
    var log = try HeadLog(motionLog: folder.path + "/log.csv", withReadings: true)
    let readings = try #require(try log.next()?.readings)
    #expect(readings.gravity == [0.5, 0.25, -1] && readings.placement == .left)
    #expect(readings.rotationRate == nil)
  }

  @Test func aDatabaseComesInTheOrderOfTime() throws {
    let folder = TemporaryFolder()
    try write([record(1020), record(1000), record(1010)], to: folder.path + "/log", .sqlite)
    var log = try HeadLog(motionLog: folder.path + "/log")
    var times: [Int64] = []
    while let frame = try log.next() { times.append(frame.time.nanoseconds / 1_000_000) }
    #expect(times == [1000, 1010, 1020])
  }

  @Test func twoDevicesAreNoHeadLog() throws {
    let folder = TemporaryFolder()
    var other = record(1010)
    other.deviceId = "e"
    try write([record(1000), other], to: folder.path + "/log", .sqlite)
    var log = try HeadLog(motionLog: folder.path + "/log")
    #expect(try log.next() != nil)
    let error = #expect(throws: FileError.self) { try log.next() }
    #expect(error?.cause.hasPrefix("is of device \"e\", those before of \"d\"") == true)
  }
}
