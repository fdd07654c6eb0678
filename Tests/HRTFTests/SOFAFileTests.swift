import Files
import Glibc
import TestSupport
import Testing

@testable import HRTF

@Suite struct SOFAFileTests {
  struct Sample: Sendable {
    var direction: Int
    var ear: Int
    /// Index and value of the sample of the greatest magnitude.
    var peak: (index: Int, value: Float)
    /// Sum of the squared samples.
    var energy: Double
  }

  struct Shipped: Sendable, CustomTestStringConvertible {
    var name: String
    var count: Int
    var rate: Double
    var length: Int
    var first: SphericalDirection
    var last: SphericalDirection
    var samples: [Sample]
    /// Sum of all squared samples.
    var energy: Double
    var testDescription: String { name }
  }

  /// By sofar 1.3.0 and numpy: `s = sofar.read_sofa(file)`, then of `s.Data_IR[direction, ear]`
  /// `argmax(abs(x))`, `x[argmax]` and `sum(x**2)`; rows of `s.SourcePosition`. Of the
  /// second set rows 444, 873, 1085, 1533 and 1535, the zenith again, are left out first.
  static let shipped = [
    Shipped(
      name: "MIT-KEMAR-44100", count: 710, rate: 44100, length: 512,
      first: SphericalDirection(azimuth: 0, elevation: -40, distance: 1.4),
      last: SphericalDirection(azimuth: 0, elevation: 90, distance: 1.4),
      samples: [
        Sample(direction: 0, ear: 0, peak: (55, -0.311798095703125), energy: 0.802071993239224),
        Sample(direction: 355, ear: 1, peak: (62, 0.083984375), energy: 0.03911633417010307),
        Sample(direction: 709, ear: 0, peak: (38, -0.306121826171875), energy: 0.5457796789705753),
      ], energy: 1430.3856104332954),
    Shipped(
      name: "SADIE-KU100-48000", count: 1550, rate: 48000, length: 256,
      first: SphericalDirection(azimuth: 0, elevation: -10, distance: 1.2),
      last: SphericalDirection(azimuth: 9, elevation: -51, distance: 1.2),
      samples: [
        Sample(direction: 0, ear: 0, peak: (27, 0.4617645740509033), energy: 0.5705259232717736),
        Sample(direction: 776, ear: 1, peak: (18, 0.5919666290283203), energy: 0.9490746062274411),
        Sample(
          direction: 1549, ear: 0, peak: (32, -0.4513033628463745), energy: 0.5495950555700517),
      ], energy: 1248.922428185177),
  ]

  @Test(arguments: shipped) func shippedSets(_ expected: Shipped) throws {
    let file = try SOFAFile(path: "\(projectFolder)/HRTF/\(expected.name).sofa")
    let set = file.responses
    #expect(file.attribute("SOFAConventions") == "SimpleFreeFieldHRIR")
    #expect(file.attribute("NoSuchAttribute") == "")
    #expect(set.title == file.attribute("Title"))
    #expect(set.directions.count == expected.count)
    #expect(set.sampleRate == expected.rate)
    #expect(set.length == expected.length)
    expectNear(set.directions.first, expected.first)
    expectNear(set.directions.last, expected.last)
    #expect(set.samples.count == expected.count * 2 * expected.length)
    #expect(set.delays == [Float](repeating: 0, count: 2 * expected.count))
    for sample in expected.samples {
      let response = Array(set.response(sample.direction, ear: sample.ear))
      let peak = response.indices.max { abs(response[$0]) < abs(response[$1]) }
      #expect(peak == sample.peak.index)
      #expect(response[sample.peak.index] == sample.peak.value)
      #expect(abs(energy(response[...]) / sample.energy - 1) < 1e-6)
    }
    #expect(abs(energy(set.samples[...]) / expected.energy - 1) < 1e-6)
  }

  private func energy(_ samples: ArraySlice<Float>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) }
  }
}

