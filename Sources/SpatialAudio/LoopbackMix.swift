public import Geometry
public import HRTF

/// Renders into memory through data sets of several distances: a loopback device each, their sounds
/// added. With one data set it is just that device.
///
/// One thread uses a mix at a time.
public final class LoopbackMix {
  /// Frames a second.
  public let sampleRate: Int
  let devices: [LoopbackDevice]
  let shells: DistanceShells
  private var part: UnsafeMutableBufferPointer<Float>

  /// Frames that are rendered at once at most.
  private static let blockLength = 2048

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
    part = .allocate(capacity: devices.count > 1 ? 2 * Self.blockLength : 0)
  }

  deinit { part.deallocate() }

  /// Renders the next frames of left and right samples.
  ///
  /// - Parameter output: Twice as many floats as frames.
  public func render(into output: UnsafeMutableBufferPointer<Float>) {
    guard devices.count > 1 else {
      devices[0].render(into: output)
      return
    }
    var start = 0
    while start + 1 < output.count {
      let count = min(part.count, output.count - start)
      let block = UnsafeMutableBufferPointer(rebasing: output[start..<start + count])
      devices[0].render(into: block)
      for device in devices.dropFirst() {
        device.render(into: UnsafeMutableBufferPointer(rebasing: part[..<count]))
        for index in 0..<count { block[index] += part[index] }
      }
      start += count
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
}

/// A sound in a mix's world, heard from one place.
public final class MixSource {
  private let sources: [LoopbackSource]
  private let shells: DistanceShells
  private var gain: Float = 1
  private var distance = 1.0

  /// Loads one channel of samples, at the mix's rate so that nothing is resampled, and leaves it
  /// silent; see `play`.
  ///
  /// - Throws: `EngineError` if OpenAL has no source or no memory left.
  public init(_ samples: [Float], looping: Bool, on mix: LoopbackMix) throws(EngineError) {
    var sources: [LoopbackSource] = []
    for device in mix.devices {
      sources.append(try LoopbackSource(samples, looping: looping, on: device))
    }
    self.sources = sources
    shells = mix.shells
    updateGains()
  }

  /// Starts it with the next frame rendered.
  public func play() {
    for source in sources { source.play() }
  }

  /// Puts it at a place in the world frame (east, north, up), metres from the listener.
  public func setPosition(_ place: Vector3) {
    for source in sources { source.setPosition(place) }
    guard sources.count > 1 else { return }
    distance = place.length
    updateGains()
  }

  /// Sets its gain, a factor from 0 to 1.
  public func setGain(_ gain: Float) {
    self.gain = gain
    updateGains()
  }

  private func updateGains() {
    guard sources.count > 1 else {
      sources[0].setGain(gain)
      return
    }
    for index in sources.indices {
      sources[index].setGain(gain * Float(shells.gain(index, at: distance)))
    }
  }
}
