import HRTF

/// A listening test as somebody has designed it: what is heard, in what order, and what is asked.
struct ListeningDesign: Sendable {
  /// A set of head-related responses.
  struct Ears: Sendable {
    /// Its name in conditions and results.
    var id: String
    /// A name of the catalogue, or a SOFA file.
    var set: String
    /// What is changed of it.
    var fitting: HRTFFitting
  }

  /// A sound, heard from all directions.
  struct Source: Sendable {
    var id: String
    var file: String
    /// Where in the file it begins, s.
    var start: Double
    /// How long it is, s; nil to the file's end.
    var duration: Double?
  }

  /// A scene that is walked through.
  struct Walk: Sendable {
    var id: String
    var file: String
    /// Where in the walk's sound the stimulus begins, s.
    var start: Double
    /// How long it is, s; nil to the walk's end.
    var duration: Double?
    /// The name of the beacon whose direction at the end is the target; nil for the first.
    var beacon: String?
    /// The option that is right, where one is chosen.
    var expected: String?
  }

  /// What is asked after a trial.
  struct Response: Sendable {
    enum Kind: String, CaseIterable, Sendable {
      case sphere, horizontal, abx, rating, choice
      case directionOfChange = "direction-of-change"
    }
    var kind: Kind
    /// The question; empty for the page's own.
    var text: String
    /// What can be chosen; empty for other kinds.
    var options: [String]
    /// The ends of a rating's scale.
    var minimum, maximum: Double
  }

  /// How loud stimuli are.
  struct Level: Sendable {
    enum Alignment: String, CaseIterable, Sendable {
      /// By ITU-R BS.1770-4: integrated loudness; of what is shorter than its blocks of 0.4 s, the same
      /// measure without gates.
      case loudness
      /// By the root mean square of both ears.
      case rms
      /// Not at all.
      case none
    }
    enum Scope: String, CaseIterable, Sendable {
      /// Each stimulus by itself.
      case stimulus
      /// A set's with a sound all by one gain, which brings what comes from straight ahead to the target.
      case set
    }
    var alignment: Alignment
    /// LUFS or dB of full scale (an amplitude of 1).
    var target: Double
    var scope: Scope
    /// Decibels on everything, where nothing is aligned.
    var gain: Double
    /// Levels roved over, dB against the target, ascending; just 0 for none.
    var rove: [Double]
  }

  /// How stimuli are matched to the headphones.
  struct Headphones: Sendable {
    /// A SOFA file of the convention SimpleHeadphoneIR, or a sound file of one or two channels.
    var file: String
    /// Whether the file holds the headphones' own responses, of which the inverse is taken.
    var isInverted: Bool
  }

  /// An adaptive track (H. Levitt, "Transformed up-down methods in psychoacoustics", J. Acoust. Soc. Am. 49
  /// (1971)).
  struct Staircase: Sendable {
    enum Plane: String, CaseIterable, Sendable { case horizontal, vertical }
    enum Rule: String, CaseIterable, Sendable {
      case twoDown = "2-down-1-up"
      case threeDown = "3-down-1-up"
    }
    var plane: Plane
    var rule: Rule
    /// Angles between the two sounds, degrees, ascending.
    var steps: [Double]
    /// The index of the first step presented.
    var startStep: Int
    /// Steps moved until the first, second … reversal; the last repeats.
    var stepChange: [Int]
    var stopReversals: Int
    var maxTrials: Int
  }

  /// What a preference test adds to the systems under test.
  enum Anchor: String, CaseIterable, Sendable {
    /// The reference low-passed at 3.5 kHz, the low anchor of ITU-R BS.1534-3.
    case lowPass3500 = "lowpass-3500"
    /// The reference low-passed at 7 kHz, its mid anchor.
    case lowPass7000 = "lowpass-7000"
    /// The sound itself, the same at both ears.
    case diotic
  }

  /// What a block is a level of.
  enum Factor: String, CaseIterable, Sendable {
    case hrtf, sound, direction, distance, pair, scene, repetition
  }

  /// The form of stimuli, both of 24 bits.
  enum SoundFormat: String, CaseIterable, Sendable { case flac, wav }

  /// The design's file.
  var path: String
  var id: String
  var title: String
  /// BCP 47.
  var language: String
  var kind: ListeningTestKind
  var seed: Int
  var consent, instructions, thanks: String
  var postURL: String?
  var breakEvery: Int?
  var breakText: String
  /// The page's words, translated.
  var strings: [(key: String, text: String)]
  var response: Response
  /// How often a trial's sound may be heard again; nil for as often as one likes.
  var replays: Int?
  /// Seconds of silence between two intervals.
  var intervalGap: Double
  var isFeedbackGiven: Bool
  /// Their codes.
  var participants: [String]
  var repetitions: Int
  var blockBy: Factor?
  var practiceTrials, catchTrials: Int
  var ears: [Ears]
  var sources: [Source]
  /// Azimuth and elevation in degrees, SOFA's way.
  var directions: [SphericalDirection]
  /// Where each direction stands in the file.
  var directionPlaces: [String]
  /// Metres; nil for that at which each set was measured.
  var distances: [Double]?
  /// Degrees within which a direction must have been measured.
  var directionTolerance: Double
  var level: Level
  /// Seconds of the raised-cosine ramps at a sound's beginning and end.
  var ramp: Double
  var soundFormat: SoundFormat
  /// Hz; nil for the sets' own.
  var sampleRate: Int?
  var headphones: Headphones?
  /// Of a minimum-audible-angle test.
  var staircase: Staircase?
  /// Of an ABX test: numbers of two sets each.
  var pairs: [[Int]]
  /// Of a preference test: the number of the set that the others are judged against.
  var reference: Int
  var anchors: [Anchor]
  /// Of a walk.
  var walks: [Walk]
}
