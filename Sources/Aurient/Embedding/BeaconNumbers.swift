/// Numbers by which two threads mean the same beacons, whatever comes and goes: each is given once, in the order in which
/// beacons come.
struct BeaconNumbers: Sendable {
  private var numbers: [Int]
  private var next: Int

  /// The numbers of the first beacons; to count more than a capacity takes memory.
  init(count: Int, capacity: Int = 0) {
    numbers = Array(0..<count)
    next = count
    numbers.reserveCapacity(capacity)
  }

  /// Takes a change of which beacons there are.
  mutating func count(_ change: SessionChange) {
    switch change {
    case .add:
      numbers.append(next)
      next += 1
    case .remove(let index): numbers.remove(at: index)
    default: break
    }
  }

  /// How many there is room for.
  var capacity: Int { numbers.capacity }

  /// The number of the beacon at a place in the scene.
  subscript(index: Int) -> Int { numbers[index] }

  /// The place of a beacon in the scene; nil if it is there no more.
  func index(of number: Int) -> Int? { numbers.firstIndex(of: number) }
}
