import Files
import Navigation
import SpatialAudio

/// The sounds of a beacon at the engine's rate, in memory: loops on one grid of beats, and what is played
/// before, after and beside them.
public struct StyleSounds: Sendable {
  /// Frames from beat to beat; every loop and melody of a style is a whole number of beats long.
  let beat: Int
  /// A loop for each region of the style, from ahead to behind; of a plain sound the one.
  let loops: [[Float]]
  let start, end, hum: [Float]?

  /// The longest sound, frames; longer ones are no loops for a beacon.
  private static let longest = 1 << 24
  /// Frames from beat to beat of a plain sound, which has none of its own: a tenth of a second at 48 kHz.
  private static let plainBeat = 4800

  /// Sounds in memory, of a style as in `BeaconStyle`.
  init(
    beat: Int, loops: [[Float]], start: [Float]? = nil, end: [Float]? = nil, hum: [Float]? = nil
  ) {
    (self.beat, self.loops) = (beat, loops)
    (self.start, self.end, self.hum) = (start, end, hum)
  }

  /// A plain sound, played again and again from all directions.
  public init(loop: [Float]) {
    self.init(beat: Self.plainBeat, loops: [loop])
  }

  /// Reads a sound file as a plain sound.
  ///
  /// - Throws: `FileError` if it cannot be read.
  public init(path: String, sampleRate: Int) throws(FileError) {
    self.init(loop: try Sound(path: path).resampled(to: sampleRate, looping: true).samples)
  }

  /// Reads the sounds of a style.
  ///
  /// At a rate at which a beat is no whole number of frames, sounds are stretched by less than one part
  /// in the frames of a beat, so that beats stay whole.
  /// - Throws: `FileError` if one cannot be read, is of another rate than the style says, or is not a
  ///   whole number of beats long.
  public init(_ style: BeaconStyle, sampleRate: Int) throws(FileError) {
    let beat = Int((Double(style.beat) * Double(sampleRate) / Double(style.sampleRate)).rounded())
    func read(_ path: String) throws(FileError) -> [Float] {
      let sound = try Sound(path: path)
      guard sound.sampleRate == style.sampleRate else {
        throw FileError(
          .unsupported, file: path,
          "\(sound.sampleRate) Hz, where the style has \(style.sampleRate)"
        )
      }
      let (beats, rest) = sound.samples.count.quotientAndRemainder(dividingBy: style.beat)
      guard rest == 0, beats > 0, sound.samples.count <= Self.longest else {
        throw FileError(
          .unsupported, file: path,
          "\(sound.samples.count) samples are no whole number of beats of \(style.beat)")
      }
      return sound.resampled(to: sampleRate, loopLength: beats * beat).samples
    }
    func readIfAny(_ path: String?) throws(FileError) -> [Float]? {
      guard let path else { return nil }
      return try read(path)
    }
    self.beat = beat
    var loops: [[Float]] = []
    for loop in style.loops { loops.append(try read(loop.file)) }
    self.loops = loops
    start = try readIfAny(style.start)
    end = try readIfAny(style.end)
    hum = try readIfAny(style.hum)
  }
}
