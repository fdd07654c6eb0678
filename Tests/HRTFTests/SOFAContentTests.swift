import Files
import Geometry
import Glibc
import Testing

@testable import HRTF

/// Contents as a reader gives them, with results worked out by hand.
@Suite struct SOFAContentTests {
  private static func content(
    _ convention: String, type: String = "FIR", sizes: [String: Int],
    _ variables: [String: ([Float], type: String, dimensions: [String])]
  ) -> SOFAContent {
    var content = SOFAContent(path: "a.sofa")
    content.attributes = [
      ("SOFAConventions", convention), ("DataType", type), ("RoomType", "free field"),
    ]
    content.sizes = sizes.merging(["R": 2]) { first, _ in first }
    content.variables = variables.mapValues {
      SOFAContent.Variable(dimensions: $0.dimensions, type: $0.type, values: $0.0)
    }
    return content
  }

  /// One direction, an impulse of 1 at the left ear and 0.5 at the right.
  private static func simple(
    _ convention: String = "SimpleFreeFieldHRIR", position: [Float] = [30, 0, 1],
    type: String = "spherical"
  ) -> SOFAContent {
    content(
      convention, sizes: ["M": 1, "N": 2],
      [
        "Data.IR": ([1, 0, 0.5, 0], "", []), "Data.SamplingRate": ([48000], "", []),
        "SourcePosition": (position, type, []),
      ])
  }

