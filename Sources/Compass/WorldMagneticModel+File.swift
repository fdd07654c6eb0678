public import Files

extension WorldMagneticModel {
  /// Reads a file of coefficients in NOAA's format (`WMM.COF`): a line with epoch, name and date, then a
  /// line for each degree and order with g, h and their changes a year, then lines of nines.
  ///
  /// - Throws: `FileError` if it cannot be read, or is not such a file of degree 12.
  public init(path: String) throws(FileError) {
    let bytes = try InputFile.bytes(path: path, limit: 1 << 16)
    guard !bytes.isEmpty else { throw FileError(.malformed, file: path, "the file is empty") }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    guard lines[0].count >= 2, let epoch = decimalNumber(lines[0][0]), 1900...2200 ~= epoch else {
      throw FileError(
        .malformed, file: path, place: "line 1",
        "no epoch and name: not a file of the World Magnetic Model")
    }
    var read: [Coefficient?] = Array(
      repeating: nil, count: Self.index(Self.degree, Self.degree) + 1)
    read[0] = Coefficient(g: 0, h: 0, gRate: 0, hRate: 0)
    for (number, words) in lines.enumerated().dropFirst() where !words.isEmpty {
      if words[0].hasPrefix("9999") { break }
      let values = words.compactMap { decimalNumber($0) }
      guard words.count == 6, values.count == 6, let n = Int(words[0]), let m = Int(words[1]),
        1...Self.degree ~= n, 0...n ~= m, read[Self.index(n, m)] == nil
      else {
        throw FileError(
          .malformed, file: path, place: "line \(number + 1)",
          "not degree and order, to 12, and four coefficients, once each")
      }
      read[Self.index(n, m)] = Coefficient(
        g: values[2], h: values[3], gRate: values[4], hRate: values[5])
    }
    let coefficients = read.compactMap { $0 }
    guard coefficients.count == read.count else {
      throw FileError(
        .malformed, file: path, "\(read.count - coefficients.count) of 90 coefficients are missing")
    }
    self.init(name: lines[0][1], epoch: epoch, coefficients: coefficients)
  }

  /// Reads the model that holds in a year from a folder of those that ship; before the first and after the
  /// last the nearest.
  ///
  /// - Throws: `FileError` as `init(path:)` does.
  public init(folder: String, year: Double) throws(FileError) {
    let epoch = Self.epochs.last { Double($0) <= year } ?? Self.epochs[0]
    try self.init(path: "\(folder)/WMM_\(epoch).COF")
  }

  private static let epochs = [2020, 2025]
}

extension WorldMagneticModel {
  /// What makes a field of this model doubtful, for people; usually nothing.
  public func warnings(_ field: GeomagneticField, year: Double) -> [String] {
    var warnings: [String] = []
    if !years.contains(year) {
      warnings.append(
        "\(name) holds from \(Int(epoch)) to \(Int(epoch) + 5), and the date is outside: the field is "
          + "extrapolated")
    }
    let horizontal = field.horizontalStrength
    if horizontal < Self.cautionLimit {
      warnings.append(
        "the horizontal field is \(Int(horizontal.rounded())) nT only, near a magnetic pole: "
          + (horizontal < Self.blackoutLimit
            ? "a blackout zone, where compasses are of no use"
            : "a caution zone, where compasses are not accurate"))
    }
    return warnings
  }

  /// Horizontal field below which the model's authors call a place a blackout or caution zone, nT.
  public static let (blackoutLimit, cautionLimit) = (2000.0, 6000.0)
}

extension Timestamp {
  /// The moment as a decimal year in UTC, as 2025.5 for the middle of 2025.
  public var decimalYear: Double {
    let year = Int(description.prefix(4)) ?? 1970
    guard let start = Timestamp(text: "\(year)-01-01T00:00:00Z"),
      let end = Timestamp(text: "\(year + 1)-01-01T00:00:00Z")
    else { return Double(year) }
    return Double(year) + seconds(since: start) / end.seconds(since: start)
  }
}
