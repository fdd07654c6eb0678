public import Geometry

/// The part of a phone whose heading counts.
public enum PointingAxis: String, CaseIterable, Sendable {
  /// The top edge, for a phone that lies in the hand.
  case topEdge
  /// The back camera, for a phone held upright.
  case backCamera

  /// Its direction in the device's axes.
  public var direction: Vector3 { self == .topEdge ? Vector3(0, 1, 0) : Vector3(0, 0, -1) }
}

/// Chooses the part of a phone that points where its user looks.
///
/// The top edge's heading is lost where that edge is vertical. The camera takes over once the edge is
/// more than 75° from the horizontal, and gives back below 65°: as late as the edge's heading is sound
/// (errors grow by 1/cos 75° = 3.9), since a phone turned about its long axis by some degrees has another
/// camera heading, by no less than as many degrees, and the heading jumps by that.
public struct PointingAxisChoice: Equatable, Sendable {
  /// The part that counts.
  public private(set) var axis = PointingAxis.topEdge

  /// Degrees of the top edge from the horizontal above which the camera takes over, and below which it
  /// gives back.
  public static let limits = (upright: 75.0, level: 65.0)

  /// A choice that starts with the top edge.
  public init() {}

  /// Takes the next attitude.
  public mutating func update(_ frame: HorizontalFrame) {
    let elevation = abs(frame.elevation(of: PointingAxis.topEdge.direction))
    if elevation > Self.limits.upright { axis = .backCamera }
    if elevation < Self.limits.level { axis = .topEdge }
  }
}
