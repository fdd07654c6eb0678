import Files

/// Latitude or longitude as text has it: its name in messages and its range.
enum CoordinateAxis: String {
  case latitude, longitude

  /// The greatest value, degrees; the least is its negative.
  private var limit: Double { self == .latitude ? 90 : 180 }

  /// What is wrong with a value, or nil.
  func fault(of degrees: Double) -> String? {
    abs(degrees) <= limit ? nil : "is outside −\(Int(limit)) to \(Int(limit))"
  }

  /// The degrees that the text stands for.
  func degrees(_ text: String) throws(Unreadable) -> Double {
    var text = text
    let value = text.withUTF8 { decimalNumber(UnsafeRawBufferPointer($0)) }
    guard let value else { throw Unreadable(self, text, "is not a finite number") }
    if let fault = fault(of: value) { throw Unreadable(self, text, fault) }
    return value
  }

  /// Text that is no latitude or longitude, and why.
  struct Unreadable: Error {
    let cause: String

    init(_ axis: CoordinateAxis, _ text: String, _ cause: String) {
      self.cause = "\(axis.rawValue) \(quoted(text)) \(cause)"
    }
  }
}
