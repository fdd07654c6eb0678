public import Files
import Glibc
import SpatialAudio

/// Words spoken by espeak-ng, a program that is started for each text; bounded in time and length.
public struct SpeechSynthesizer: Sendable {
  private let voice: String
  /// Hz of the samples.
  let sampleRate: Int

  private static let program = "espeak-ng"
  /// Words a minute.
  private static let pace = "170"
  /// Seconds that it may take.
  private static let timeLimit = 5.0
  /// Bytes that are taken of what it says: 15 s.
  private static let outputLimit = 15 * 2 * 22_050
  /// Characters that are said of a text.
  private static let textLimit = 300

  /// A voice at a rate.
  ///
  /// - Parameters:
  ///   - voice: as `espeak-ng --voices` lists them, such as `en` or `en-us`.
  ///   - sampleRate: Hz of the samples.
  /// - Throws: `FileError` if the program is not installed or has no such voice.
  public init(voice: String = "en", sampleRate: Int) throws(FileError) {
    self.voice = voice
    self.sampleRate = sampleRate
    _ = try samples(of: "beacon")
  }

  /// The samples of a text, at most 15 s, peaks at half of full scale: about as loud as the beacons that ship.
  ///
  /// - Throws: `FileError` if the program fails or takes too long.
  public func samples(of text: String) throws(FileError) -> [Float] {
    let bytes = try output(of: text.onOneLine.prefix(Self.textLimit) + "\n")
    // Its header promises the length of a stream, so that libsndfile would call it truncated: 16 bits,
    // one channel, 44 bytes before the samples (Microsoft and IBM, Multimedia Programming Interface and
    // Data Specifications 1.0, 1991).
    func number(at place: Int, bytes count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    guard bytes.count > 46, bytes.starts(with: "RIFF".utf8), bytes[36...].starts(with: "data".utf8),
      number(at: 22, bytes: 2) == 1, number(at: 34, bytes: 2) == 16,
      case let rate = number(at: 24, bytes: 4), 4000...192_000 ~= rate
    else { throw fault("said nothing; has it no voice \"\(voice)\"?") }
    var samples = stride(from: 44, to: bytes.count - 1, by: 2).map {
      Float(Int16(truncatingIfNeeded: number(at: $0, bytes: 2))) / 32_768
    }
    guard let peak = samples.map(abs).max(), peak > 0 else { throw fault("said nothing") }
    for index in samples.indices { samples[index] *= 0.5 / peak }
    return Sound(sampleRate: rate, samples: samples).resampled(to: sampleRate, looping: false)
      .samples
  }

  private func fault(_ cause: String) -> FileError {
    FileError(.unreadable, file: Self.program, cause)
  }

  /// Runs the program on a text.
  private func output(of text: String) throws(FileError) -> [UInt8] {
    // A file, not a pipe: a program that reads nothing would end this one by a signal.
    guard let input = tmpfile() else {
      throw .system(.unreadable, file: Self.program, errno: errno)
    }
    defer { fclose(input) }
    guard fputs(text, input) >= 0, fflush(input) == 0 else {
      throw .system(.unreadable, file: Self.program, errno: errno)
    }
    rewind(input)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system(.unreadable, file: Self.program, errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let process = try start(reading: fileno(input), writing: ends[1])
    close(ends[1])
    let (bytes, ending) = read(from: ends[0])
    // One that still writes, though nobody reads on, would wait for ever.
    if ending != .end { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    switch ending {
    case .late: throw fault("takes more than \(Int(Self.timeLimit)) s")
    case .end where status != 0: throw fault("failed; has it no voice \"\(voice)\"?")
    case .end, .cut: return bytes
    }
  }

  private func start(reading input: Int32, writing output: Int32) throws(FileError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let words = [Self.program, "-v", voice, "-s", Self.pace, "--stdin", "--stdout"]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let status = posix_spawnp(&process, Self.program, &actions, nil, &arguments, environ)
    guard status != ENOENT else {
      throw FileError(
        .notFound, file: Self.program, "is not installed; it speaks callouts (Debian: espeak-ng)")
    }
    guard status == 0 else { throw .system(.unreadable, file: Self.program, errno: status) }
    return process
  }

  /// Why nothing more is read.
  private enum Ending { case end, cut, late }

  /// What comes, up to the limits.
  private func read(from descriptor: Int32) -> (bytes: [UInt8], ending: Ending) {
    let deadline = ContinuousClock.now + .seconds(Self.timeLimit)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < Self.outputLimit {
      let left = deadline - ContinuousClock.now
      guard left > .zero else { return (bytes, .late) }
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, Int32(left / .milliseconds(1)) + 1) > 0 else { continue }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return (bytes, .end) }
      bytes += buffer[..<count]
    }
    return (Array(bytes.prefix(Self.outputLimit)), .cut)
  }
}
