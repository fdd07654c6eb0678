import Files
import Geometry
import Glibc
import HeadTracking
import TestSupport

/// A walk with known headings: the body goes straight or turns corners, the head sways and glances, the
/// phone is biased and the receiver noisy, all from one seed.
struct SimulatedWalk: Sendable {
  var seconds = 120.0
  var rate = 25.0
  /// Degrees a minute that the yaw drifts.
  var drift = 0.0
  /// Seconds between glances of up to 70° for 0.5 to 2 s; nil for none.
  var glances: Double?
  /// Seconds between corners of 90°; nil for none.
  var corners: Double?
  /// Degrees that the phone's heading is off at a time; nil where the phone is absent.
  var phoneBias: @Sendable (Double) -> Double? = { _ in 3 }
  /// Whether there is a course at a time.
  var hasCourse: @Sendable (Double) -> Bool = { _ in true }
  /// Standard deviation of a course, degrees, and how late it is, seconds.
  var courseNoise = 4.0
  var courseLag = 0.0
  /// Degrees that the head is turned aside beyond glances, at a time.
  var aside: @Sendable (Double) -> Double = { _ in 0 }
  /// Degrees that the yaw's zero is moved, at a time.
  var zero: @Sendable (Double) -> Double = { _ in 123 }

  struct Frame {
    let seconds: Double
    let truth: Double
    let body: Double
    let pose: HeadPose
  }

  /// The walk as a tracker sees it.
  func track(
    _ tracker: HeadTracker, seed: UInt64, withoutReferences isAlone: Bool = false
  ) -> [Frame] {
    var tracker = tracker
    tracker.becomeAvailable()
    tracker.start()
    tracker.connect()
    var generator = SeededGenerator(seed: seed)
    var (sway, wander, phoneNoise) = (0.0, 0.0, 0.0)
    var glance = (from: Double.infinity, to: 0.0, angle: 0.0)
    var nextGlance = glances.map { $0 / 2 } ?? .infinity
    let direction = Double.random(in: 0..<360, using: &generator)
    var bodies: [Double] = []
    var phone: ReferenceSeries.Reading?
    var course: ReferenceSeries.Reading?
    var (nextPhone, nextFix) = (0.0, 0.0)
    var frames: [Frame] = []
    for index in 0..<Int(seconds * rate) {
      let time = Double(index) / rate
      let stamp = Timestamp(nanoseconds: Int64((time * 1e9).rounded()) + 1_790_000_000_000_000_000)
      step(&sway, deviation: 5, correlation: 1.5, &generator)
      step(&wander, deviation: 2, correlation: 4, &generator)
      step(&phoneNoise, deviation: 5, correlation: 1, &generator)
      if let glances, time >= nextGlance {
        glance = (
          time, time + Double.random(in: 0.5...2, using: &generator),
          Double.random(in: -70...70, using: &generator)
        )
        nextGlance += glances
      }
      let isGlancing = (glance.from...max(glance.from, glance.to)).contains(time)
      let turned = corners.map { 90 * (floor(time / $0) + min(1, fmod(time, $0) / 2.5) - 1) } ?? 0
      bodies.append(direction + turned + wander)
      let body = bodies[index]
      let truth = body + sway + (isGlancing ? glance.angle : 0) + aside(time)
      if time >= nextPhone {
        nextPhone += 0.1
        phone = phoneBias(time).map {
          .init(time: stamp, direction: positiveDegrees(body + $0 + phoneNoise))
        }
      }
      if time >= nextFix {
        nextFix += 1
        let late = bodies[max(0, index - Int(courseLag * rate))]
        course = .init(
          time: stamp,
          direction: hasCourse(time)
            ? positiveDegrees(late + courseNoise * normal(&generator)) : nil)
      }
      let yaw = truth - zero(time) + drift / 60 * time
      let frame = MotionFrame(
        time: stamp,
        attitude: CoreMotionAngles(yaw: radians(degrees: -yaw), pitch: 0, roll: 0).quaternion)
      frames.append(
        Frame(
          seconds: time, truth: truth, body: body,
          pose: tracker.update(
            frame, phoneHeading: isAlone ? nil : phone, course: isAlone ? nil : course)))
    }
    return frames
  }

  /// Moves a first-order Gauss–Markov process on by a frame.
  private func step(
    _ value: inout Double, deviation: Double, correlation: Double,
    _ generator: inout SeededGenerator
  ) {
    let kept = exp(-1 / (rate * correlation))
    value = kept * value + deviation * (1 - kept * kept).squareRoot() * normal(&generator)
  }

  /// A normal deviate, by the transform of Box and Muller (1958).
  private func normal(_ generator: inout SeededGenerator) -> Double {
    let (radius, angle) = (
      Double.random(in: Double.leastNonzeroMagnitude..<1, using: &generator),
      Double.random(in: 0..<1, using: &generator)
    )
    return (-2 * log(radius)).squareRoot() * cos(2 * .pi * angle)
  }
}

extension [SimulatedWalk.Frame] {
  /// The frames that have a heading, with its error in degrees.
  var errors: [(frame: SimulatedWalk.Frame, error: Double)] {
    compactMap { frame in
      frame.pose.heading.map { (frame, signedDegrees($0 - frame.truth)) }
    }
  }

  /// Root mean square of the errors.
  var rms: Double {
    let errors = errors
    return (errors.reduce(0) { $0 + $1.error * $1.error } / Double(errors.count)).squareRoot()
  }
}
