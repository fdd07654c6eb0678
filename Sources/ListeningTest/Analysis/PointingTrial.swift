import Geometry
import Glibc
import HRTF

/// Which of the classes of errors a response falls into (D. Poirier-Quinot et al., "On the improvement of
/// accommodation to non-individual HRTFs via VR active learning and inclusion of a 3D room response", 2021,
/// and "HRTF performance evaluation", 2022, doi:10.5772/intechopen.104931).
enum ErrorClass: String, Sendable, CaseIterable {
  /// Within 45° of the target.
  case precision
  /// Not so, but within 45° of the target mirrored front to back.
  case frontBack = "front-back"
  /// Neither, but its lateral angle is within 45° of the target's.
  case inCone = "in-cone"
  /// None of these.
  case offCone = "off-cone"

  init(target: Vector3, response: Vector3) {
    func angle(_ a: Vector3, _ b: Vector3) -> Double {
      degrees(radians: atan2(a.cross(b).length, a.dot(b)))
    }
    let lateral = abs(InterauralPolar(response).lateral - InterauralPolar(target).lateral)
    self =
      angle(target, response) <= 45
      ? .precision
      : angle(Vector3(-target.x, target.y, target.z), response) <= 45
        ? .frontBack : lateral <= 45 ? .inCone : .offCone
  }
}

/// Which lateral angle decides whether a trial is near the median plane, where the polar angle has a meaning.
public enum MedianGate: String, Sendable, CaseIterable {
  /// The response's, as in the Auditory Modeling Toolbox and spatialaudiometrics.
  case response
  /// The target's.
  case target
}

/// A target and the response to it.
struct PointingTrial: Sendable {
  var target, response: Vector3
  /// Seconds.
  var responseTime: Double?
  let targetAngles, responseAngles: InterauralPolar
  /// Response minus target, degrees.
  let lateralError: Double
  /// Response minus target around the interaural axis, (−180, 180].
  let polarError: Double
  /// Degrees on the great circle.
  let angle: Double
  let errorClass: ErrorClass

  init(target: SphericalDirection, response: SphericalDirection, responseTime: Double? = nil) {
    (self.target, self.response) = (target.unitVector, response.unitVector)
    self.responseTime = responseTime
    targetAngles = InterauralPolar(self.target)
    responseAngles = InterauralPolar(self.response)
    lateralError = responseAngles.lateral - targetAngles.lateral
    polarError = signedDegrees(responseAngles.polar - targetAngles.polar)
    angle = target.angle(to: response)
    errorClass = ErrorClass(target: self.target, response: self.response)
  }

  /// The trial of a row; nil for one without target or response.
  init?(_ row: ResultRow) {
    guard let target = row.target, let response = row.response else { return nil }
    self.init(target: target, response: response, responseTime: row.responseTime)
  }

  /// Whether the target is far enough from the frontal plane for a confusion of front and back to differ from a
  /// small error.
  var canConfuseFrontBack: Bool { abs(target.x) >= Self.clearance }
  /// Whether the response lies on the other side of the frontal plane: mirrored there it would be nearer.
  var confusesFrontBack: Bool { target.x * response.x < 0 }
  /// Likewise of the horizontal plane.
  var canConfuseUpDown: Bool { abs(target.z) >= Self.clearance }
  /// Likewise of the horizontal plane.
  var confusesUpDown: Bool { target.z * response.z < 0 }

  /// Sine of 15°, a little less so that a target just there counts.
  private static let clearance = sin(15 * Double.pi / 180) - 1e-9
}
