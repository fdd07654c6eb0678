/// What the zero of a head's yaw is.
public enum HeadReference: String, CaseIterable, Sendable {
  /// Anything, as with headphones: it is found by phone and course, or set by recentring.
  case unknown
  /// True north, or what the source takes for it: the yaw is the heading from the first frame on.
  case north
}
