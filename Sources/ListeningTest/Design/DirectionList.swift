import Files
import Geometry
import HRTF

/// The directions of a design: single ones, grids of azimuths, and points spread evenly over the sphere, in
/// the order of the file.
struct DirectionList {
  private(set) var directions: [SphericalDirection] = []
  /// Where each stands in the file.
  private(set) var places: [String] = []

  /// Directions of one list at the most.
  private static let greatestCount = 100_000

  /// - Throws: `FileError` for what is no direction, and for one that comes twice.
  init(_ list: JSONPlace) throws(FileError) {
    var seen: Set<SphericalDirection> = []
    for item in try list.list() {
      for direction in try Self.directions(item) {
        guard directions.count < Self.greatestCount else {
          throw list.fault("more than \(Self.greatestCount) directions")
        }
        // As they stand in results, to a thousandth of a degree.
        guard seen.insert(Self.rounded(direction)).inserted else {
          throw item.fault(
            "azimuth \(short(direction.azimuth)), elevation \(short(direction.elevation)) is there "
              + "already")
        }
        directions.append(direction)
        places.append(item.place)
      }
    }
  }

  private static func rounded(_ direction: SphericalDirection) -> SphericalDirection {
    // All azimuths of a pole are one direction.
    let isPole = abs(direction.elevation) == 90
    return SphericalDirection(
      azimuth: isPole ? 0 : thousandths(direction.azimuth),
      elevation: thousandths(direction.elevation))
  }

  private static func directions(_ item: JSONPlace) throws(FileError) -> [SphericalDirection] {
    if let grid = item.optional("grid") {
      try item.checkKeys(["grid"])
      return try Self.grid(grid)
    }
    if let sphere = item.optional("fibonacci") {
      try item.checkKeys(["fibonacci"])
      return try Self.sphere(sphere)
    }
    try item.checkKeys(["azimuth_deg", "elevation_deg"])
    return [
      SphericalDirection(
        azimuth: try item.required("azimuth_deg").number(-180...360),
        elevation: try item.optional("elevation_deg")?.number(-90...90) ?? 0)
    ]
  }

  /// Azimuths from one to another, at each of some elevations.
  private static func grid(_ grid: JSONPlace) throws(FileError) -> [SphericalDirection] {
    try grid.checkKeys(["azimuth_from_deg", "azimuth_to_deg", "azimuth_step_deg", "elevations_deg"])
    let step = try grid.required("azimuth_step_deg").number(0.1...360)
    let from = try grid.optional("azimuth_from_deg")?.number(-180...360) ?? 0
    let to = try grid.optional("azimuth_to_deg")?.number(-180...360) ?? from + 360 - step
    guard to >= from else {
      throw grid.fault("azimuth_to_deg \(short(to)) is before azimuth_from_deg \(short(from))")
    }
    var elevations = [0.0]
    if let list = grid.optional("elevations_deg") {
      elevations = []
      for item in try list.list() { elevations.append(try item.number(-90...90)) }
    }
    // A last step that rounding puts a hair beyond the end counts.
    let count = Int(((to - from) / step + 1e-9).rounded(.down))
    return elevations.flatMap { elevation in
      (0...count).map { index in
        SphericalDirection(
          azimuth: thousandths(from + Double(index) * step), elevation: elevation)
      }
    }
  }

  /// Points of a Fibonacci lattice on the whole sphere, those between two elevations.
  private static func sphere(_ sphere: JSONPlace) throws(FileError) -> [SphericalDirection] {
    try sphere.checkKeys(["count", "elevation_from_deg", "elevation_to_deg"])
    let count = try sphere.required("count").whole(1...greatestCount)
    let from = try sphere.optional("elevation_from_deg")?.number(-90...90) ?? -90
    let to = try sphere.optional("elevation_to_deg")?.number(-90...90) ?? 90
    let directions = evenSphere(count).map { point in
      let direction = SphericalDirection(cartesian: point)
      return SphericalDirection(
        azimuth: thousandths(direction.azimuth), elevation: thousandths(direction.elevation))
    }.filter { (from...max(from, to)).contains($0.elevation) }
    guard !directions.isEmpty else {
      throw sphere.fault(
        "none of \(count) points lies between \(short(from)) and \(short(to)) degrees")
    }
    return directions
  }
}

/// A number to three decimal places.
func thousandths(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
