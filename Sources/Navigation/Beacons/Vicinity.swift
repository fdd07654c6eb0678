/// Whether a listener is near a beacon: entered at one distance, left at a greater one.
public struct Vicinity: Equatable, Sendable {
  /// What happens at its borders.
  public enum Event: Equatable, Sendable {
    /// The listener has come near: the arrival.
    case entered
    /// The listener has gone again.
    case left
  }

  /// Metres from the beacon at which it is entered.
  public let entry: Double
  /// Metres at which it is left, not less.
  public let exit: Double
  /// Whether the listener is in it; nil before the first distance.
  public private(set) var isInside: Bool?

  /// A vicinity that nobody has entered; nil unless 0 < `entry` ≤ `exit`.
  public init?(entry: Double = 15, exit: Double = 30) {
    guard entry > 0, exit >= entry, exit.isFinite else { return nil }
    self.entry = entry
    self.exit = exit
  }

  /// Takes a distance in metres.
  ///
  /// Who is near at the first has not arrived: a beacon that is set where the listener stands sounds
  /// until it has been left and come back to.
  public mutating func update(distance: Double) -> Event? {
    let wasInside = isInside
    isInside = wasInside == true ? distance <= exit : distance < entry
    switch (wasInside, isInside) {
    case (false?, true?): return .entered
    case (true?, false?): return .left
    default: return nil
    }
  }

  /// How strong a hum of nearness is at a distance: 0 from the exit on, 1 from the entry on, between
  /// them even in the distance.
  public func closeness(distance: Double) -> Double {
    guard exit > entry else { return distance <= entry ? 1 : 0 }
    return min(1, max(0, (exit - distance) / (exit - entry)))
  }
}