@Suite(.enabled(if: testDataFolder != nil)) struct SOFACollectionTests {
  struct Readable: Sendable, CustomTestStringConvertible {
    var name: String
    var count: Int
    var rate: Double
    var length: Int
    var first: SphericalDirection
    var last: SphericalDirection
    var testDescription: String { name }
  }

  /// By sofar 1.3.0: shape of `s.Data_IR`, `s.Data_SamplingRate`, first and last row of
  /// `s.SourcePosition`; of the cartesian file by `arctan2(y, x)` and `arcsin(z / r)`.
  static let readable = [
    Readable(
      name: "CIPIC_subject_003_hrir_final_itdInDelayField", count: 1250, rate: 44100, length: 200,
      first: SphericalDirection(azimuth: 82.89292389, elevation: -7.05302213),
      last: SphericalDirection(azimuth: 263.61738993, elevation: -7.71420423)),
    Readable(
      name: "HRIR_CIRC360", count: 360, rate: 48000, length: 128,
      first: SphericalDirection(azimuth: 0, elevation: -2.50447806e-06, distance: 3.25),
      last: SphericalDirection(azimuth: 359, elevation: -2.50447806e-06, distance: 3.25)),
    Readable(
      name: "HRIR_CIRC360_NF050", count: 360, rate: 48000, length: 128,
      first: SphericalDirection(azimuth: 0, elevation: 0, distance: 0.5),
      last: SphericalDirection(azimuth: 359, elevation: 0, distance: 0.5)),
    Readable(
      name: "HRIR_CIRC360_NF100", count: 360, rate: 48000, length: 128,
      first: SphericalDirection(azimuth: 0, elevation: 0),
      last: SphericalDirection(azimuth: 359, elevation: 0)),
    Readable(
      name: "P0001_Windowed_48kHz", count: 793, rate: 48000, length: 256,
      first: SphericalDirection(azimuth: 0, elevation: -45, distance: 1.5),
      last: SphericalDirection(azimuth: 5, elevation: -45, distance: 1.5)),
    Readable(
      name: "Pulse", count: 1250, rate: 48000, length: 256,
      first: SphericalDirection(azimuth: 82.89292389, elevation: -7.05302213),
      last: SphericalDirection(azimuth: 263.61738993, elevation: -7.71420423)),
    Readable(
      name: "SimpleFreeFieldHRIR_cartesian", count: 329, rate: 44100, length: 512,
      first: SphericalDirection(azimuth: 0, elevation: -40, distance: 1.4),
      last: SphericalDirection(azimuth: 0, elevation: 90, distance: 1.4)),
    Readable(
      name: "UniS_Anechoic_BRIR_16k", count: 37, rate: 16000, length: 197,
      first: SphericalDirection(azimuth: 270, elevation: 0, distance: 1.5),
      last: SphericalDirection(azimuth: 90, elevation: 0, distance: 1.5)),
    Readable(
      name: "UniS_Anechoic_BRIR_48k", count: 37, rate: 48000, length: 591,
      first: SphericalDirection(azimuth: 270, elevation: 0, distance: 1.5),
      last: SphericalDirection(azimuth: 90, elevation: 0, distance: 1.5)),
  ]

  private static func path(_ name: String) -> String { "\(testDataFolder ?? "")/sofa/\(name).sofa" }

  @Test(arguments: readable) func reads(_ expected: Readable) throws {
    let set = try SOFAFile(path: Self.path(expected.name)).responses
    #expect(set.directions.count == expected.count)
    #expect(set.sampleRate == expected.rate)
    #expect(set.length == expected.length)
    expectNear(set.directions.first, expected.first)
    expectNear(set.directions.last, expected.last)
  }

  /// By sofar 1.3.0: rows of `s.Data_Delay`, and its sum.
  @Test func delaysOfEachDirection() throws {
    let set = try SOFAFile(path: Self.path(Self.readable[0].name)).responses
    for (direction, left, right) in [
      (0, 9, 6), (1, 9, 7), (624, 22, 23), (1249, 6, 9),
    ] as [(Int, Float, Float)] {
      #expect(set.delay(direction, ear: 0) == left)
      #expect(set.delay(direction, ear: 1) == right)
    }
    #expect(set.delays.reduce(0, +) == 38545)
  }

  /// Direction 100 of the cartesian file by sofar: (−1.00778483, −0.84563188, −0.4788282).
  @Test func cartesianPositions() throws {
    let direction = try SOFAFile(path: Self.path("SimpleFreeFieldHRIR_cartesian")).responses
      .directions[100]
    #expect(abs(direction.azimuth - 220) < 1e-5)
    #expect(abs(direction.elevation + 20) < 1e-5)
    #expect(abs(direction.distance - 1.4) < 1e-5)
  }

  /// Files that a fuzzer has damaged: each is refused, or gives responses that can be converted.
  @Test(arguments: [
    "76", "77", "83", "96", "130", "135", "137", "156", "167b", "171", "173",
  ]) func fuzzedFiles(number: String) {
    let path = "\(testDataFolder ?? "")/sofa-malformed/fail-issue-\(number).sofa"
    do {
      let set = try SOFAFile(path: path).responses
      #expect(isSane(set))
    } catch {
      #expect(error.code == .malformed && error.file == path && !error.cause.isEmpty)
    }
  }
}

