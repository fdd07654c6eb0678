import Glibc

/// How many cores this process may use: those of the machine, but for what `taskset` or a container's set of
/// processors leaves out.
package func availableCoreCount() -> Int {
  // glibc declares it only for programs that ask for GNU's extensions.
  typealias Affinity = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> CInt
  var set = [UInt8](repeating: 0, count: 1024)
  guard let address = dlsym(nil, "sched_getaffinity"),
    unsafeBitCast(address, to: Affinity.self)(0, set.count, &set) == 0
  else { return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
  return set.reduce(0) { $0 + $1.nonzeroBitCount }
}
