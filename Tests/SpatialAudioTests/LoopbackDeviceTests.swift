import CAllocationCount
import COpenAL
import Geometry
import Glibc
import HRTF
import Testing

@testable import SpatialAudio

@Suite struct LoopbackDeviceTests {
  /// A moving scene: two sources of noise, a listener that turns a little with every block.
  private static func scene(
    _ set: ShippedSet, blocks: Int = 24, frames: Int = 480
  ) throws -> [Float] {
    let device = try LoopbackDevice(sampleRate: set.sampleRate, dataSet: set.dataSet)
    let sources = try [1, 2].map { seed in
      try SoundSource(noise(4800, seed: seed), looping: true, in: device.context)
    }
    for source in sources { source.play() }
    sources[1].setGain(0.5)
    var output: [Float] = []
    for block in 0..<blocks {
      let angle = Double(block)
      device.setListener(
        Quaternion(radians: angle / 20, about: [0, 0, 1])
          * Quaternion(radians: angle / 50, about: [1, 0, 0]))
      sources[0].setPosition(WorldFrame.direction(azimuth: 3 * angle, elevation: angle))
      output += device.render(frames: frames)
    }
    try device.checkErrors()
    return output
  }

  @Test func sameCallsSameSamples() throws {
    let set = try ShippedSet.kemar.get()
    let first = try Self.scene(set)
    #expect(first.contains { abs($0) > 0.05 })
    #expect(try Self.scene(set) == first)
  }

  /// Devices that render at the same time on two threads, of one data set and of two.
  @Test func devicesAreIndependent() async throws {
    let (kemar, ku100) = (try ShippedSet.kemar.get(), try ShippedSet.ku100.get())
    let alone = [try Self.scene(kemar), try Self.scene(ku100)]
    let together = try await withThrowingTaskGroup(of: (Int, [Float]).self) { group in
      for index in 0..<6 {
        group.addTask { (index % 2, try Self.scene(index % 2 == 0 ? kemar : ku100)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(together.count == 6)
    for (which, samples) in together { #expect(samples == alone[which]) }
  }

  /// Two devices by turns on one thread: each call reaches its own.
  @Test func devicesByTurns() throws {
    let set = try ShippedSet.kemar.get()
    func open(_ azimuth: Double) throws -> (LoopbackDevice, SoundSource) {
      let device = try LoopbackDevice(sampleRate: set.sampleRate, dataSet: set.dataSet)
      let source = try SoundSource(noise(4800), looping: true, in: device.context)
      source.setPosition(WorldFrame.direction(azimuth: azimuth))
      return (device, source)
    }
    func render(_ pairs: [(LoopbackDevice, SoundSource)]) -> [[Float]] {
      for pair in pairs { pair.1.play() }
      var output = pairs.map { _ in [Float]() }
      for _ in 0..<4 {
        for index in pairs.indices { output[index] += pairs[index].0.render(frames: 256) }
      }
      return output
    }
    let (left, right) = (try render([open(-90)])[0], try render([open(90)])[0])
    #expect(left != right)
    #expect(try render([open(-90), open(90)]) == [left, right])
  }

  @Test func unknownDataSet() throws {
    let set = try ShippedSet.kemar.get()
    let error = #expect(throws: EngineError.self) {
      try LoopbackDevice(sampleRate: 44_100, dataSet: "no such set")
    }
    #expect(error?.code == .hrtf)
    #expect(
      error?.cause.hasPrefix("OpenAL does not find the HRTF data set no such set; it has ") == true)
    #expect(error?.cause.contains(set.dataSet) == true)
  }

  /// A set of another rate is refused, or (by newer libraries) brought to the rate by resampling; in
  /// no case does another set stand in.
  @Test(arguments: [48_000, 32_000]) func otherRate(rate: Int) throws {
    let set = try ShippedSet.kemar.get()
    let direction = SphericalDirection(azimuth: 30, elevation: 0, distance: 1.4)
    do throws(EngineError) {
      let response = try ImpulseResponse(
        dataSets: [DistanceDataSet(name: set.dataSet)], sampleRate: rate, direction: direction)
      #expect(response.sampleRate == rate)
      let time = interauralTime(
        left: ear(0, of: response.samples), right: ear(1, of: response.samples),
        sampleRate: Double(rate))
      // KEMAR at 30° to the left: −269 µs; a default set has its own.
      #expect(abs(time + 269) < 20)
    } catch {
      #expect(error.code == .hrtf)
      #expect(
        error.cause.hasSuffix("instead of \(set.dataSet); is that one of \(rate) Hz?"),
        "\(error.cause)")
    }
  }

  @Test(arguments: [0, -1]) func impossibleRate(rate: Int) throws {
    let set = try ShippedSet.kemar.get()
    #expect(throws: EngineError.self) {
      try LoopbackDevice(sampleRate: rate, dataSet: set.dataSet)
    }
  }

  @Test func moreSourcesThanThereAre() throws {
    let set = try ShippedSet.kemar.get()
    let device = try LoopbackDevice(
      sampleRate: set.sampleRate, dataSet: set.dataSet, sourceCount: 4)
    var sources: [SoundSource] = []
    let error = #expect(throws: EngineError.self) {
      for _ in 0..<10_000 {
        sources.append(try SoundSource([0.5], looping: false, in: device.context))
      }
    }
    #expect(error?.code == .source)
    #expect(sources.count >= 4)
  }

