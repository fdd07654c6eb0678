public import HRTF

/// A listening test as somebody has designed it: what is heard, in what order, and what is asked.
public struct ListeningDesign: Sendable {
  /// A set of head-related responses.
  public struct Ears: Sendable {
    /// Its name in conditions and results.
    public var id: String
    /// A name of the catalogue, or a SOFA file.
    public var set: String
    /// What is changed of it.
    public var fitting: HRTFFitting
  }

  /// A sound, heard from all directions.
  public struct Source: Sendable {
    public var id: String
    public var file: String
    /// Where in the file it begins, s.
    public var start: Double
    /// How long it is, s; nil to the file's end.
    public var duration: Double?
  }

  /// A scene that is walked through.
  public struct Walk: Sendable {
    public var id: String
    public var file: String
    /// Where in the walk's sound the stimulus begins, s.
    public var start: Double
    /// How long it is, s; nil to the walk's end.
    public var duration: Double?
    /// The name of the beacon whose direction at the end is the target; nil for the first.
    public var beacon: String?
    /// The option that is right, where one is chosen.
    public var expected: String?
  }

  /// What is asked after a trial.
  public struct Response: Sendable {
    public enum Kind: String, CaseIterable, Sendable {
      case sphere, horizontal, abx, rating, choice
      case directionOfChange = "direction-of-change"
    }
    public var kind: Kind
    /// The question.
    public var text: String
    /// What can be chosen; empty for other kinds.
    public var options: [String]
    /// The ends of a rating's scale.
    public var minimum, maximum: Double
  }

  /// How loud stimuli are.
  public struct Level: Sendable {
    public enum Alignment: String, CaseIterable, Sendable {
      /// By ITU-R BS.1770-4: integrated loudness; of what is shorter than its blocks of 0.4 s, the same
      /// measure without gates.
      case loudness
      /// By the root mean square of both ears.
      case rms
      /// Not at all.
      case none
    }
    public enum Scope: String, CaseIterable, Sendable {
      /// Each stimulus by itself.
      case stimulus
      /// A set's with a sound all by one gain, which brings what comes from straight ahead to the target.
      case set
    }
    public var alignment: Alignment
    /// LUFS or dB of full scale (an amplitude of 1).
    public var target: Double
    public var scope: Scope
    /// Decibels on everything, where nothing is aligned.
    public var gain: Double
    /// Levels roved over, dB against the target, ascending; just 0 for none.
    public var rove: [Double]
  }

  /// How stimuli are matched to the headphones.
  public struct Headphones: Sendable {
    /// A SOFA file of the convention SimpleHeadphoneIR, or a sound file of one or two channels.
    public var file: String
    /// Whether the file holds the headphones' own responses, of which the inverse is taken.
    public var isInverted: Bool
  }

  /// An adaptive track (H. Levitt, "Transformed up-down methods in psychoacoustics", J. Acoust. Soc. Am. 49
  /// (1971)).
  public struct Staircase: Sendable {
    public enum Plane: String, CaseIterable, Sendable { case horizontal, vertical }
    public enum Rule: String, CaseIterable, Sendable {
      case twoDown = "2-down-1-up"
      case threeDown = "3-down-1-up"
    }
    public var plane: Plane
    public var rule: Rule
    /// Angles between the two sounds, degrees, ascending.
    public var steps: [Double]
    /// The index of the first step presented.
    public var startStep: Int
    /// Steps moved until the first, second … reversal; the last repeats.
    public var stepChange: [Int]
    public var stopReversals: Int
    public var maxTrials: Int
  }

  /// What a preference test adds to the systems under test.
  public enum Anchor: String, CaseIterable, Sendable {
    /// The reference low-passed at 3.5 kHz, the low anchor of ITU-R BS.1534-3.
    case lowPass3500 = "lowpass-3500"
    /// The reference low-passed at 7 kHz, its mid anchor.
    case lowPass7000 = "lowpass-7000"
    /// The sound itself, the same at both ears.
    case diotic
  }

  /// What a block is a level of.
  public enum Factor: String, CaseIterable, Sendable {
    case hrtf, sound, direction, distance, pair, scene, repetition
  }

  /// The form of stimuli, both of 24 bits.
  public enum SoundFormat: String, CaseIterable, Sendable { case flac, wav }

  /// The design's file.
  public var path: String
  public var id: String
  public var title: String
  /// BCP 47.
  public var language: String
  public var kind: ListeningTestKind
  public var seed: Int
  public var consent, instructions, thanks: String
  public var postURL: String?
  public var breakEvery: Int?
  public var breakText: String
  /// The page's words, translated.
  public var strings: [(key: String, text: String)]
  public var response: Response
  /// How often a trial's sound may be heard again; nil for as often as one likes.
  public var replays: Int?
  /// Seconds of silence between two intervals.
  public var intervalGap: Double
  public var isFeedbackGiven: Bool
  /// Their codes.
  public var participants: [String]
  public var repetitions: Int
  public var blockBy: Factor?
  public var practiceTrials, catchTrials: Int
  public var ears: [Ears]
  public var sources: [Source]
  /// Azimuth and elevation in degrees, SOFA's way.
  public var directions: [SphericalDirection]
  /// Where each direction stands in the file.
  var directionPlaces: [String]
  /// Metres; nil for that at which each set was measured.
  public var distances: [Double]?
  /// Degrees within which a direction must have been measured.
  public var directionTolerance: Double
  public var level: Level
  /// Seconds of the raised-cosine ramps at a sound's beginning and end.
  public var ramp: Double
  public var soundFormat: SoundFormat
  /// Hz; nil for the sets' own.
  public var sampleRate: Int?
  public var headphones: Headphones?
  /// Of a minimum-audible-angle test.
  public var staircase: Staircase?
  /// Of an ABX test: numbers of two sets each.
  public var pairs: [[Int]]
  /// Of a preference test: the number of the set that the others are judged against.
  public var reference: Int
  public var anchors: [Anchor]
  /// Of a walk.
  public var walks: [Walk]
}
