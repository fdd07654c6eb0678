import Geometry

/// What is said of a beacon: `Fountain, 40 metres, ahead left`.
public struct Callout: Equatable, Sendable, CustomStringConvertible {
  /// How a direction is put into words.
  public enum Wording: String, CaseIterable, Sendable {
    /// Eight sides: ahead, ahead right, right, behind right, behind, …
    case sides
    /// The hours of a clock: at 11 o'clock.
    case clock
  }

  /// The name, the distance and the direction, parted by commas.
  public let description: String

  /// The words for a beacon; without a heading its direction is that of the compass.
  ///
  /// - Parameter name: what the beacon is called; nil for "beacon".
  public init(name: String?, _ geometry: BeaconGeometry, wording: Wording = .sides) {
    let distance = Self.distance(geometry.distance)
    let parts = [name ?? "beacon", distance ?? "here"]
    let direction =
      geometry.relative.map { Self.direction(relative: $0, wording: wording) }
      ?? Self.direction(bearing: geometry.bearing)
    description = (distance == nil ? parts : parts + [direction]).joined(separator: ", ")
  }

  /// A distance in metres in words: to the metre below 10 m, to 5 m below 100 m, to 10 m below 1 km, to
  /// 0.1 km below 10 km, to the kilometre beyond; halves upwards. Nil for less than half a metre.
  public static func distance(_ metres: Double) -> String? {
    func rounded(to step: Double) -> Int { Int((metres / step + 0.5).rounded(.down) * step) }
    guard metres.isFinite, metres >= 0.5 else { return nil }
    switch metres {
    case ..<9.5: return counted(rounded(to: 1), "metre")
    case ..<97.5: return counted(rounded(to: 5), "metre")
    case ..<995: return counted(rounded(to: 10), "metre")
    case ..<9950:
      let tenths = rounded(to: 100) / 100
      return tenths % 10 == 0
        ? counted(tenths / 10, "kilometre") : "\(tenths / 10).\(tenths % 10) kilometres"
    case ..<1e9: return counted(rounded(to: 1000) / 1000, "kilometre")
    default: return nil
    }
  }

  private static func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A direction against where the listener faces, degrees, clockwise.
  public static func direction(relative: Double, wording: Wording) -> String {
    switch wording {
    case .sides:
      let sides = [
        "ahead", "ahead right", "right", "behind right", "behind", "behind left", "left",
        "ahead left",
      ]
      return sides[sector(relative, of: sides.count)]
    case .clock:
      let hour = sector(relative, of: 12)
      return "at \(hour == 0 ? 12 : hour) o'clock"
    }
  }

  /// A direction of the compass, degrees clockwise from north.
  public static func direction(bearing: Double) -> String {
    let names = [
      "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    ]
    return names[sector(bearing, of: names.count)]
  }

  /// Which of `count` even sectors has the direction, the first centred ahead; at an edge the next one
  /// clockwise.
  private static func sector(_ degrees: Double, of count: Int) -> Int {
    let width = 360 / Double(count)
    return Int((positiveDegrees(degrees) / width + 0.5).rounded(.down)) % count
  }
}
