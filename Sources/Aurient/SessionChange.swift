import Navigation

/// A change of a session that has been made ready, so that to carry it out takes neither files nor memory.
///
/// Beacons are meant by their numbers, at the time when all changes made ready before have been carried out.
enum SessionChange: Sendable {
  /// Where a beacon is to be.
  enum Place: Sendable {
    case at(GeodeticCoordinate)
    /// In a direction from the listener, degrees, and so many metres away.
    case around(bearing: Double, distance: Double)
  }

  case add(BeaconState, SceneAudio.Sounding, BeaconVoice, Place)
  case move(Int, Place)
  case remove(Int)
  case sounds(Int, BeaconVoice, division: AngularRegions?, vicinity: Vicinity?)
  case gain(Int, Float)
  case mute(Int, Bool)
  case volume(Float)
  /// Words, at the session's rate.
  case say(Int, [Float])
  case recenter(Double?)
  case route(Int)
}
