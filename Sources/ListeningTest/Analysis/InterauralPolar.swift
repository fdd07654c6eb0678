import Geometry
import Glibc
import HRTF

/// A direction in the interaural-polar system (lateral, polar), in which front-back and up-down confusions
/// lie along one angle (Morimoto and Aokata, J. Acoust. Soc. Jpn (E) 5 (1984)).
struct InterauralPolar: Equatable, Sendable {
  /// Degrees from the median plane, positive to the left, [−90, 90].
  var lateral: Double
  /// Degrees around the interaural axis: 0 ahead, 90 above, 180 behind; [−90, 270). On the axis itself, where
  /// it means nothing, 0.
  var polar: Double

  init(lateral: Double, polar: Double) {
    self.lateral = lateral
    self.polar = polar
  }

  /// The direction of a unit vector in SOFA's axes.
  init(_ vector: Vector3) {
    lateral = degrees(radians: asin(max(-1, min(1, vector.y))))
    guard hypot(vector.x, vector.z) > 1e-9 else {
      polar = 0
      return
    }
    let angle = degrees(radians: atan2(vector.z, vector.x))
    polar = angle < -90 ? angle + 360 : angle
  }
}