  @Test func version() throws {
    let set = try ShippedSet.kemar.get()
    let device = try LoopbackDevice(sampleRate: set.sampleRate, dataSet: set.dataSet)
    #expect(device.context.version.hasPrefix("1.1 ALSOFT 1."))
  }
}

/// When a move is heard.
@Suite struct MoveTests {
  /// Noise from the left; from frame `move` on from the right. Rendered in blocks of these lengths.
  private func render(_ blocks: [Int], move: Int?) throws -> [Float] {
    let set = try ShippedSet.kemar.get()
    let device = try LoopbackDevice(sampleRate: set.sampleRate, dataSet: set.dataSet)
    let source = try SoundSource(noise(8192), looping: true, in: device.context)
    source.setPosition(WorldFrame.direction(azimuth: -60))
    source.play()
    var output: [Float] = []
    for block in blocks {
      if output.count / 2 == move { device.setListener(ahead: [0, -1, 0], up: [0, 0, 1]) }
      output += device.render(frames: block)
    }
    return output
  }

  /// Up to the move nothing differs from a scene without one, and from its very frame on all does.
  @Test(arguments: [1000, 1001, 1023]) func movesAtTheirFrame(move: Int) throws {
    let still = try render([move, 2000 - move], move: nil)
    let moved = try render([move, 2000 - move], move: move)
    let first = try #require(zip(still, moved).enumerated().first { $1.0 != $1.1 }?.offset)
    #expect((move...move + 1).contains(first / 2))
    // A turn by 180° changes each ear by as much as its sound, once the filters have changed over.
    let change = zip(still, moved).dropFirst(2 * (move + 128)).reduce(0) { $0 + abs($1.0 - $1.1) }
    let sound = still.dropFirst(2 * (move + 128)).reduce(0) { $0 + abs($1) }
    #expect(change > 0.5 * sound)
  }

  /// The lengths of the blocks in between do not matter.
  @Test(arguments: [
    [500, 500, 500, 500], [200, 800, 128, 872], [1000, 128, 128, 744],
  ])
  func blocksDoNotMatter(blocks: [Int]) throws {
    let expected = try render([1000, 1000], move: 1000)
    let split = try render(blocks, move: 1000)
    let difference = zip(expected, split).map { abs($0 - $1) }.max() ?? 1
    #expect(difference < 1e-6)
  }
}

/// The whole attitude of the head counts.
@Suite struct OrientationTests {
  struct Case: Sendable {
    var name: String
    /// Axes of the world: east, north, up.
    var ahead: [Double]
    var up: [Double]
    var source: [Double]
    /// 1 if the left ear leads, −1 if the right does, 0 if neither.
    var side: Int
  }

  @Test(arguments: [
    Case(name: "east of north", ahead: [0, 1, 0], up: [0, 0, 1], source: [1, 0, 0], side: -1),
    Case(name: "west of north", ahead: [0, 1, 0], up: [0, 0, 1], source: [-1, 0, 0], side: 1),
    Case(name: "ahead", ahead: [0, 1, 0], up: [0, 0, 1], source: [0, 1, 0], side: 0),
    Case(
      name: "facing east, north", ahead: [1, 0, 0], up: [0, 0, 1], source: [0, 1, 0], side: 1),
    Case(
      name: "facing east, south", ahead: [1, 0, 0], up: [0, 0, 1], source: [0, -1, 0], side: -1),
    Case(
      name: "upside down, east", ahead: [0, 1, 0], up: [0, 0, -1], source: [1, 0, 0], side: 1),
    Case(name: "face up, east", ahead: [0, 0, 1], up: [0, -1, 0], source: [1, 0, 0], side: -1),
    Case(name: "face down, east", ahead: [0, 0, -1], up: [0, 1, 0], source: [1, 0, 0], side: -1),
    Case(
      name: "lying on the right side, above", ahead: [0, 1, 0], up: [1, 0, 0],
      source: [0, 0, 1], side: 1),
    Case(
      name: "lying on the left side, above", ahead: [0, 1, 0], up: [-1, 0, 0],
      source: [0, 0, 1], side: -1),
    Case(name: "face up, south", ahead: [0, 0, 1], up: [0, -1, 0], source: [0, -1, 0], side: 0),
  ])
  func leadingEar(_ each: Case) throws {
    func vector(_ axes: [Double]) -> Vector3 { Vector3(axes[0], axes[1], axes[2]) }
    let (device, source) = try click(at: vector(each.source))
    device.setListener(ahead: vector(each.ahead), up: vector(each.up))
    source.play()
    let samples = device.render(frames: 256)
    let time = interauralTime(
      left: ear(0, of: samples), right: ear(1, of: samples), sampleRate: 44_100)
    switch each.side {
    case 0: #expect(abs(time) < 30, "\(each.name)")
    case 1: #expect(time < -550, "\(each.name)")
    default: #expect(time > 550, "\(each.name)")
    }
  }

