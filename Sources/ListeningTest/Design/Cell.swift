import HRTF

/// One combination of the levels of a design's factors.
struct Cell: Sendable {
  var ears = 0
  /// Of a pair.
  var otherEars = 0
  var source = 0
  var direction = SphericalDirection(azimuth: 0, elevation: 0)
  var distance: Double?
  var scene = 0
  /// The numbers of its levels, of those factors that the design has.
  var levels: [ListeningDesign.Factor: Int] = [:]

  /// All of a design.
  static func all(of design: ListeningDesign) -> [Cell] {
    var cells = [Cell()]
    func cross(
      _ factor: ListeningDesign.Factor, _ count: Int, _ set: (inout Cell, Int) -> Void
    ) {
      cells = cells.flatMap { cell in
        (0..<count).map { level in
          var cell = cell
          set(&cell, level)
          cell.levels[factor] = level
          return cell
        }
      }
    }
    switch design.kind {
    case .localisation, .minimumAudibleAngle:
      cross(.hrtf, design.ears.count) { $0.ears = $1 }
    case .abx:
      cross(.pair, design.pairs.count) {
        $0.ears = design.pairs[$1][0]
        $0.otherEars = design.pairs[$1][1]
      }
    case .preference: break
    case .walk:
      cross(.hrtf, design.ears.count) { $0.ears = $1 }
      cross(.scene, design.walks.count) { $0.scene = $1 }
    }
    if design.kind != .walk {
      cross(.sound, design.sources.count) { $0.source = $1 }
      cross(.direction, design.directions.count) { $0.direction = design.directions[$1] }
      if let distances = design.distances {
        cross(.distance, distances.count) { $0.distance = distances[$1] }
      }
    }
    cross(.repetition, design.repetitions) { _, _ in }
    return cells
  }

  /// Cells by the levels of the factor that makes blocks; one block without.
  static func blocks(_ cells: [Cell], _ factor: ListeningDesign.Factor?) -> [[Cell]] {
    guard let factor else { return [cells] }
    let levels = Set(cells.compactMap { $0.levels[factor] }).sorted()
    guard !levels.isEmpty else { return [cells] }
    return levels.map { level in cells.filter { $0.levels[factor] == level } }
  }

  /// Its sound through a set, from its direction or another one.
  func placed(_ ears: Int, from other: SphericalDirection? = nil) -> Stimulus.Content {
    .placed(
      source: source, ears: ears, direction: other ?? direction, distance: distance, lowPass: nil)
  }

  /// An anchor made of what it is through a set.
  func anchor(_ anchor: ListeningDesign.Anchor, ears: Int) -> Stimulus.Content {
    func lowPassed(_ frequency: Double) -> Stimulus.Content {
      .placed(
        source: source, ears: ears, direction: direction, distance: distance, lowPass: frequency)
    }
    return switch anchor {
    case .lowPass3500: lowPassed(3500)
    case .lowPass7000: lowPassed(7000)
    case .diotic: .diotic(source: source)
    }
  }

  /// How results name it.
  func condition(of design: ListeningDesign) -> [(key: String, value: ConditionValue)] {
    var condition: [(key: String, value: ConditionValue)] = []
    switch design.kind {
    case .localisation, .minimumAudibleAngle, .walk:
      condition.append(("hrtf", .text(design.ears[ears].id)))
    case .abx:
      condition.append(("pair", .text("\(design.ears[ears].id)-\(design.ears[otherEars].id)")))
    case .preference: break
    }
    if design.kind == .walk {
      condition.append(("scene", .text(design.walks[scene].id)))
      return condition
    }
    condition.append(("sound", .text(design.sources[source].id)))
    if design.kind != .localisation {
      condition.append(("azimuth_deg", .number(signed(direction.azimuth))))
      condition.append(("elevation_deg", .number(direction.elevation)))
    }
    if let distance { condition.append(("distance_m", .number(distance))) }
    return condition
  }
}
