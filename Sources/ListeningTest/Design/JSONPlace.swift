import Files

/// A value of a JSON file and where it stands, as in `directions[3].azimuth_deg`.
///
/// Its functions read one kind of value each, and throw a `FileError` that names file, place and cause.
struct JSONPlace {
  let value: JSONValue
  let file: String
  let place: String

  /// A file's whole content.
  init(_ value: JSONValue, file: String, place: String = "") {
    self.value = value
    self.file = file
    self.place = place
  }

  /// A fault of this value.
  func fault(_ cause: String, _ code: FileError.Code = .malformed) -> FileError {
    FileError(code, file: file, place: place.isEmpty ? nil : place, cause)
  }

  private func expected(_ kind: String) -> FileError { fault("is \(value.kind), not \(kind)") }

  /// A fault unless the object's keys are all among these.
  func checkKeys(_ known: [String]) throws(FileError) {
    guard case .object(let members) = value else { throw expected("an object") }
    for (key, _) in members where !known.contains(key) {
      throw fault("unknown key \"\(key)\"; there are \(known.joined(separator: ", "))")
    }
  }

  /// The value under a key; nil if there is none.
  func optional(_ key: String) -> JSONPlace? {
    guard case .object(let members) = value,
      let member = members.first(where: { $0.key == key })
    else { return nil }
    return JSONPlace(member.value, file: file, place: place.isEmpty ? key : "\(place).\(key)")
  }

  /// The value under a key; nil if there is none, or null.
  func nullable(_ key: String) -> JSONPlace? {
    optional(key).flatMap { $0.value == .null ? nil : $0 }
  }

  /// The value under a key that is needed.
  func required(_ key: String) throws(FileError) -> JSONPlace {
    guard case .object = value else { throw expected("an object") }
    guard let found = optional(key) else { throw fault("there is no \(key)") }
    return found
  }

  /// The values of a list, which is not empty.
  func list() throws(FileError) -> [JSONPlace] {
    guard case .list(let values) = value else { throw expected("a list") }
    guard !values.isEmpty else { throw fault("is empty") }
    return values.enumerated().map { index, value in
      JSONPlace(value, file: file, place: "\(place)[\(index)]")
    }
  }

  /// A text of at least one character.
  func text() throws(FileError) -> String {
    guard case .text(let text) = value else { throw expected("a text") }
    guard !text.isEmpty else { throw fault("is empty") }
    return text
  }

  /// A name that may stand in file names, URLs and tables: letters, digits, `.`, `_` and `-`.
  func identifier() throws(FileError) -> String {
    let text = try text()
    let isPlain = text.utf8.allSatisfy {
      $0 &- 48 < 10 || ($0 | 32) &- 97 < 26 || "._-".utf8.contains($0)
    }
    guard isPlain, text.utf8.count <= 64, text.utf8.first != UInt8(ascii: ".") else {
      throw fault(
        "\"\(text)\" is no name of up to 64 letters, digits, \".\", \"_\" and \"-\" that does not begin "
          + "with \".\"")
    }
    return text
  }

  func boolean() throws(FileError) -> Bool {
    guard case .boolean(let flag) = value else { throw expected("true or false") }
    return flag
  }

  /// A number in a range.
  func number(_ range: ClosedRange<Double>) throws(FileError) -> Double {
    guard case .number(let number) = value else { throw expected("a number") }
    guard range.contains(number) else {
      throw fault(
        "\(short(number)) is outside \(short(range.lowerBound)) to \(short(range.upperBound))")
    }
    return number
  }

  /// A whole number in a range.
  func whole(_ range: ClosedRange<Int>) throws(FileError) -> Int {
    let number = try number(Double(range.lowerBound)...Double(range.upperBound))
    guard let whole = Int(exactly: number) else { throw fault("\(number) is not a whole number") }
    return whole
  }

  /// One of the names of a kind.
  func choice<Choice: RawRepresentable & CaseIterable>(_ kind: Choice.Type) throws(FileError)
    -> Choice where Choice.RawValue == String
  {
    let text = try text()
    guard let choice = Choice(rawValue: text) else {
      throw fault("\"\(text)\" is none of \(kind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }
}

/// A number without the `.0` of a whole one.
func short(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? number.description
}
