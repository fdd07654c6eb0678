import Glibc
import Synchronization

/// A PulseAudio daemon of its own for one test, whose sinks play to nobody and can be recorded.
///
/// It needs no session, bus, or sound card, and may run as root. It ends with this, and by itself once it
/// has had no client for two minutes. Only a process that uses `environment` sees it.
public final class NullSinkServer: Sendable {
  /// A sink that plays to nobody.
  public struct Sink: Sendable {
    /// Its name, which OpenAL lists as well.
    public var name: String
    /// Frames a second.
    public var sampleRate: Int
    /// Whether it has the six channels of 5.1, left and right first, instead of two.
    public var isSurround: Bool

    /// A sink of floats.
    public init(_ name: String, sampleRate: Int, isSurround: Bool = false) {
      self.name = name
      self.sampleRate = sampleRate
      self.isSurround = isSurround
    }

    /// Samples a frame.
    public var channelCount: Int { isSurround ? 6 : 2 }

    var channelMap: String { isSurround ? "surround-51" : "stereo" }
  }

  private let folder = TemporaryFolder()
  private let sinks: [Sink]
  private let daemon = Mutex<ChildProgram?>(nil)

  /// Where it keeps its files, and tests may keep theirs.
  public var path: String { folder.path }

  /// Starts it; the first sink is the default one.
  ///
  /// - Throws: if it does not come up within ten seconds.
  public init(_ sinks: [Sink]) throws {
    self.sinks = sinks
    // Of more than two channels, those that are not played to stay silent.
    _ = folder.file("daemon.conf", "enable-remixing = no\n")
    try start()
  }

  /// What a process must have in its environment to play to it and to nothing else.
  public var environment: [String: String] {
    [
      "PULSE_SERVER": "unix:\(path)/native", "PULSE_RUNTIME_PATH": path,
      "PULSE_COOKIE": "\(path)/cookie",
      "HOME": path, "XDG_RUNTIME_DIR": path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path)/no-bus",
      "PULSE_CONFIG": "\(path)/daemon.conf", "ALSOFT_DRIVERS": "pulse",
    ]
  }

  /// Starts the daemon again after `stop`.
  public func start() throws {
    var words = [
      "pulseaudio", "-n", "--daemonize=no", "--system=no",
      "--use-pid-file=no", "--realtime=yes", "--high-priority=yes",
      "--disable-shm=yes", "--exit-idle-time=120", "--log-target=stderr",
      "--load=module-native-protocol-unix socket=\(path)/native auth-anonymous=1",
    ]
    for sink in sinks {
      words.append(
        "--load=module-null-sink norewinds=1 sink_name=\(sink.name) format=float32le rate=\(sink.sampleRate) "
          + "channel_map=\(sink.channelMap) sink_properties=device.description=\(sink.name)")
    }
    let daemon = try ChildProgram(
      words, environment: environment, output: "/dev/null", error: "\(path)/daemon.log")
    self.daemon.withLock { $0 = daemon }
    guard waitUntil(10, { isUp }) else { throw ChildProgram.Failure(words: words) }
  }

  private var isUp: Bool {
    // The modules are loaded in order, the sinks after what `pactl` speaks to.
    sinks.allSatisfy { (try? control("get-sink-volume", $0.name)) == 0 }
  }

  /// Kills the daemon, as a crash would.
  public func stop() {
    daemon.withLock { daemon in
      daemon?.kill()
      daemon = nil
    }
    unlink("\(path)/native")
  }

  /// Runs PulseAudio's `pactl`; its exit code.
  public func control(_ words: String...) throws -> Int32? {
    try ChildProgram(["pactl"] + words, environment: environment).wait()
  }

  /// Records what a sink plays, from now on.
  ///
  /// The sink takes as long as its slowest listener allows to ask for sound, so this one is made quick.
  public func record(_ sink: Sink) throws -> Recording {
    let file = "\(path)/\(sink.name).\(names(in: path).count).f32"
    let recorder = try ChildProgram(
      [
        "timeout", "--kill-after=1", "60", "parec", "--device=\(sink.name).monitor",
        "--format=float32le", "--rate=\(sink.sampleRate)", "--channels=\(sink.channelCount)",
        "--channel-map=\(sink.channelMap)",
        "--latency-msec=2",
      ], environment: environment, output: file)
    guard waitUntil(5, { size(of: file) > 0 }) else {
      throw ChildProgram.Failure(words: ["parec", sink.name])
    }
    return Recording(recorder: recorder, file: file)
  }

  /// A recording under way.
  public final class Recording: Sendable {
    private let recorder: ChildProgram
    private let file: String

    init(recorder: ChildProgram, file: String) {
      self.recorder = recorder
      self.file = file
    }

    deinit { recorder.terminate() }

    /// Bytes so far.
    public var byteCount: Int { size(of: file) }

    /// Samples so far, of the channels by turns.
    public var samples: [Float] {
      guard let handle = fopen(file, "r") else { return [] }
      defer { fclose(handle) }
      return [Float](unsafeUninitializedCapacity: size(of: file) / 4) { buffer, count in
        count = fread(buffer.baseAddress, 4, buffer.count, handle)
      }
    }

    /// Ends it and returns its samples.
    public func stop() -> [Float] {
      recorder.terminate()
      return samples
    }
  }
}

/// Bytes of a file; 0 where there is none.
private func size(of file: String) -> Int {
  var status = stat()
  return stat(file, &status) == 0 ? Int(status.st_size) : 0
}

/// Waits until something holds, at most so many seconds; whether it does.
public func waitUntil(_ seconds: Double, _ holds: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<Int(seconds * 200) {
    if try holds() { return true }
    usleep(5000)
  }
  return try holds()
}