  /// Finite, but their squares are not.
  @Test(arguments: [2e6, -1e30] as [Float]) func samplesFarBeyondFullScale(sample: Float) {
    var content = Self.simple()
    content.variables["Data.IR"]?.values[1] = sample
    #expect(
      throws: FileError(
        .malformed, file: "a.sofa", place: "Data.IR", "samples of over 1000000")
    ) { try SOFAFile(content: content) }
  }

  @Test func listenerFrames() throws {
    for (position, view, up, listener, wanted) in [
      // A listener who looks left has what is ahead in the room on the right.
      ([0, 0, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0], (270, 0, 1)),
      // Who lies on the left ear hears what is above on the right: up is +y, left then is −z.
      ([0, 90, 1], [1, 0, 0], [0, 1, 0], [0, 0, 0], (270, 0, 1)),
      ([0, 0, 3], [1, 0, 0], [0, 0, 1], [1, 0, 0], (0, 0, 2)),
      ([90, 0, 1], [1, 1, 0], [0, 0, 1], [0, 0, 0], (45, 0, 1)),
    ] as [([Float], [Float], [Float], [Float], (Double, Double, Double))] {
      var content = Self.simple(position: position)
      content.variables["ListenerView"] = .init(dimensions: [], type: "cartesian", values: view)
      content.variables["ListenerUp"] = .init(dimensions: [], type: "", values: up)
      content.variables["ListenerPosition"] = .init(
        dimensions: [], type: "cartesian", values: listener)
      let direction = try SOFAFile(content: content).responses.directions[0]
      let expected = SphericalDirection(azimuth: wanted.0, elevation: wanted.1, distance: wanted.2)
      #expect(direction.angle(to: expected) < 1e-5, "\(view) \(up)")
      #expect(abs(direction.distance - wanted.2) < 1e-6)
    }
  }

  /// Forms that are found in files whose listener looks ahead.
  @Test(
    arguments: [
      ([1, 0, 0], "spherical", [0, 0, 1], ""), ([0, 0, 1], "spherical", [0, 0, 1], ""),
      ([0, 0, 1], "spherical", [0, 90, 1], ""), ([0, 0, 0], "cartesian", [0, 0, 0], "cartesian"),
      ([360, 0, 2], "spherical", [0, 0, 1], "cartesian"),
    ] as [([Float], String, [Float], String)])
  func usualViews(view: [Float], viewType: String, up: [Float], upType: String) throws {
    var content = Self.simple()
    content.variables["ListenerView"] = .init(dimensions: [], type: viewType, values: view)
    content.variables["ListenerUp"] = .init(dimensions: [], type: upType, values: up)
    let direction = try SOFAFile(content: content).responses.directions[0]
    #expect(direction.angle(to: SphericalDirection(azimuth: 30, elevation: 0)) < 1e-6)
  }

  @Test func viewAlongUp() {
    var content = Self.simple()
    content.variables["ListenerView"] = .init(dimensions: [], type: "cartesian", values: [0, 0, 1])
    #expect(throws: FileError.self) { try SOFAFile(content: content) }
  }

  /// Two emitters, in the older order of dimensions and the standard's: left ear 1 and 2, right 3 and 4.
  @Test(arguments: [
    (["M", "R", "N", "E"], [1, 2, 3, 4] as [Float]), (["M", "R", "E", "N"], [1, 2, 3, 4]),
    (["M", "E", "R", "N"], [1, 3, 2, 4]),
  ]) func emitters(dimensions: [String], values: [Float]) throws {
    let content = Self.content(
      "GeneralFIR-E", type: "FIR-E", sizes: ["M": 1, "N": 1, "E": 2],
      [
        "Data.IR": (values, "", dimensions), "Data.SamplingRate": ([48000], "", []),
        "SourcePosition": ([0, 0, 0], "cartesian", []),
        "EmitterPosition": ([0, 2, 0, 0, -3, 0], "cartesian", ["E", "C", "I"]),
        "Data.Delay": ([5, 6, 7, 8], "", ["I", "R", "E"]),
      ])
    let set = try SOFAFile(content: content).responses
    #expect(set.directions.map(\.azimuth) == [90, 270])
    #expect(set.directions.map(\.distance) == [2, 3])
    #expect(set.samples == [1, 3, 2, 4])
    #expect(set.delays == [5, 7, 6, 8])
  }

  /// (E, C, M): in the second measurement the emitters have changed places.
  @Test func emittersThatMove() throws {
    let content = Self.content(
      "GeneralFIR-E", type: "FIR-E", sizes: ["M": 2, "N": 1, "E": 2],
      [
        "Data.IR": ([1, 2, 3, 4, 5, 6, 7, 8], "", ["M", "R", "N", "E"]),
        "Data.SamplingRate": ([48000], "", []), "SourcePosition": ([0, 0, 0], "cartesian", []),
        "EmitterPosition": (
          [0, 1, 2, 0, 0, 0, 0, 1, -2, 0, 0, 0], "cartesian", ["E", "C", "M"]
        ),
      ])
    let set = try SOFAFile(content: content).responses
    // Emitter 0: (0, 2, 0), then (1, 0, 0); emitter 1: (0, −2, 0), then (1, 0, 0) again.
    #expect(set.directions.map(\.azimuth) == [90, 270, 0])
    #expect(set.samples == [1, 3, 2, 4, 5, 7])
  }

  /// A pure delay of d of 16 samples, upside down where the gain is −1: e^(−2πi d k / 16) at bin k,
  /// with and without bin 0. One that begins a sample before 0 has all turned round by two.
  @Test(
    arguments: [(0, 1, 3, 3), (1, 1, 3, 3), (1, -1, 3, 3), (0, 1, -1, 1)]
      as [(Int, Float, Int, Int)])
  func transferFunctions(first: Int, gain: Float, delay: Int, peak: Int) throws {
    let bins = Array(first...8)
    let phases = bins.map { 2 * Double.pi * Double(delay * $0) / 16 }
    let real = phases.map { gain * Float(cos($0)) }
    let imaginary = phases.map { -gain * Float(sin($0)) }
    let content = Self.content(
      "SimpleFreeFieldHRTF", type: "TF", sizes: ["M": 1, "N": bins.count],
      [
        "Data.Real": (real + real, "", []), "Data.Imag": (imaginary + imaginary, "", []),
        "N": (bins.map { Float($0) * 3000 }, "", []),
        "SourcePosition": ([0, 0, 1], "spherical", []),
      ])
    let set = try SOFAFile(content: content).responses
    #expect(set.sampleRate == 48000 && set.length == 16)
    for (index, sample) in set.response(0, ear: 1).enumerated() {
      #expect(abs(sample - (index == peak ? gain : 0)) < 1e-5)
    }
  }

  @Test(
    arguments: [
      ([0, 1000, 2000, 4000, 8000, 16000, 20000, 22000], "not evenly spaced"),
      ([5000, 6000, 7000, 8000, 9000, 10000, 11000, 12000], "from 5000 Hz, in steps of 1000 Hz,"),
      ([0, 100, 200, 300, 400, 500, 600, 700], "that end at 700 Hz"),
    ] as [([Float], String)]) func refusedFrequencies(frequencies: [Float], cause: String)
  {
    let values = [Float](repeating: 1, count: 16)
    let content = Self.content(
      "GeneralTF", type: "TF", sizes: ["M": 1, "N": 8],
      [
        "Data.Real": (values, "", []), "Data.Imag": (values, "", []), "N": (frequencies, "", []),
        "SourcePosition": ([0, 0, 1], "spherical", []),
      ])
    let error = #expect(throws: FileError.self) { try SOFAFile(content: content) }
    #expect(error?.code == .unsupported && error?.place == "N")
    #expect(error?.cause.contains(cause) == true, "\(error?.cause ?? "")")
  }

  /// Two sections at the left, (1 + z⁻¹) and 1 / (1 − z⁻¹ / 2), a gain of 2 at the right.
  @Test func secondOrderSections() throws {
    let content = Self.content(
      "SimpleFreeFieldHRSOS", type: "SOS", sizes: ["M": 1, "N": 12],
      [
        "Data.SOS": (
          [1, 1, 0, 1, 0, 0, 2, 0, 0, 2, -1, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0], "", []
        ),
        "Data.SamplingRate": ([48000], "", []), "SourcePosition": ([0, 0, 1], "spherical", []),
      ])
    let set = try SOFAFile(content: content).responses
    #expect(set.response(0, ear: 0).prefix(4) == [1, 1.5, 0.75, 0.375])
    #expect(set.response(0, ear: 1).prefix(3) == [2, 0, 0])
  }

  @Test func duplicatesOfAPlace() throws {
    let content = Self.content(
      "SimpleFreeFieldHRIR", sizes: ["M": 6, "N": 1],
      [
        "Data.IR": ((1...12).map(Float.init), "", []), "Data.SamplingRate": ([48000], "", []),
        "SourcePosition": (
          [0, 0, 1, 360, 0, 1, 0, 90, 1, 45, 90, 1, 0, 0, 2, -90, 0, 1], "spherical", []
        ),
        "Data.Delay": ((1...12).map(Float.init), "", []),
      ])
    let file = try SOFAFile(content: content)
    #expect(file.duplicateCount == 2)
    #expect(file.responses.samples == [1, 2, 5, 6, 9, 10, 11, 12])
    #expect(file.responses.delays == file.responses.samples)
    #expect(file.responses.directions.map(\.azimuth) == [0, 0, 0, 270])
  }

  @Test func rooms() throws {
    var content = Self.simple("MultiSpeakerBRIR")
    #expect(try SOFAFile(content: content).responses.directions.count == 1)
    content.attributes[2].value = "shoebox"
    #expect(
      throws: FileError(
        .unsupported, file: "a.sofa", place: "SOFAConventions",
        "\"MultiSpeakerBRIR\": a room's response of 2 samples (RoomType \"shoebox\") does not fit "
          + "into 128 taps")
    ) { try SOFAFile(content: content) }
    content = Self.simple("SingleRoomSRIR")
    content.sizes["N"] = 6259
    #expect(throws: FileError.self) { try SOFAFile(content: content) }
  }

  @Test(
    arguments: [
      ("GeneralString", "spherical", [30, 0, 1], FileError.Code.unsupported),
      ("", "spherical", [30, 0, 1], .unsupported),
      ("SimpleFreeFieldHRIR", "spherical harmonics", [30, 0, 1], .unsupported),
      ("SimpleFreeFieldHRIR", "spherical", [30, 91, 1], .malformed),
      ("SimpleFreeFieldHRIR", "spherical", [30, 0, 0], .malformed),
      ("SimpleFreeFieldHRIR", "spherical", [30, 0, .nan], .malformed),
      ("SimpleFreeFieldHRIR", "spherical", [.infinity, 0, 1], .malformed),
      ("SimpleFreeFieldHRIR", "spherical", [30, 0], .malformed),
      ("SimpleFreeFieldHRIR", "cartesian", [0, 0, 0], .malformed),
    ] as [(String, String, [Float], FileError.Code)])
  func faults(convention: String, type: String, position: [Float], code: FileError.Code) {
    let error = #expect(throws: FileError.self) {
      try SOFAFile(content: Self.simple(convention, position: position, type: type))
    }
    #expect(error?.code == code)
  }
}

