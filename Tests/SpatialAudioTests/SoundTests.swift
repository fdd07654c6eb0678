import CSndFile
import Files
import Glibc
import TestSupport
import Testing

@testable import SpatialAudio

@Suite struct SoundTests {
  /// Nobody writes into it: opening it would wait for ever.
  @Test func aPipe() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/pipe.wav"
    try #require(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: FileError.self) { try Sound(path: path) }
    #expect(error?.description == path + ": is a pipe or a device; it takes a file")
  }

  /// A file by libsndfile itself.
  private static func write(
    _ samples: [Float], channels: Int = 1, rate: Int = 44_100,
    format: Int = SF_FORMAT_WAV | SF_FORMAT_FLOAT, to path: String
  ) throws {
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = Int32(channels)
    info.format = Int32(format)
    let file = try #require(sf_open(path, Int32(SFM_WRITE), &info))
    sf_writef_float(file, samples, Int64(samples.count / channels))
    sf_close(file)
  }

  @Test(
    arguments: [
      (1, [0.25, -0.5, 0.75, 1]), (2, [-0.125, 0.875]), (4, [0.375]),
    ] as [(Int, [Float])])
  func channelsAreAveraged(channels: Int, expected: [Float]) throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/a.wav"
    try Self.write([0.25, -0.5, 0.75, 1], channels: channels, to: path)
    let sound = try Sound(path: path)
    #expect(sound.samples == expected)
    #expect(sound.fileChannelCount == channels)
    #expect(sound.sampleRate == 44_100)
  }

  /// Those that ship.
  @Test func shippedSounds() throws {
    let files = names(in: projectFolder + "/Sounds").filter { $0.hasSuffix(".flac") }
    #expect(files.count >= 5)
    for file in files {
      let sound = try Sound(path: "\(projectFolder)/Sounds/\(file)")
      #expect(sound.samples.count > 1000 && sound.samples.allSatisfy { abs($0) <= 1 }, "\(file)")
    }
  }

  @Test func plainFaults() {
    let folder = TemporaryFolder()
    let missing = folder.path + "/none.wav"
    #expect(throws: FileError(.notFound, file: missing, "no such file or directory")) {
      try Sound(path: missing)
    }
    #expect(throws: FileError(.unreadable, file: folder.path, "is a directory")) {
      try Sound(path: folder.path)
    }
    let empty = folder.file("empty.wav", "")
    #expect(throws: FileError(.malformed, file: empty, "the file is empty")) {
      try Sound(path: empty)
    }
    for (name, content) in [
      ("text.wav", "time,yaw\n1,2\n"), ("head.wav", "RIFF"), ("head.flac", "fLaC"),
      ("head.ogg", "OggS\0\0"),
    ] {
      let path = folder.file(name, content)
      let error = #expect(throws: FileError.self) { try Sound(path: path) }
      #expect(error?.code == .malformed && error?.file == path)
      #expect(error?.cause.hasPrefix("not a sound file (") == true)
    }
  }

  @Test func noSound() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/a.wav"
    try Self.write([], to: path)
    #expect(throws: FileError(.malformed, file: path, "holds no sound")) { try Sound(path: path) }
  }

  @Test(arguments: [
    ("a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16), ("a.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT),
    ("a.aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_16), ("a.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16),
    ("a.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS),
  ])
  func truncated(name: String, format: Int) throws {
    let folder = TemporaryFolder()
    let (whole, part) = (folder.path + "/" + name, folder.path + "/part-" + name)
    try Self.write(noise(20_000), format: format, to: whole)
    let bytes = try InputFile.bytes(path: whole, limit: 1 << 20)
    _ = try Sound(path: whole)
    for length in [bytes.count / 2, bytes.count - 100] {
      try OutputFile.write(bytes.prefix(length), to: part)
      let error = #expect(throws: FileError.self, "\(length)") { try Sound(path: part) }
      #expect(error?.code == .malformed && error?.file == part)
    }
  }

  /// A program that writes to a pipe cannot come back to fill in the length.
  @Test(arguments: [0xFFFF_FFFF, 0x7FFF_FFFF] as [UInt32])
  func lengthLeftOpen(promised: UInt32) throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/a.wav"
    try Self.write(noise(1000), format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, to: path)
    var bytes = try InputFile.bytes(path: path, limit: 1 << 20)
    // The chunk "data" begins at byte 36; its length follows its name.
    #expect(Array(bytes[36..<40]) == Array("data".utf8))
    for index in 0..<4 { bytes[40 + index] = UInt8(truncatingIfNeeded: promised >> (8 * index)) }
    try OutputFile.write(bytes, to: path)
    #expect(try Sound(path: path).samples.count == 1000)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity]) func samplesThatAreNotFinite(bad: Float)
    throws
  {
    let folder = TemporaryFolder()
    let path = folder.path + "/a.wav"
    try Self.write([0, 0.5, 0.25, bad, 0.5, 0.5], channels: 2, to: path)
    #expect(
      throws: FileError(.malformed, file: path, place: "frame 1", "the sample is not finite")
    ) { try Sound(path: path) }
  }

  @Test func ratesThatNobodyConverts() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/a.wav"
    try Self.write([0.5, 0.5], rate: 1000, to: path)
    #expect(
      throws: FileError(.unsupported, file: path, "1000 Hz is outside 4000 to 768000")
    ) { try Sound(path: path) }
  }
}

