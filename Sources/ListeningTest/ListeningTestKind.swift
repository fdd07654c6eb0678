/// The kinds of listening test that a design can ask for, by their names in designs and results.
public enum ListeningTestKind: String, Sendable, CaseIterable {
  /// Pointing at where a sound is, on the sphere or the horizontal plane.
  case localisation
  /// The least angle between two directions that is told apart, by staircases.
  case minimumAudibleAngle = "minimum-audible-angle"
  /// Which of two stimuli a third one is.
  case abx
  /// Ratings of several systems against a reference, with hidden reference and anchor (ITU-R BS.1534).
  case preference
  /// Rendered walks with a moving head.
  case walk
}
