import Files
public import HRTF

/// A row of a results file: one response, a break, or the end of the session.
public struct ResultRow: Equatable, Sendable {
  /// What a row is.
  public enum Kind: String, Sendable {
    case practice, test
    /// A trial whose answer is known, to see whether the participant is awake.
    case `catch`
    case pause = "break"
    case headphoneCheck = "headphone-check"
    /// The first row of a session that a model listener took.
    case simulated
    /// The last row of a session that was finished.
    case end
  }

  /// The texts of all columns besides the check.
  public private(set) var fields: [String]
  /// The check that stands in the row.
  public var check: String

  /// What kind of test it is of.
  public private(set) var type: ListeningTestKind = .localisation
  /// What it is.
  public private(set) var kind: Kind = .test
  /// Its number in the participant's session, from 1.
  public private(set) var number = 0
  /// Where the sound was meant to be.
  public private(set) var target: SphericalDirection?
  /// Where the participant pointed.
  public private(set) var response: SphericalDirection?
  /// Of a staircase's trial, the angle between both directions, degrees.
  public private(set) var level: Double?
  /// 0 to 100.
  public private(set) var rating: Double?
  /// Whether the answer was right, where one is.
  public private(set) var isCorrect: Bool?
  /// Seconds from the start of the last playing to the answer.
  public private(set) var responseTime: Double?
  /// The factors of the design and their values, by name.
  public private(set) var condition: [(key: String, value: String)] = []

  /// The text of a column.
  public subscript(_ column: ResultColumn) -> String { fields[column.index] }

  /// The participant's code.
  public var participant: String { self[.participant] }

  /// Whether all columns and the check hold the same texts.
  public static func == (one: ResultRow, other: ResultRow) -> Bool {
    one.fields == other.fields && one.check == other.check
  }

  /// A row of these texts.
  ///
  /// - Throws: `Fault` naming the column whose text is none of its values.
  init(fields: [String], check: String) throws(Fault) {
    self.fields = fields
    self.check = check
    for column in [ResultColumn.test, .testHash, .participant] where self[column].isEmpty {
      throw Fault(column, "is empty")
    }
    guard let type = ListeningTestKind(rawValue: self[.type]) else {
      throw fault(.type, "is not a kind of test")
    }
    self.type = type
    guard let kind = Kind(rawValue: self[.kind]) else {
      throw fault(.kind, "is not a kind of row")
    }
    self.kind = kind
    guard let number = Int(self[.row]), number >= 1 else {
      throw fault(.row, "is not a row's number")
    }
    self.number = number
    guard Self.isTime(self[.time]) else { throw fault(.time, "is not a time of ISO 8601 in UTC") }
    try parseAnswer()
    guard let condition = ConditionText.parse(self[.condition]) else {
      throw fault(.condition, "is not key=value;key=value, sorted by key")
    }
    self.condition = condition
  }

  private mutating func parseAnswer() throws(Fault) {
    target = try direction(.targetAzimuth, .targetElevation, distance: .targetDistance)
    response = try direction(.responseAzimuth, .responseElevation, distance: nil)
    level = try number(.level, in: 0...360)
    rating = try number(.rating, in: type == .preference ? 0...100 : -1e6...1e6)
    responseTime = try number(.responseTime, in: 0...1e6)
    switch self[.correct] {
    case "": isCorrect = nil
    case "true": isCorrect = true
    case "false": isCorrect = false
    default: throw fault(.correct, "is neither true nor false")
    }
    if !self[.replays].isEmpty, (Int(self[.replays]) ?? -1) < 0 {
      throw fault(.replays, "is not a count")
    }
    guard kind == .test || kind == .catch || kind == .practice else { return }
    if self[.trial].isEmpty { throw Fault(.trial, "is empty") }
    let needed: [ResultColumn] =
      switch type {
      case .localisation: [.responseAzimuth, .targetAzimuth]
      case .minimumAudibleAngle: [.level, .correct]
      case .abx: [.expected, .response, .correct]
      case .preference: [.system, .rating]
      case .walk: []
      }
    for column in needed where self[column].isEmpty { throw Fault(column, "is empty") }
    let hasAnswer = response != nil || rating != nil || !self[.response].isEmpty
    guard hasAnswer else { throw Fault(.response, "is empty") }
    if !self[.expected].isEmpty, let isCorrect,
      isCorrect != (self[.expected] == self[.response])
    {
      throw fault(.correct, "contradicts expected and response")
    }
  }

  private func direction(
    _ azimuth: ResultColumn, _ elevation: ResultColumn, distance: ResultColumn?
  ) throws(Fault) -> SphericalDirection? {
    let azimuth = (column: azimuth, value: try number(azimuth, in: -360...360))
    let elevation = (column: elevation, value: try number(elevation, in: -90...90))
    let metres = try distance.map { column throws(Fault) in try number(column, in: 0...1e6) }
    guard let a = azimuth.value else {
      guard elevation.value == nil else { throw Fault(azimuth.column, "is empty") }
      return nil
    }
    guard let e = elevation.value else { throw Fault(elevation.column, "is empty") }
    return SphericalDirection(azimuth: a, elevation: e, distance: (metres ?? nil) ?? 1)
  }

  private func number(
    _ column: ResultColumn, in range: ClosedRange<Double>
  ) throws(Fault) -> Double? {
    guard !self[column].isEmpty else { return nil }
    guard let value = decimalNumber(self[column]) else {
      throw fault(column, "is not a finite number")
    }
    guard range.contains(value) else {
      throw fault(column, "is outside \(Int(range.lowerBound)) to \(Int(range.upperBound))")
    }
    return value
  }

  private static func isTime(_ text: String) -> Bool {
    text.hasSuffix("Z") && text.contains("T") && Timestamp(text: text) != nil
  }

  private func fault(_ column: ResultColumn, _ cause: String) -> Fault {
    Fault(column, "\"\(self[column].prefix(40))\" \(cause)")
  }

  /// What is wrong with a row.
  struct Fault: Error {
    var column: ResultColumn
    var cause: String

    init(_ column: ResultColumn, _ cause: String) {
      self.column = column
      self.cause = cause
    }
  }
}