  /// Turning the head is turning the world the other way: for any attitude, a source sounds as one
  /// does for a head at rest at the place where the turned head has it. So what is behind stays
  /// behind when the head nods and tilts with it.
  @Test(arguments: 0..<12) func turningTheHeadIsTurningTheWorld(seed: Int) throws {
    let axis = Vector3(sin(Double(seed)), cos(Double(3 * seed)), sin(Double(7 * seed) + 1))
    let attitude = Quaternion(radians: Double(seed) * 0.6 - 3, about: axis.normalized)
    let place = WorldFrame.direction(azimuth: Double(seed) * 30, elevation: Double(seed) * 12 - 60)
    let (turned, source) = try click(at: place)
    turned.setListener(attitude)
    source.play()
    let heard = turned.render(frames: 256)
    let (still, atRest) = try click(at: attitude.conjugate.rotate(place))
    still.setListener(.identity)
    atRest.play()
    let expected = still.render(frames: 256)
    let difference = zip(heard, expected).map { abs($0 - $1) }.max() ?? 1
    #expect(expected.contains { abs($0) > 0.05 })
    #expect(difference < 1e-4)
  }

  private func click(at place: Vector3) throws -> (LoopbackDevice, SoundSource) {
    let set = try ShippedSet.kemar.get()
    let device = try LoopbackDevice(sampleRate: set.sampleRate, dataSet: set.dataSet)
    let source = try SoundSource(
      [1] + [Float](repeating: 0, count: 63), looping: false, in: device.context)
    source.setPosition(place)
    return (device, source)
  }
}

@Suite(.enabled(if: counts_calls())) struct EngineAllocationTests {
  /// One head frame: nothing is asked of the heap, and no lock is taken but OpenAL's own.
  @Test func aFrameNeitherAllocatesNorLocks() throws {
    let set = try ShippedSet.kemar.get()
    let device = try LoopbackDevice(sampleRate: set.sampleRate, dataSet: set.dataSet)
    let source = try SoundSource(noise(4800), looping: true, in: device.context)
    source.play()
    let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 441)
    defer { block.deallocate() }
    let places = (0..<100).map { WorldFrame.direction(azimuth: 3.6 * Double($0)) }
    let up = Vector3(0, 0, 1)
    func move(_ index: Int) {
      device.setListener(ahead: places[index], up: up)
      source.setPosition(places[99 - index])
      source.setGain(index % 2 == 0 ? 0.5 : 1)
    }
    for index in 0..<10 {
      move(index)
      device.render(into: block)
    }
    let start = (heap_call_count(), lock_count())
    for index in 0..<100 { move(index) }
    let moved = (heap_call_count(), lock_count())
    for index in 0..<100 {
      move(index)
      device.render(into: block)
    }
    let rendered = (heap_call_count(), lock_count())

    // The same calls, bare.
    let id = ALuint(bitPattern: 1)
    let orientation: [Float] = [0, 0, -1, 0, 1, 0]
    let bareStart = lock_count()
    orientation.withUnsafeBufferPointer { orientation in
      for _ in 0..<100 {
        device.context.makeCurrent()
        alListenerfv(AL_ORIENTATION, orientation.baseAddress)
        device.context.makeCurrent()
        alSource3f(id, AL_POSITION, 1, 0, 0)
        device.context.makeCurrent()
        alSourcef(id, AL_GAIN, 1)
      }
    }
    let bareLocks = lock_count() - bareStart
    #expect(alGetError() == AL_NO_ERROR)
    #expect(moved.0 - start.0 == 0)
    #expect(moved.1 - start.1 == bareLocks)
    #expect(rendered.0 - moved.0 == 0)
  }
}
