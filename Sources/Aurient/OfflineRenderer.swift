import Compass
public import Files
import HeadTracking
import MotionLog
import Navigation
import SpatialAudio
import Geometry
import Glibc
public import HRTF

/// What was said of a beacon.
public struct SpokenCallout: Equatable, Sendable {
  /// Seconds since the sound's beginning at which it was due; it is heard a tenth of a second later.
  public let time: Double
  /// The beacon's number in the scene, counted from 0.
  public let beacon: Int
  /// The words.
  public let text: String
}

/// Renders a scene into memory as fast as the machine can, each head frame at its exact sample.
///
/// The engine renders up to a frame's time; then listener and sources move. The same scene gives the
/// same samples.
public final class OfflineRenderer {
  /// The scene at the last frame.
  public private(set) var scene: BeaconScene
  /// Frames of sound a second.
  public let sampleRate: Int
  /// What people call the data set.
  public let dataSetTitle: String
  /// The part of the sphere that the data set's file measures; nil where that is not known.
  public let measuredPart: MeasuredPart?
  /// Whether left and right of the data set are exchanged, as far as can be told.
  public let isMirrored: Bool
  /// When the sound begins.
  public let start: Timestamp
  /// When it ends at the latest: with the walk.
  public let end: Timestamp

  /// What the walk's file held that could not be read and was left out.
  public var warnings: [FileError] { track.warnings }
  /// What has been said so far.
  public private(set) var said: [SpokenCallout] = []
  /// What its user should know of the phone's log.
  public let phoneWarnings: [FileError]

  private let description: Scene
  private let mix: SegmentedMix
  private let audio: SceneAudio
  private let track: Track
  private var walk: Walk
  private var head: HeadLog?
  private var firstFrame: MotionFrame?
  private var schedule: CalloutSchedule?
  private let synthesizer: SpeechSynthesizer?
  private var renderedFrames = 0
  /// The frame from which the last turn of what is heard took effect.
  private var turnFrame = 0

  /// How many threads may be asked for.
  public static let threadCounts = 1...1024

  /// Sound frames that are rendered at once at the most.
  private static let blockLength = 2048
  /// Hours; a longer walk has a wrong time in it.
  private static let longestWalk = 48.0
  /// How often the scene moves without head frames, seconds.
  private static let stepWithoutHead = 0.02

  /// Opens a scene's records, data set and sounds.
  ///
  /// - Parameter threadCount: How many threads render (see `threadCounts`), on which no sample depends; else as many as
  ///   keep all cores busy.
  /// - Throws: `FileError`, `EngineError` for what cannot be used.
  public init(
    _ description: Scene, catalogue: HRTFCatalogue = HRTFCatalogue(), threadCount: Int? = nil
  ) throws {
    guard let trackPath = description.track else {
      throw FileError(.notFound, file: "track", "a scene that is rendered needs a track")
    }
    let track = try Track(path: trackPath).courses(from: description.course)
    let hours = track.span.upperBound.seconds(since: track.span.lowerBound) / 3600
    guard hours <= Self.longestWalk else {
      throw FileError(
        .unsupported, file: trackPath,
        "from \(track.span.lowerBound) to \(track.span.upperBound), over \(Int(Self.longestWalk)) hours; "
          + "is a time wrong?")
    }
    let phone = try Self.phone(description, track: track)
    phoneWarnings = phone.warnings
    if let path = description.head {
      head = try HeadLog(motionLog: path)
      firstFrame = try head?.next()
    }
    let selection = try catalogue.select(
      description.hrtf, sampleRate: description.sampleRate, fitting: description.fitting)
    let sampleRate = description.sampleRate ?? selection.sampleRate ?? 48_000
    let (beacons, route) = try description.placedBeacons()
    let mix = try SegmentedMix(
      sampleRate: sampleRate, dataSets: selection.dataSets,
      sourceCount: max(1, beacons.count + (description.callouts == nil ? 0 : 1)),
      threadCount: threadCount)
    var library = SoundLibrary(sampleRate: sampleRate)
    audio = try SceneAudio(
      beacons.map { try library.sounding($0, in: description) },
      canSpeak: description.callouts != nil, on: mix)
    schedule = description.callouts.map(CalloutSchedule.init)
    synthesizer = try description.callouts.map {
      try SpeechSynthesizer(voice: $0.voice, sampleRate: sampleRate)
    }
    self.track = track
    walk = Walk(track, phone: phone)
    self.mix = mix
    self.sampleRate = sampleRate
    self.description = description
    dataSetTitle = selection.title
    measuredPart = selection.measuredPart
    isMirrored = selection.isMirrored
    start = max(track.span.lowerBound, firstFrame?.time ?? track.span.lowerBound)
    end = track.span.upperBound
    scene = BeaconScene(
      beacons: try beacons.map { try library.state($0, in: description) },
      route: route,
      calibrator: description.calibrator, isYawOnly: description.isYawOnly)
  }

  private static func phone(_ scene: Scene, track: Track) throws(FileError) -> ReferenceSeries {
    guard let path = scene.phone else { return ReferenceSeries() }
    var settings = CompassSettings()
    settings.modelFolder = DataFolder.magnetism
    settings.place = track.fixes[0].coordinate
    settings.altitude = track.fixes[0].altitude ?? 0
    settings.calibration = try scene.calibration.map { path throws(FileError) in
      try MagnetometerCalibration(path: path)
    }
    let series = try ReferenceSeries(phoneLog: path, settings: settings)
    if let span = series.span {
      try FileError.checkOverlap(path, span, scene.track ?? "", track.span)
    }
    return series
  }

