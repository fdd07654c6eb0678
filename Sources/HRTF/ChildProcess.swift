import Files
import Glibc

/// A function that runs in a process of its own, so that no crash, hang or hunger in it reaches the
/// process that started it.
///
/// Between `fork` and `_exit` the function shall use C libraries and plain values only: locks that
/// other threads hold at the fork stay held for ever in the child. (glibc frees those of `malloc` and
/// of its loader.) Whatever goes wrong there, the time limit holds.
struct ChildProcess: ~Copyable {
  /// How a child ended that did not write all it had to.
  enum Ending: Equatable {
    /// It returned, left with a code, or was no longer listened to.
    case exited
    /// A signal ended it.
    case crashed(signal: Int32)
    /// It ran into the time limit.
    case timedOut
  }

  private let process: pid_t
  private let descriptor: Int32
  private let deadline: Double
  private var isLate = false
  private var hasEnded = false

  /// Starts the child. Its function gets what to write to; standard output and error lead nowhere.
  ///
  /// - Parameters:
  ///   - timeLimit: wall time, s, after which the child is ended.
  ///   - memoryLimit: bytes of address space that the child may add to what its parent has.
  /// - Throws: `FileError` about `path`, if the system has no process or pipe left.
  static func start(
    for path: String, timeLimit: Double, memoryLimit: Int, _ body: (ChildOutput) -> Void
  ) throws(FileError) -> ChildProcess {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system(.unreadable, file: path, errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Fewer turns between the processes (F_SETPIPE_SZ); a system that refuses keeps 64 KiB.
    _ = fcntl(ends[1], 1031, 1 << 20)
    let (input, output) = (ends[0], ends[1])
    let addressSpace = addressSpace() + memoryLimit
    let deadline = now + timeLimit
    NetCDFLibrary.use.lock()
    let child = fork()
    if child == 0 {
      confine(output: output, addressSpace: addressSpace)
      body(ChildOutput(descriptor: 3))
      _exit(0)
    }
    let fault = errno
    NetCDFLibrary.use.unlock()
    close(output)
    guard child > 0 else {
      close(input)
      throw FileError(
        .unreadable, file: path,
        "no process can be started to read it: \(String(cString: strerror(fault)))")
    }
    return ChildProcess(process: child, descriptor: input, deadline: deadline)
  }

  private init(process: pid_t, descriptor: Int32, deadline: Double) {
    self.process = process
    self.descriptor = descriptor
    self.deadline = deadline
  }

  deinit {
    close(descriptor)
    kill(process, SIGKILL)
    reap()
  }

  /// Fills the buffer with what the child writes; false if the child ends or is late before.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    var filled = 0
    while filled < buffer.count {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let remaining = deadline - Self.now
      guard remaining > 0 else {
        isLate = true
        return false
      }
      let ready = poll(&request, 1, Int32(remaining * 1000) + 1)
      guard ready > 0 else {
        if ready < 0 && errno != EINTR { return false }
        continue
      }
      let count = Glibc.read(
        descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        hasEnded = true
        return false
      }
      filled += count
    }
    return true
  }

  /// Ends the child if it has not ended yet, and says how that came.
  consuming func ending() -> Ending {
    // One that still writes, though nobody reads on, would wait for ever.
    if !hasEnded { kill(process, SIGKILL) }
    let (isLate, hasEnded) = (isLate, hasEnded)
    let status = reap()
    close(descriptor)
    discard self
    if isLate { return .timedOut }
    let signal = status & 0x7F
    return hasEnded && signal != 0 ? .crashed(signal: signal) : .exited
  }

  /// Waits for the end of the child; 0 if someone else in this process has taken its status.
  @discardableResult private func reap() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return 0 }
    }
    return status
  }

  /// Monotonic time, s.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Bytes of address space in use. Sanitizers take terabytes of it, so that a fixed limit would
  /// leave them nothing.
  private static func addressSpace() -> Int {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var digits = [UInt8](repeating: 0, count: 32)
    let count = Glibc.read(descriptor, &digits, digits.count)
    let pages = digits.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
      .reduce(0) { $0 * 10 + Int($1 & 0xF) }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  /// In the child: descriptor 3 for output and none above it, so that no other child's pipe, whose
  /// end is awaited, stays open here; nothing said to the user; crashes with no handler and no dump.
  private static func confine(output: Int32, addressSpace: Int) {
    if output != 3 { dup2(output, 3) }
    for other in 4..<1024 as Range<Int32> { close(other) }
    let nowhere = open("/dev/null", O_WRONLY)
    dup2(nowhere, 1)
    dup2(nowhere, 2)
    signal(SIGSEGV, SIG_DFL)
    signal(SIGBUS, SIG_DFL)
    signal(SIGABRT, SIG_DFL)
    signal(SIGFPE, SIG_DFL)
    signal(SIGILL, SIG_DFL)
    signal(SIGTRAP, SIG_DFL)
    signal(SIGPIPE, SIG_DFL)
    // Worker threads block it.
    var aborting = sigset_t()
    sigemptyset(&aborting)
    sigaddset(&aborting, SIGABRT)
    sigprocmask(SIG_UNBLOCK, &aborting, nil)
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(4), &limit)  // RLIMIT_CORE, which is not imported
    limit = rlimit(rlim_cur: rlim_t(addressSpace), rlim_max: rlim_t(addressSpace))
    setrlimit(__rlimit_resource_t(9), &limit)  // RLIMIT_AS
  }
}

/// Where a child writes: numbers, texts and samples, in this machine's own form.
struct ChildOutput {
  /// The pipe.
  let descriptor: Int32

  /// Writes bytes, all of them.
  func write(bytes: UnsafeRawPointer, count: Int) {
    var written = 0
    while written < count {
      let step = Glibc.write(descriptor, bytes + written, count - written)
      if step < 0 {
        if errno == EINTR { continue }
        _exit(1)
      }
      written += step
    }
  }

  /// Writes a number.
  func write(_ number: Int) {
    var number = number
    write(bytes: &number, count: MemoryLayout<Int>.size)
  }

  /// Writes a text that ends with a zero, with its length before it.
  func write(_ text: UnsafePointer<CChar>) {
    let count = strlen(text)
    write(count)
    write(bytes: text, count: count)
  }
}