@Suite struct ResamplingTests {
  private static func tone(
    _ hertz: Double, rate: Int, count: Int, phase: Double = 0
  ) -> [Float] {
    (0..<count).map { Float(0.5 * sin(2 * .pi * hertz * Double($0) / Double(rate) + phase)) }
  }

  /// A tone of the same frequency and level comes out, away from the ends.
  @Test(arguments: [
    (48_000, 44_100), (44_100, 48_000), (22_050, 48_000), (96_000, 44_100), (4000, 48_000),
  ])
  func tonesStay(from: Int, to: Int) {
    let sound = Sound(sampleRate: from, samples: Self.tone(997, rate: from, count: from / 2))
    let result = sound.resampled(to: to, looping: false)
    #expect(result.sampleRate == to)
    #expect(abs(result.samples.count - to / 2) <= 1)
    let expected = Self.tone(997, rate: to, count: result.samples.count)
    let inner = result.samples.count / 10..<result.samples.count * 9 / 10
    let error = inner.map { abs(result.samples[$0] - expected[$0]) }.max() ?? 1
    #expect(error < 1e-4)
  }

  /// A tone that closes in the loop goes on through its seam: the loop's samples lie on one sine,
  /// all the way round, however short it is.
  @Test(arguments: [
    (48_000, 44_100, 24_000, 500), (44_100, 48_000, 22_050, 500), (48_000, 44_100, 160, 3),
    (44_100, 48_000, 147, 3), (48_000, 44_100, 1000, 20), (44_100, 48_000, 100, 2),
    (22_050, 44_100, 40, 2),
    (44_100, 22_050, 40, 2),
  ])
  func loopsStaySeamless(from: Int, to: Int, count: Int, cycles: Int) {
    let hertz = Double(cycles) * Double(from) / Double(count)
    let sound = Sound(sampleRate: from, samples: Self.tone(hertz, rate: from, count: count))
    let loop = sound.resampled(to: to, looping: true).samples
    let length = Double(count) * Double(to) / Double(from)
    #expect(loop.count == Int(length.rounded()))
    // Amplitude and phase by projection; then every sample against that sine.
    let turn = 2 * Double.pi * Double(cycles) / Double(loop.count)
    var (inPhase, quadrature) = (0.0, 0.0)
    for (index, sample) in loop.enumerated() {
      inPhase += Double(sample) * sin(turn * Double(index)) * 2 / Double(loop.count)
      quadrature += Double(sample) * cos(turn * Double(index)) * 2 / Double(loop.count)
    }
    #expect(abs(hypot(inPhase, quadrature) - 0.5) < 1e-3)
    let error = loop.enumerated().map { index, sample in
      let angle = turn * Double(index)
      return abs(Double(sample) - inPhase * sin(angle) - quadrature * cos(angle))
    }.max()
    #expect((error ?? 1) < 1e-4)
  }

  @Test func nothingToDo() {
    let sound = Sound(sampleRate: 48_000, samples: [0.5, 0.25])
    #expect(sound.resampled(to: 48_000, looping: true) == sound)
    let empty = Sound(sampleRate: 48_000, samples: [])
    #expect(empty.resampled(to: 44_100, looping: true).samples == [])
    #expect(
      Sound(sampleRate: 48_000, samples: [0.5]).resampled(to: 44_100, looping: true).samples.count
        == 1)
  }
}
