import Compass
import Files
import Geometry
import Glibc
import TestSupport
import Testing

/// The official test values that come with the models, in Tests/Fixtures/wmm; public domain.
@Suite struct WorldMagneticModelTests {
  private static let fixtures = "\(projectFolder)/Tests/Fixtures/wmm"

  /// A line of test values: the numbers as printed.
  private struct Row {
    var texts: [String]
    func value(_ column: Int) -> Double { decimalNumber(texts[column]) ?? .nan }
    func decimals(_ column: Int) -> Int {
      texts[column].firstIndex(of: ".").map { texts[column][$0...].count - 1 } ?? 0
    }
  }

  private static func rows(_ name: String) throws -> [Row] {
    let bytes = try InputFile.bytes(path: "\(fixtures)/\(name)", limit: 1 << 20)
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { $0.first?.isNumber == true || $0.first == " " }
      .map { Row(texts: $0.split { $0 == " " || $0 == ";" }.map(String.init)) }
  }

  /// Whether a value prints as expected: equal after rounding to the places that are printed.
  private func agrees(_ value: Double, _ row: Row, _ column: Int, decimals: Int? = nil) -> Bool {
    let places = decimals ?? row.decimals(column)
    return abs(value - row.value(column)) <= 0.5 * pow(10, -Double(places)) + 1e-9
  }

  private func model(_ path: String) throws -> WorldMagneticModel {
    try WorldMagneticModel(path: path)
  }

  @Test func valuesOf2025() throws {
    let model = try model("\(projectFolder)/Magnetism/WMM_2025.COF")
    let rows = try Self.rows("WMM2025_TEST_VALUES.txt")
    #expect(rows.count == 12)
    for row in rows {
      let field = model.field(
        at: GeodeticCoordinate(latitude: row.value(2), longitude: row.value(3)),
        altitude: 1000 * row.value(1), year: row.value(0))
      for (column, value) in [
        (4, field.components.north), (5, field.components.east), (6, field.components.down),
        (7, field.horizontalStrength), (8, field.strength), (9, field.dip),
        (10, field.declination), (12, field.rates.north), (13, field.rates.east),
        (14, field.rates.down), (15, field.horizontalRate), (16, field.strengthRate),
        (17, field.dipRate), (18, field.declinationRate),
      ] {
        #expect(agrees(value, row, column), "\(row.texts) column \(column): \(value)")
      }
      if row.texts[11] == "NaN" {
        #expect(field.gridVariation == nil)
      } else {
        #expect(agrees(field.gridVariation ?? .nan, row, 11))
      }
    }
  }

  @Test func valuesOf2020() throws {
    let model = try model("\(projectFolder)/Magnetism/WMM_2020.COF")
    let rows = try Self.rows("WMM2020_TEST_VALUES.txt")
    #expect(rows.count == 100)
    for row in rows {
      let field = model.field(
        at: GeodeticCoordinate(latitude: row.value(2), longitude: row.value(3)),
        altitude: 1000 * row.value(1), year: row.value(0))
      for (column, value) in [
        (4, field.declination), (5, field.dip), (6, field.horizontalStrength),
        (7, field.components.north), (8, field.components.east), (9, field.components.down),
        (10, field.strength), (11, field.declinationRate), (12, field.dipRate),
        (13, field.horizontalRate), (14, field.rates.north), (15, field.rates.east),
        (16, field.rates.down), (17, field.strengthRate),
      ] {
        #expect(agrees(value, row, column), "\(row.texts) column \(column): \(value)")
      }
    }
  }

