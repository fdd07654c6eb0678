import Files
import FoundationEssentials
import Glibc
import MotionLog
import TestSupport
import Testing

/// Records sent to a real HTTP server that fails in every way.
@Suite struct MotionSyncTests {
  struct Request: Decodable {
    struct Body: Decodable {
      struct Record: Decodable {
        var timestamp: Int64
        var deviceId: String
        var label: String
        var yaw: Double?
        var gravityX: Double?
      }
      var deviceId: String
      var data: [Record]
    }
    var path: String?
    var type: String?
    var body: Body?
    var behaviour: String

    var timestamps: [Int64] { body?.data.map(\.timestamp) ?? [] }
  }

  /// The server in a process of its own.
  final class Host {
    private let process: pid_t
    private let output: String
    let port: Int

    init(_ behaviours: String, in folder: borrowing TemporaryFolder, tls: String = "") throws {
      output = "\(folder.path)/requests-\(UInt32.random(in: 0...(.max)))"
      let script = "\(projectFolder)/Tests/Fixtures/motion-host.py"
      let command = "exec python3 '\(script)' '\(behaviours)' \(tls) >'\(output)' 2>'\(output).err'"
      var arguments = ["sh", "-c", command].map { (word: String) in strdup(word) } + [nil]
      defer { for argument in arguments { free(argument) } }
      var process: pid_t = 0
      try #require(posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ) == 0)
      self.process = process
      var port: Int?
      for _ in 0..<1000 where port == nil {
        usleep(10_000)
        port = (try? Self.lines(output))?.first.flatMap { Int($0) }
      }
      self.port = try #require(port, "the server doesn't start")
    }

    deinit {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }

    private static func lines(_ path: String) throws -> [Substring] {
      let text = String(decoding: try InputFile.bytes(path: path, limit: 1 << 26), as: UTF8.self)
      guard let end = text.lastIndex(of: "\n") else { return [] }
      return text[..<end].split(separator: "\n")
    }

    func requests() throws -> [Request] {
      try Self.lines(output).dropFirst().map {
        try JSONDecoder().decode(Request.self, from: Data($0.utf8))
      }
    }
  }

  private func log(_ folder: borrowing TemporaryFolder, count: Int64 = 25) throws -> String {
    let path = folder.path + "/log.sqlite"
    try MotionStore(path: path).append((1...count).map { record($0, label: "\"é\n") })
    return path
  }

  private func configuration(_ url: String) -> MotionSync.Configuration {
    var configuration = MotionSync.Configuration(host: url)
    configuration.batchSize = 10
    configuration.firstDelay = 0.02
    configuration.timeout = 1
    configuration.attempts = 4
    return configuration
  }

  @Test func allThatIsWaitingIsSentOnce() throws {
    let folder = TemporaryFolder()
    let path = try log(folder)
    let host = try Host("200", in: folder)
    let sync = try MotionSync(path: path, configuration("http://127.0.0.1:\(host.port)/study/"))
    #expect(try sync.pending().recordCount == 25 && sync.pending().batchCount == 3)
    #expect(try host.requests().isEmpty)
    let report = try sync.run()
    #expect(report.recordCount == 25 && report.batchCount == 3 && report.retryCount == 0)
    let requests = try host.requests()
    #expect(requests.map(\.path) == Array(repeating: "/study/airpods_motion/insert", count: 3))
    #expect(requests.allSatisfy { $0.type == "application/json" && $0.body?.deviceId == "d" })
    #expect(requests.flatMap(\.timestamps) == Array(1...25))
    let first = try #require(requests.first?.body?.data.first)
    #expect(first.label == "\"é\n" && first.yaw == 1.2870022175866 && first.gravityX == nil)
    // Nothing is waiting now; what comes later is.
    #expect(try sync.run().recordCount == 0)
    try MotionStore(path: path).append([record(26)])
    #expect(try sync.run().recordCount == 1)
    #expect(try host.requests().last?.timestamps == [26])
  }

  /// What the server does, and how often the first batch arrives whole.
  @Test(arguments: [
    ("500,200", 2), ("503,429,200", 3), ("reset,200", 2), ("deaf,200", 1), ("half,200", 2),
    ("slow,200", 2), ("later,200", 2), ("endless,200", 2), ("reset,408,500,200", 4),
  ])
  func failuresThatPass(behaviours: String, arrivals: Int) throws {
    let folder = TemporaryFolder()
    let path = try log(folder)
    let host = try Host(behaviours, in: folder)
    var causes: [String] = []
    let report = try MotionSync(path: path, configuration("http://localhost:\(host.port)"))
      .run(onRetry: { causes.append($0) })
    #expect(report.recordCount == 25)
    #expect(report.retryCount == behaviours.split(separator: ",").count - 1)
    #expect(causes.count == report.retryCount && !causes.contains(""))
    let requests = try host.requests()
    #expect(requests.filter { $0.timestamps.first == 1 }.count == arrivals)
    // What was acknowledged was not sent again, and all was.
    let acknowledged = requests.filter { $0.behaviour == "200" }.flatMap(\.timestamps)
    #expect(acknowledged == Array(1...25))
  }

