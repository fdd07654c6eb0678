import Glibc
import Synchronization

/// Another program that runs beside the test; it is killed, with what it has started, at the latest when
/// this goes.
public final class ChildProgram: Sendable {
  /// It could not be started or used.
  public struct Failure: Error {
    /// Its command line.
    public var words: [String]
  }

  private let ending: Ending

  /// Starts it in a process group of its own.
  ///
  /// - Parameters:
  ///   - words: Its name, looked for in `PATH`, and its arguments.
  ///   - environment: Added to this process's own.
  ///   - output: The file that its standard output goes to.
  ///   - error: Likewise of its standard error.
  public init(
    _ words: [String], environment: [String: String] = [:], output: String = "/dev/null",
    error: String = "/dev/null"
  ) throws {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o666)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, error, flags, 0o666)
    var variables = Self.ownEnvironment
    variables.merge(environment) { $1 }
    var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for text in environment + arguments { free(text) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &environment) == 0
    else { throw Failure(words: words) }
    ending = Ending(process)
    ending.await()
  }

  deinit { kill() }

  private static var ownEnvironment: [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let text = next.pointee.map({ String(cString: $0) }) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      variables[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
      next += 1
    }
    return variables
  }

  /// Whether it has ended.
  public var hasEnded: Bool { ending.status.withLock { $0 != nil } }

  /// Waits until it ends, and returns its exit code, or nil if a signal ended it.
  @discardableResult public func wait() -> Int32? { end { _ in 0 } }

  /// Asks it to end and waits until it has.
  public func terminate() { end { Glibc.kill($0, SIGTERM) } }

  /// Kills it and what it has started.
  public func kill() { end { Glibc.kill(-$0, SIGKILL) } }

  @discardableResult private func end(with signal: (pid_t) -> Int32) -> Int32? {
    ending.status.withLock { status in
      // Not after it has been waited for: its number may be another's then.
      if status == nil { _ = signal(ending.process) }
    }
    while true {
      if let status = ending.status.withLock({ $0 }) {
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
      }
      usleep(1000)
    }
  }
}

/// Waits for a child on a thread of its own: one that has ended and is not waited for keeps Swift Testing
/// from seeing the end of its own children.
private final class Ending: Sendable {
  let process: pid_t
  /// What `waitpid` told; nil while it runs.
  let status = Mutex<Int32?>(nil)

  init(_ process: pid_t) { self.process = process }

  func await() {
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { reference in
        guard let reference else { return nil }
        let ending = Unmanaged<Ending>.fromOpaque(reference).takeRetainedValue()
        // The end is seen first and the number given back under the lock, so that nobody signals another
        // process of that number.
        var information = siginfo_t()
        while waitid(P_PID, id_t(ending.process), &information, WEXITED | WNOWAIT) < 0
          && errno == EINTR
        {}
        ending.status.withLock { status in
          var value: Int32 = 0
          while waitpid(ending.process, &value, 0) < 0 && errno == EINTR {}
          status = value
        }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(failure == 0)
    pthread_detach(thread)
  }
}
