import Geometry

/// Options of a choice that are words for directions.
enum NamedDirection {
  private static let directions: [String: Vector3] = [
    "front": [1, 0, 0], "ahead": [1, 0, 0], "back": [-1, 0, 0], "behind": [-1, 0, 0],
    "left": [0, 1, 0], "right": [0, -1, 0], "above": [0, 0, 1], "up": [0, 0, 1],
    "below": [0, 0, -1], "down": [0, 0, -1],
  ]

  /// The option that names the direction nearest to a unit vector; nil unless all options name one.
  static func nearest(to vector: Vector3, among options: [String]) -> String? {
    let named = options.compactMap { option in
      directions[option.lowercased()].map { (option: option, dot: $0.dot(vector)) }
    }
    guard named.count == options.count else { return nil }
    return named.max { $0.dot < $1.dot }?.option
  }
}