  @Test(arguments: [
    ("200,503", "the server answers 503"), ("200,reset", "given up after 4 tries"),
    ("200,404", "the server answers 404"), ("200,401", "the server answers 401"),
    ("200,redirect", "the server answers 302"), ("200,half", "given up after 4 tries"),
  ])
  func failuresThatDoNot(behaviours: String, cause: String) throws {
    let folder = TemporaryFolder()
    let path = try log(folder)
    let host = try Host(behaviours, in: folder)
    let configuration = configuration("http://127.0.0.1:\(host.port)")
    let error = #expect(throws: MotionSyncError.self) {
      try MotionSync(path: path, configuration).run()
    }
    #expect(error?.description.contains(cause) == true)
    // The first batch is marked: the next call goes on after it.
    #expect(try MotionSync(path: path, configuration).pending().recordCount == 15)
    #expect(try host.requests().filter { $0.timestamps.contains(1) }.count == 1)
    // Another host has acknowledged nothing.
    var other = configuration
    other.host = "https://example.org"
    #expect(try MotionSync(path: path, other).pending().recordCount == 25)
  }

  @Test func batchesAreOfOneDevice() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/log.sqlite"
    var all = (1...6).map { record($0) }
    all[2].deviceId = "e"
    try MotionStore(path: path).append(all)
    let host = try Host("200", in: folder)
    _ = try MotionSync(path: path, configuration("http://127.0.0.1:\(host.port)")).run()
    let requests = try host.requests()
    #expect(requests.map { $0.body?.deviceId } == ["d", "e", "d"])
    #expect(requests.map(\.timestamps) == [[1, 2], [3], [4, 5, 6]])
  }

  @Test func nobodyListens() throws {
    let folder = TemporaryFolder()
    let error = #expect(throws: MotionSyncError.self) {
      try MotionSync(path: try log(folder), configuration("http://127.0.0.1:1")).run()
    }
    #expect(error?.description.contains("given up after 4 tries") == true)
  }

  @Test func certificatesAreVerified() throws {
    let folder = TemporaryFolder()
    let path = try log(folder)
    let pem = "'\(folder.path)/cert.pem' '\(folder.path)/key.pem'"
    let made = system(
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
        + "-addext subjectAltName=DNS:localhost -out '\(folder.path)/cert.pem' "
        + "-keyout '\(folder.path)/key.pem' 2>/dev/null")
    try #require(made == 0, "openssl is needed")
    let host = try Host("200", in: folder, tls: pem)
    var configuration = configuration("https://localhost:\(host.port)")
    let error = #expect(throws: MotionSyncError.self) {
      try MotionSync(path: path, configuration).run()
    }
    #expect(error?.description.contains("certificate") == true)
    // Not even tried again.
    #expect(error?.description.contains("given up") == false)
    #expect(try host.requests().isEmpty)
    configuration.caFile = folder.path + "/cert.pem"
    #expect(try MotionSync(path: path, configuration).run().recordCount == 25)
    // The name counts, too.
    configuration.host = "https://127.0.0.1:\(host.port)"
    #expect(throws: MotionSyncError.self) { try MotionSync(path: path, configuration).run() }
  }

  @Test(arguments: [
    ("http://example.org", "records are private"), ("http://127.0.0.1.evil.org", "are private"),
    ("http://127.1", "are private"), ("http://localhost@evil.org", "a user or a password"),
    ("", "is no address"), ("https://", "is no address"), ("ftp://x", "is no address"),
    ("https://a b", "is no address"), ("https://x/?a=1", "is no address"),
  ])
  func addressesThatAreRefused(host: String, cause: String) {
    let error = #expect(throws: MotionSyncError.self) {
      try MotionSync(path: "x", MotionSync.Configuration(host: host))
    }
    #expect(error?.description.contains(cause) == true)
  }

  @Test func oneSenderAtATimeWhileOneRecords() throws {
    let folder = TemporaryFolder()
    let path = try log(folder)
    let host = try Host("200", in: folder)
    let store = try MotionStore(path: path)
    let sync = try MotionSync(path: path, configuration("http://127.0.0.1:\(host.port)"))
    #expect(try sync.run().recordCount == 25)
    try store.append([record(26)])
    #expect(try sync.run().recordCount == 1)
  }

  @Test func aMarkThatCannotBeWrittenIsKnownBefore() throws {
    let folder = TemporaryFolder()
    let path = try log(folder)
    let host = try Host("200", in: folder)
    let other = Other(path)
    try other.run("BEGIN IMMEDIATE")
    let error = #expect(throws: FileError.self) {
      try MotionSync(path: path, configuration("http://127.0.0.1:\(host.port)")).run()
    }
    #expect(error?.cause == FileError.lockedCause)
    #expect(try host.requests().isEmpty)
  }
}