/// libmysofa keeps positions as 32-bit floats.
private func expectNear(_ direction: SphericalDirection?, _ wanted: SphericalDirection) {
  #expect(direction.map { $0.angle(to: wanted) < 1e-4 } == true)
  #expect(direction.map { abs($0.distance - wanted.distance) < 1e-6 } == true)
}

/// Whether responses are finite, of one size, and louder than nothing.
func isSane(_ set: HRIRSet) -> Bool {
  set.samples.count == set.directions.count * 2 * set.length
    && set.delays.count == set.directions.count * 2
    && set.samples.allSatisfy(\.isFinite) && set.samples.contains { $0 != 0 }
    && set.delays.allSatisfy { abs($0) < 1e5 }
    && set.directions.allSatisfy {
      (0..<360).contains($0.azimuth) && abs($0.elevation) <= 90.01 && $0.distance > 0
    }
}

@Suite struct SOFAFaultTests {
  /// Nobody writes into it: opening it would wait for ever.
  @Test func aPipe() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/pipe.sofa"
    try #require(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: FileError.self) { try SOFAFile(path: path) }
    #expect(error?.description == path + ": is a pipe or a device; it takes a file")
  }

  @Test func missing() {
    #expect(
      throws: FileError(.notFound, file: "/nowhere/a.sofa", "no such file or directory")
    ) { try SOFAFile(path: "/nowhere/a.sofa") }
  }

  @Test func directory() {
    #expect(throws: FileError(.unreadable, file: projectFolder, "is a directory")) {
      try SOFAFile(path: projectFolder)
    }
  }

  /// A file that even root may not read.
  @Test func unreadable() {
    #expect(throws: FileError(.unreadable, file: "/proc/self/mem", "input/output error")) {
      try SOFAFile(path: "/proc/self/mem")
    }
  }

  @Test(arguments: [
    ("", nil, "the file is empty"),
    ("lat,lon\n", "byte 0", "not a SOFA file (no HDF5 signature)"),
    ("\u{89}HDF", "byte 0", "not a SOFA file (no HDF5 signature)"),
  ]) func notSOFA(content: String, place: String?, cause: String) {
    let folder = TemporaryFolder()
    let path = folder.file("a.sofa", content)
    #expect(throws: FileError(.malformed, file: path, place: place, cause)) {
      try SOFAFile(path: path)
    }
  }

  @Test(arguments: [8, 9, 48, 96, 1000, 17_600, 18_000, 100_000, 586_000, 1_000_000, 1_173_000])
  func truncated(length: Int) throws {
    let whole = try InputFile.bytes(path: shippedKEMAR, limit: 1 << 24)
    let folder = TemporaryFolder()
    let path = folder.path + "/a.sofa"
    try OutputFile.write(whole.prefix(length), to: path)
    let error = #expect(throws: FileError.self) { try SOFAFile(path: path) }
    #expect(error?.code == .malformed)
    #expect(error?.file == path)
    let causes = [
      "truncated", "damaged, truncated or of an HDF5 form that is not read",
    ]
    #expect(error.map { causes.contains($0.cause) } == true, "\(error?.cause ?? "")")
  }
}

/// The KEMAR set that ships.
let shippedKEMAR = "\(projectFolder)/HRTF/MIT-KEMAR-44100.sofa"
