public import Files
import Geometry
import Glibc

/// Where a phone points by its magnetometer, and what speaks against that.
public struct CompassHeading: Equatable, Sendable {
  /// When it was measured.
  public var time: Timestamp
  /// The part of the phone whose heading it is.
  public var axis: PointingAxis
  /// From magnetic north, [0, 360) degrees; nil where the field or gravity tells none.
  public var magneticHeading: Double?
  /// From true north, [0, 360) degrees; nil where the declination is not known.
  public var trueHeading: Double?
  /// Degrees within which the heading is right at 95 %, as far as noise, tilt and the field's strength and
  /// dip tell; nil where nothing does.
  public var accuracy: Double?
  /// Length of the calibrated field, µT.
  public var strength: Double
  /// Degrees of the field below the horizontal; nil without a horizontal direction.
  public var dip: Double?
  /// What speaks against the field.
  public var faults: FieldFaults

  /// Whether the heading is no reference.
  public var isDisturbed: Bool { !faults.isEmpty }
}

/// Makes headings of readings, in the order of time.
public struct HeadingEstimator: Sendable {
  /// What takes the phone's magnetism out; nil for readings that are without already.
  public var calibration: MagnetometerCalibration?
  private let check: InterferenceCheck
  private var rotationCheck: RotationCheck
  private let fixedAxis: PointingAxis?
  private var axisChoice = PointingAxisChoice()
  private var last: Timestamp?

  /// An estimator that has seen nothing.
  ///
  /// - Parameter axis: The part of the phone that counts, or nil to choose by how it is held.
  public init(
    calibration: MagnetometerCalibration? = nil, check: InterferenceCheck = InterferenceCheck(),
    rotationCheck: RotationCheck = RotationCheck(), axis: PointingAxis? = nil
  ) {
    self.calibration = calibration
    self.check = check
    self.rotationCheck = rotationCheck
    fixedAxis = axis
  }

  /// The heading of a reading whose gravity points down.
  public mutating func update(
    _ reading: MagnetometerReading, expected: FieldExpectation?
  ) -> CompassHeading {
    let field = calibration?.corrected(reading.field) ?? reading.field
    let seconds = last.map { reading.time.seconds(since: $0) } ?? 0
    last = reading.time
    var heading = CompassHeading(
      time: reading.time, axis: fixedAxis ?? axisChoice.axis, strength: field.length, faults: [])
    if rotationCheck.update(field, rotationRate: reading.rotationRate, after: seconds) == true {
      heading.faults.insert(.rotation)
    }
    guard let gravity = reading.gravity,
      let frame = HorizontalFrame(field: field, gravity: gravity)
    else {
      heading.faults.insert(.vertical)
      return heading
    }
    axisChoice.update(frame)
    heading.axis = fixedAxis ?? axisChoice.axis
    heading.dip = frame.dip
    heading.magneticHeading = frame.heading(of: heading.axis.direction)
    if heading.magneticHeading == nil { heading.faults.insert(.vertical) }
    if let declination = expected?.declination {
      heading.trueHeading = heading.magneticHeading.map { positiveDegrees($0 + declination) }
    }
    if let expected {
      heading.faults.formUnion(
        check.faults(strength: field.length, dip: frame.dip, expected: expected))
    }
    heading.accuracy = accuracy(frame, strength: field.length, expected)
    return heading
  }

  /// Twice the standard deviation of the heading: that of the field across the horizontal one, taken from
  /// the calibration's residual and from how far strength and dip are off, over the horizontal strength;
  /// and that of the vertical, times the tangent of the dip, by which a sideways tilt turns the heading.
  private func accuracy(
    _ frame: HorizontalFrame, strength: Double, _ expected: FieldExpectation?
  ) -> Double? {
    guard calibration != nil || expected != nil else { return nil }
    var square = pow(calibration?.residual ?? Self.uncalibrated, 2)
    var horizontal = frame.horizontalStrength
    if let expected {
      square += pow(strength - expected.strength, 2)
      if let dip = expected.dip {
        square += pow(strength * radians(degrees: frame.dip - dip), 2)
        horizontal = min(horizontal, expected.strength * cos(radians(degrees: dip)))
      }
    }
    let tilt = tan(radians(degrees: frame.dip)) * radians(degrees: Self.tilt)
    let deviation = hypot(square.squareRoot() / max(horizontal, 1e-9), tilt)
    return min(180, 2 * degrees(radians: deviation))
  }

  /// Standard deviations: of the field's components in a phone that calibrates itself, µT, and of the
  /// vertical in a hand that moves, degrees.
  private static let (uncalibrated, tilt) = (2.0, 1.0)
}