  /// The length of the walk's sound in frames, a head log's early end left aside.
  public var expectedFrameCount: Int { frameIndex(at: end) }

  /// Renders the scene.
  ///
  /// - Parameters:
  ///   - onMove: Called after each move of the scene, before the sound from then on is rendered.
  ///   - onSound: Called with the next samples, left and right by turns; some moves later.
  /// - Throws: What the calls throw, and `FileError` for a fault in the head log or if the head log
  ///   and the walk have no time in common.
  public func render(
    onMove: (BeaconScene) throws -> Void,
    onSound: (UnsafeBufferPointer<Float>) throws -> Void
  ) throws {
    if firstFrame == nil {
      try renderWithoutHead(onMove: onMove, onSound: onSound)
    } else {
      try renderWithHead(onMove: onMove, onSound: onSound)
    }
    try mix.finish(onSound: onSound)
    guard renderedFrames > 0 else {
      throw FileError(
        .unsupported, file: description.track ?? "",
        "the walk, or what the head log has of it, lasts no time")
    }
  }

  private func renderWithHead(
    onMove: (BeaconScene) throws -> Void,
    onSound: (UnsafeBufferPointer<Float>) throws -> Void
  ) throws {
    guard let first = firstFrame else { return }
    var last = first.time
    var next: MotionFrame? = first
    while let frame = next, frame.time <= end {
      try renderLoss(from: last, to: frame.time, onMove: onMove, onSound: onSound)
      // Frames before the walk begins calibrate and are not heard.
      try renderSound(until: frame.time, onSound)
      scene.advance(to: frame, walk.readings(at: frame.time))
      move()
      audio.begin(scene, at: renderedFrames)
      if frame.time >= start {
        try speak()
        try onMove(scene)
      }
      last = frame.time
      next = try head?.next()
    }
    // A frame beyond the walk may be one of a wrong time, as the next one then tells.
    if next != nil { _ = try head?.next() }
    try FileError.checkOverlap(
      description.head ?? "", first.time...last, description.track ?? "", track.span)
  }

  /// The time between two frames that are further apart than those of one connection: the head is lost
  /// at the first step, and the scene goes on without it.
  private func renderLoss(
    from last: Timestamp, to next: Timestamp, onMove: (BeaconScene) throws -> Void,
    onSound: (UnsafeBufferPointer<Float>) throws -> Void
  ) throws {
    let seconds = next.seconds(since: last)
    guard seconds > HeadTracker.longestGap else { return }
    for index in 1..<max(1, Int((seconds / Self.stepWithoutHead).rounded(.up))) {
      let time = last + Double(index) * Self.stepWithoutHead
      try renderSound(until: time, onSound)
      scene.advance(to: time, walk.readings(at: time))
      move()
      audio.begin(scene, at: renderedFrames)
      if time >= start {
        try speak()
        try onMove(scene)
      }
    }
  }

  private func renderWithoutHead(
    onMove: (BeaconScene) throws -> Void,
    onSound: (UnsafeBufferPointer<Float>) throws -> Void
  ) throws {
    let count = Int((end.seconds(since: start) / Self.stepWithoutHead).rounded(.down))
    for index in 0...count {
      let time = start + Double(index) * Self.stepWithoutHead
      try renderSound(until: time, onSound)
      scene.advance(to: time, walk.readings(at: time))
      move()
      audio.begin(scene, at: renderedFrames)
      try speak()
      try onMove(scene)
    }
    try renderSound(until: end, onSound)
  }

  /// Makes the scene's present moment heard, all of it or by the next step.
  private func move() {
    // Nothing has been heard from which to turn.
    if renderedFrames == 0 { audio.jump() }
    let goesOn = renderedFrames >= turnFrame + Glide.interval
    if goesOn { turnFrame = renderedFrames }
    audio.update(scene, goesOn: goesOn)
  }

  /// Says what is due.
  private func speak() throws {
    guard let synthesizer else { return }
    schedule?.update(scene)
    guard !audio.isSpeaking(at: renderedFrames), let index = schedule?.next(scene) else { return }
    let beacon = scene.beacons[index]
    let text = Callout(name: beacon.beacon.name, beacon.geometry).description
    var words = try synthesizer.samples(of: text)
    _ = try audio.say(&words, from: index)
    said.append(SpokenCallout(time: scene.time.seconds(since: start), beacon: index, text: text))
  }

  private func renderSound(
    until time: Timestamp, _ onSound: (UnsafeBufferPointer<Float>) throws -> Void
  ) throws {
    let target = frameIndex(at: time)
    while renderedFrames < target {
      let next = audio.isGliding ? max(turnFrame + Glide.interval, renderedFrames + 1) : .max
      let count = min(Self.blockLength, target - renderedFrames, next - renderedFrames)
      audio.prepare(scene, at: renderedFrames)
      try mix.render(frames: count, onSound: onSound)
      renderedFrames += count
      if renderedFrames == next, renderedFrames < target { move() }
    }
    audio.prepare(scene, at: renderedFrames)
  }

  /// The sound frame at a moment.
  package func frameIndex(at time: Timestamp) -> Int {
    Int((time.seconds(since: start) * Double(sampleRate)).rounded())
  }
}
