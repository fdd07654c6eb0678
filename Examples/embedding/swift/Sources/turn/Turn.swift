import Aurient

/// A beacon to the east, a head that turns once around in ten seconds: written to turn.wav, or played with --live.
@main struct Turn {
  static func main() async throws {
    var scene = Scene()
    scene.headReference = .north
    if CommandLine.arguments.contains("--live") { try await play(scene) } else { try write(scene) }
  }

  static func write(_ scene: Scene) throws {
    let session = try AurientSession(pulling: scene)
    try session.placeBeacon("Door", bearing: 90, distance: 5)
    let file = try SoundFileWriter(
      path: "turn.wav", sampleRate: session.sampleRate, channelCount: 2, expectedFrames: 0)
    for degree in 0..<360 {
      try session.pushHead(yaw: Double(degree))
      try session.pull(frames: session.sampleRate / 36).withUnsafeBufferPointer(file.write)
    }
    try file.commit()
  }

  static func play(_ scene: Scene) async throws {
    let session = try AurientSession(playing: scene)
    try session.placeBeacon("Door", bearing: 90, distance: 5)
    for await state in session.states(every: 0.02) {
      if state.time >= 10 { session.close() } else { try session.pushHead(yaw: 36 * state.time) }
    }
  }
}
