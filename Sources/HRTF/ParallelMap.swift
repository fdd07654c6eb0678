import Dispatch
import Files

/// Maps the numbers below `count` on all cores, each core taking a run of them with a worker of its own
/// (a worker holds what must not be shared, such as a transform). The result does not depend on the
/// number of cores.
package func parallelMap<Worker, Result>(
  _ count: Int, worker make: @Sendable () -> Worker, _ body: @Sendable (Worker, Int) -> Result
) -> [Result] {
  let cores = max(1, min(count, availableCoreCount()))
  var parts = [[Result]](repeating: [], count: cores)
  parts.withUnsafeMutableBufferPointer { parts in
    nonisolated(unsafe) let parts = parts
    DispatchQueue.concurrentPerform(iterations: cores) { core in
      let worker = make()
      parts[core] = (core * count / cores..<(core + 1) * count / cores).map { body(worker, $0) }
    }
  }
  return parts.flatMap { $0 }
}
