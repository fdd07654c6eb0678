/// Names of conditions by the factors that make them.
struct ConditionNaming: Sendable {
  /// The factors.
  let factors: [String]

  /// Factors that say where a sound was or that it came again; each value of theirs makes no condition.
  private static let places = [
    "azimuth", "elevation", "distance", "direction", "repetition", "angle",
  ]

  /// The factors asked for, or those of more than one value among the rows.
  ///
  /// - Throws: `UnknownFactor` if one that is asked for is not there.
  init(_ rows: [ResultRow], factors asked: [String]?) throws(UnknownFactor) {
    var values: [String: Set<String>] = [:]
    for row in rows {
      for (key, value) in row.condition { values[key, default: []].insert(value) }
    }
    if let asked {
      if let unknown = asked.first(where: { values[$0] == nil }) {
        throw UnknownFactor(name: unknown, known: values.keys.sorted())
      }
      factors = asked
    } else {
      factors = values.filter { key, values in
        values.count > 1 && !Self.places.contains { key.hasPrefix($0) }
      }.keys.sorted()
    }
  }

  /// The name of a row's condition.
  func name(_ row: ResultRow) -> String {
    let parts = factors.map { factor in
      "\(factor)=\(row.condition.first { $0.key == factor }?.value ?? "")"
    }
    return parts.isEmpty ? "all" : parts.joined(separator: ", ")
  }
}

/// A factor that no trial has.
public struct UnknownFactor: Error, Equatable, Sendable, CustomStringConvertible {
  /// The factor asked for.
  public var name: String
  /// Those that there are.
  public var known: [String]

  /// What a user reads of it.
  public var description: String {
    "no trial has a factor \"\(name)\"; there are "
      + (known.isEmpty ? "none" : known.joined(separator: ", "))
  }
}