/// Readers that go wrong in their own process.
@Suite struct SOFAReadingTests {
  private func fault(
    timeLimit: Double = 5, _ reader: (UnsafePointer<CChar>, ChildOutput) -> Int
  ) -> FileError? {
    #expect(throws: FileError.self) {
      try SOFAContent.reading("a.sofa", timeLimit: timeLimit, by: reader)
    }
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS]) func crash(signal: Int32) {
    let error = fault { _, _ in Int(kill(getpid(), signal)) }
    #expect(error?.code == .malformed)
    #expect(error?.cause == "damaged: the reader crashed on it (signal \(signal))")
  }

  @Test func hang() {
    let error = fault(timeLimit: 1) { _, _ in
      while true { pause() }
    }
    #expect(error?.cause == "damaged: reading it took over 1 s")
  }

  @Test func exit() {
    #expect(fault { _, _ in _exit(7) }?.cause == "damaged: the reader gave up on it")
  }

  /// A count that the bytes don't follow, or that no memory holds.
  @Test(arguments: [-1, 1 << 40, Int.max]) func lyingCount(count: Int) {
    let error = fault { _, output in
      output.write(SOFARecord.variable.rawValue)
      output.write("Data.IR")
      output.write("")
      output.write("")
      output.write(count)
      return 0
    }
    #expect(error?.code == .malformed)
  }

  /// More than may be taken in, by a child that would go on writing.
  @Test func tooMuch() {
    let error = fault { _, output in
      output.write(SOFARecord.attribute.rawValue)
      output.write(SOFAContent.valueLimit + 1)
      while true { output.write(0) }
    }
    #expect(error?.cause == "damaged: the reader gave up on it")
  }

  @Test func memory() throws {
    let (_, refusal) = try SOFAContent.reading("a.sofa") { _, _ in
      // What other threads give back meanwhile the child may take besides.
      malloc(4 * SOFAContent.memoryLimit) == nil ? 12 : 13
    }
    #expect(refusal == 12)
  }

  /// Nothing that a reader prints reaches the user, nor does it keep what it should not.
  @Test func output() throws {
    let (content, refusal) = try SOFAContent.reading("a.sofa") { path, output in
      puts("noise")
      output.send(attribute: "Title", path)
      output.send(size: 3, of: "M")
      return 0
    }
    #expect(refusal == 0 && content.attribute("Title") == "a.sofa" && content.size("M") == 3)
  }
}