  /// This table drops trailing zeros; its precision is a tenth of a nanotesla and a hundredth of a degree.
  @Test func valuesOf2015() throws {
    let model = try model("\(Self.fixtures)/WMM_2015.COF")
    let rows = try Self.rows("WMM2015_test_values.csv")
    #expect(rows.count == 12)
    for row in rows {
      let field = model.field(
        at: GeodeticCoordinate(latitude: row.value(2), longitude: row.value(3)),
        altitude: 1000 * row.value(1), year: row.value(0))
      for (column, decimals, value) in [
        (4, 1, field.components.north), (5, 1, field.components.east),
        (6, 1, field.components.down), (7, 1, field.horizontalStrength), (8, 1, field.strength),
        (9, 2, field.dip), (10, 2, field.declination), (12, 1, field.rates.north),
        (13, 1, field.rates.east), (14, 1, field.rates.down), (15, 1, field.horizontalRate),
        (16, 1, field.strengthRate), (17, 2, field.dipRate), (18, 2, field.declinationRate),
      ] {
        #expect(agrees(value, row, column, decimals: decimals), "\(row.texts) \(column): \(value)")
      }
    }
  }

  /// At a pole the declination is relative to the meridian by which one comes; nothing divides by zero.
  @Test func isFiniteAtThePoles() throws {
    let model = try model("\(projectFolder)/Magnetism/WMM_2025.COF")
    for latitude in [90.0, -90] {
      let field = model.field(
        at: GeodeticCoordinate(latitude: latitude, longitude: 20), year: 2026)
      let near = model.field(
        at: GeodeticCoordinate(latitude: latitude * (1 - 1e-9), longitude: 20), year: 2026)
      #expect(abs(field.declination - near.declination) < 1e-3)
      #expect(abs(field.strength - near.strength) < 1e-2)
    }
  }

  @Test(arguments: [
    (2026.5, 48.86, 2.34, 0, ""), (2030, 48.86, 2.34, 0, ""), (2031, 48.86, 2.34, 1, "outside"),
    (2024.9, 48.86, 2.34, 0, ""), (2019, 48.86, 2.34, 1, "2020 to 2025"),
    (2026, 86, 140, 1, "blackout"), (2026, 78, -110, 1, "caution"),
    (2040, 86, 140, 2, "outside"),
  ])
  func warns(year: Double, latitude: Double, longitude: Double, count: Int, text: String) throws {
    let model = try WorldMagneticModel(folder: "\(projectFolder)/Magnetism", year: year)
    let field = model.field(
      at: GeodeticCoordinate(latitude: latitude, longitude: longitude), year: year)
    let warnings = model.warnings(field, year: year)
    #expect(warnings.count == count)
    #expect(text.isEmpty || warnings[0].contains(text))
  }

  @Test(arguments: [
    ("", "the file is empty"),
    ("hello\n", "line 1: no epoch and name: not a file of the World Magnetic Model"),
    (
      "2025.0 WMM\n 1 0 1 2 3\n",
      "line 2: not degree and order, to 12, and four coefficients, once each"
    ),
    (
      "2025.0 WMM\n 1 0 1 2 3 4\n 1 0 1 2 3 4\n",
      "line 3: not degree and order, to 12, and four coefficients, once each"
    ),
    (
      "2025.0 WMM\n 13 0 1 2 3 4\n",
      "line 2: not degree and order, to 12, and four coefficients, once each"
    ),
    (
      "2025.0 WMM\n 1 0 1 2 nan 4\n",
      "line 2: not degree and order, to 12, and four coefficients, once each"
    ),
    ("2025.0 WMM\n 1 0 1 2 3 4\n9999\n", "89 of 90 coefficients are missing"),
  ])
  func namesTheFault(text: String, fault: String) {
    let folder = TemporaryFolder()
    let path = folder.file("wmm.cof", text)
    let error = #expect(throws: FileError.self) { try WorldMagneticModel(path: path) }
    #expect(error?.description == "\(path): \(fault)")
  }

  /// By Python: `d = datetime(2024, 7, 1); 2024 + (d - datetime(2024, 1, 1)) / timedelta(days=366)`.
  @Test func decimalYears() throws {
    #expect(Timestamp(text: "2025-01-01T00:00:00Z")?.decimalYear == 2025)
    let middle = try #require(Timestamp(text: "2024-07-01T00:00:00Z"))
    #expect(abs(middle.decimalYear - 2024.4972677595629) < 1e-12)
  }
}
