public import Files

/// What is changed of a measured set before it is rendered: its common timbre, the size of the head, and
/// how near sources may come.
public struct HRTFFitting: Hashable, Sendable {
  /// The response by which all others are divided.
  public enum Equalization: String, CaseIterable, Sendable {
    /// None: the file is the truth.
    case none
    /// What a sound from everywhere meets, which headphones equalised to the diffuse field bring along.
    case diffuseField = "diffuse-field"
    /// What a sound from ahead meets, which headphones equalised to the free field bring along.
    case freeField = "free-field"
  }

  /// How the set is equalised.
  public var equalization: Equalization
  /// The circumference of the listener's head above the ears, centimetres, to which interaural times
  /// are scaled; nil for those of the set.
  public var headCircumference: Double?
  /// Whether distances nearer than measured are made up, down to 0.15 m, as on a spherical head.
  public var isNearField: Bool
  /// Whether the azimuths of a set whose left and right are exchanged are counted the other way round.
  public var isMirrorFixed = false

  /// Circumferences that can be asked for, centimetres: from a small child's head to beyond any.
  public static let headCircumferences = 45.0...70.0

  /// A change of a set; by default none.
  public init(
    equalization: Equalization = .none, headCircumference: Double? = nil, isNearField: Bool = false
  ) {
    self.equalization = equalization
    self.headCircumference = headCircumference
    self.isNearField = isNearField
  }

  /// What it adds to the name of a data set; empty if it changes nothing.
  var suffix: String {
    (equalization == .none ? "" : "-\(equalization.rawValue)")
      + (headCircumference.map { "-head\($0)" } ?? "") + (isNearField ? "-near" : "")
      + (isMirrorFixed ? "-turned" : "")
  }
}

extension HRIRSet {
  /// The set as `fitting` wants it.
  ///
  /// - Parameter path: The file that it is of, for errors.
  /// - Throws: `FileError` if the set has no response from ahead to equalise by, or no interaural times
  ///   that tell its head's size.
  public func fitted(_ fitting: HRTFFitting, path: String) throws(FileError) -> HRIRSet {
    var set = fitting.isMirrorFixed && isMirrored == true ? mirrored() : self
    // The head first: it is found in the responses, which equalisation makes longer.
    if let circumference = fitting.headCircumference {
      guard let radius = headRadius else {
        throw FileError(
          .unsupported, file: path,
          "its interaural times are not those of a head, so they cannot be scaled to another"
            + (isMirrored == true ? ": left and right are mirrored" : ""))
      }
      set = set.scalingTimes(by: circumference / 100 / (2 * .pi) / radius)
    }
    switch fitting.equalization {
    case .none: break
    case .diffuseField: set = set.equalized(by: set.diffuseFieldPower)
    case .freeField:
      guard let power = set.freeFieldPower else {
        throw FileError(
          .unsupported, file: path,
          "has no response within 5 degrees of ahead, by which free-field equalisation divides")
      }
      set = set.equalized(by: power)
    }
    return set
  }
}
