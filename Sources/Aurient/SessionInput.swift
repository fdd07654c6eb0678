public import Geometry
public import HeadTracking
public import Navigation

/// What comes to a session from outside while it plays.
public enum SessionInput: Equatable, Sendable {
  /// A frame of the head's motion.
  case head(MotionFrame)
  /// The headphones have gone.
  case headLost
  /// A place, perhaps with a course.
  case fix(LocationFix)
  /// A direction of travel, degrees, and its uncertainty; nil for none any more.
  case course(Double?, accuracy: Double?)
  /// The place is not known any more.
  case noFix
  /// A reading of the phone's compass.
  case phone(PhoneHeading)
  /// Nothing but time.
  case tick
  /// Nothing but sound: what was set before has been heard, and what turns by steps goes on, see `Glide`.
  case turn
  /// Something that a user or a program wants.
  case command(SceneCommand)
}

/// What a user or a program may want of a session. Beacons are called by names, which are theirs alone.
public enum SceneCommand: Equatable, Sendable {
  /// Puts a beacon somewhere, or moves the one of that name there.
  case place(name: String, GeodeticCoordinate)
  /// Puts a beacon in a direction from where the listener is then, degrees and metres, or moves the one of that
  /// name there. A listener whose place has never been known is first put at 0° N, 0° E.
  case placeAround(name: String, bearing: Double, distance: Double)
  /// Takes it away.
  case remove(name: String)
  /// Gives it a style (see `BeaconStyle(named:)`), which is read by the session unless it has been already.
  case style(name: String, String, LoadedSounds? = nil)
  /// Gives it a sound file, likewise.
  case sound(name: String, path: String, LoadedSounds? = nil)
  /// Sets its loudness, decibels, at most 0.
  case gain(name: String, Double)
  /// Turns it off or on.
  case mute(name: String, Bool)
  /// Sets the loudness of all, decibels, at most 0.
  case volume(Double)
  /// Says words from a beacon's place, after those before; samples at the session's rate, or nil to have them
  /// made, which takes about a tenth of a second.
  case say(name: String, text: String, [Float]? = nil)
  /// Takes the head's attitude as looking in a direction, degrees; nil for that of the presentation heading.
  case recenter(Double?)
  /// Goes on to a place of the route, or back to it.
  case route(Int)
}
