public import Navigation

/// What a beacon sounds like: a loop for each region of direction, all on one grid of beats, and what
/// is played when it starts, when it is reached, and near it.
///
/// See `docs/beacons.md` for the file that describes one.
public struct BeaconStyle: Equatable, Sendable {
  /// A loop and where it is heard.
  public struct Loop: Equatable, Sendable {
    /// The region.
    public var region: BeaconRegion
    /// The sound file; its length is a whole number of beats.
    public var file: String

    /// A loop for a region.
    public init(region: BeaconRegion, file: String) {
      self.region = region
      self.file = file
    }
  }

  /// The folder's name.
  public var name: String
  /// Hz, of all files.
  public var sampleRate: Int
  /// Samples from beat to beat, at that rate.
  public var beat: Int
  /// The loops from ahead to behind, one for each region of `division`.
  public var loops: [Loop]
  /// How the directions are divided.
  public var division: AngularRegions
  /// The melody before the loop, if any; a whole number of beats.
  public var start: String?
  /// The melody at the arrival, if any; a whole number of beats.
  public var end: String?
  /// The loop of nearness, if any.
  public var hum: String?

  /// The names of the styles that ship, in alphabetical order.
  public static let shipped = ["drops", "shaker", "sticks", "wood"]

  /// Samples from beat to beat at another rate; nil where that is no whole number. Those of the styles
  /// that ship are whole at 44.1 kHz and at the multiples of 48 kHz.
  public func beat(at rate: Int) -> Int? {
    let (samples, rest) = (beat * rate).quotientAndRemainder(dividingBy: sampleRate)
    return rest == 0 ? samples : nil
  }

  /// Its sound files.
  public var files: [String] { loops.map(\.file) + [start, end, hum].compactMap { $0 } }
}
