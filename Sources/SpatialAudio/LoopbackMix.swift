public import Geometry
public import HRTF

/// Renders into memory through data sets of several distances: a loopback device each, their sounds
/// added. With one data set it is just that device.
///
/// A device costs nearly as much without sources as with one, so those from which nothing is to be heard
/// sleep; on waking, their sources catch up. One thread uses a mix at a time.
public final class LoopbackMix {
  /// Frames a second.
  public let sampleRate: Int
  let devices: [LoopbackDevice]
  let shells: DistanceShells
  /// Frames rendered so far.
  public private(set) var frameCount = 0
  /// They own the mix, and leave it when they go.
  private var sources: [Unmanaged<MixSource>] = []
  /// Until which frame each device stays awake.
  private var awakeEnds: [Int]
  /// How many sources are to be heard from each device.
  private var audibleCounts: [Int]
  private let part: UnsafeMutableBufferPointer<Float>

  /// Frames that are rendered at once at most.
  private static let blockLength = 2048
  /// Frames that a waking device renders unheard, after which its filters have forgotten their sleep: the
  /// longest delay and response, and OpenAL's fade to a new filter.
  static let wakingLength = 384

  /// Opens the devices.
  ///
  /// - Parameters:
  ///   - dataSets: All at that rate; the nearest first.
  ///   - sourceCount: How many sources must be able to play at once.
  /// - Throws: `EngineError`, see `LoopbackDevice`.
  public init(
    sampleRate: Int, dataSets: [DistanceDataSet], sourceCount: Int = 64
  ) throws(EngineError) {
    precondition(!dataSets.isEmpty)
    var devices: [LoopbackDevice] = []
    for dataSet in dataSets {
      devices.append(
        try LoopbackDevice(
          sampleRate: sampleRate, dataSet: dataSet.name, sourceCount: sourceCount))
    }
    self.sampleRate = sampleRate
    self.devices = devices
    shells = DistanceShells(distances: dataSets.map { $0.distance ?? 1 })
    awakeEnds = devices.map { _ in devices.count == 1 ? .max : 0 }
    audibleCounts = devices.map { _ in 0 }
    part = .allocate(capacity: devices.count > 1 ? 2 * Self.blockLength : 0)
  }

  deinit { part.deallocate() }

  /// The version that OpenAL gives of itself, for example `1.1 ALSOFT 1.19.1`.
  public var libraryVersion: String { devices[0].context.version }

  /// Whether a device renders.
  func isAwake(_ index: Int) -> Bool { frameCount < awakeEnds[index] }

  /// Renders the next frames of left and right samples.
  ///
  /// - Parameter output: Twice as many floats as frames.
  public func render(into output: UnsafeMutableBufferPointer<Float>) {
    guard devices.count > 1 else {
      devices[0].render(into: output)
      frameCount += output.count / 2
      return
    }
    for index in devices.indices where audibleCounts[index] > 0 {
      if !isAwake(index) { wake(index) }
      // What falls silent fades out and rings on for some frames.
      awakeEnds[index] = frameCount + output.count / 2 + Self.wakingLength
    }
    var start = 0
    while start + 1 < output.count {
      let count = min(part.count, output.count - start)
      let block = UnsafeMutableBufferPointer(rebasing: output[start..<start + count])
      block.update(repeating: 0)
      for index in devices.indices where isAwake(index) {
        devices[index].render(into: UnsafeMutableBufferPointer(rebasing: part[..<count]))
        for sample in 0..<count { block[sample] += part[sample] }
      }
      frameCount += count / 2
      start += count
    }
  }

  /// Renders some frames that nobody hears and that do not count; what plays is to be stopped then.
  package func renderUncounted() { renderUncounted(frames: 64) }

  private func renderUncounted(frames: Int) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * frames) { output in
      for device in devices { device.render(into: output) }
    }
  }

  /// Stops all sources and goes on at a frame as a mix in which nothing has sounded.
  func restart(at frame: Int) {
    for source in sources { source._withUnsafeGuaranteedRef { $0.stop() } }
    renderUncounted(frames: Self.wakingLength)
    frameCount = frame
    awakeEnds = devices.map { _ in devices.count == 1 ? .max : 0 }
  }

  /// Brings a device's sources to where the others are.
  private func wake(_ index: Int) {
    for source in sources {
      source._withUnsafeGuaranteedRef { $0.fallBack(index, by: Self.wakingLength) }
    }
    devices[index].render(
      into: UnsafeMutableBufferPointer(rebasing: part[..<(2 * Self.wakingLength)]))
    for source in sources {
      source._withUnsafeGuaranteedRef { $0.start(index, lead: Self.wakingLength) }
    }
  }

  /// Turns the listener; see `LoopbackDevice`.
  public func setListener(ahead: Vector3, up: Vector3) {
    for device in devices { device.setListener(ahead: ahead, up: up) }
  }

  /// Checks that the calls since the last check went well.
  ///
  /// - Throws: `EngineError` with OpenAL's first error since then.
  public func checkErrors() throws(EngineError) {
    for device in devices { try device.checkErrors() }
  }

  func add(_ source: MixSource) { sources.append(.passUnretained(source)) }

  func remove(_ source: MixSource) {
    sources.removeAll { $0.toOpaque() == Unmanaged.passUnretained(source).toOpaque() }
  }

  /// A source is to be heard from a device from now on, or no longer.
  func setAudible(_ isAudible: Bool, _ index: Int) { audibleCounts[index] += isAudible ? 1 : -1 }
}
