import CSndFile
import Files
import Glibc
import TestSupport
import Testing

@testable import SpatialAudio

@Suite struct SoundFileWriterTests {
  private static func write(_ samples: [Float], to path: String) throws -> Int {
    let writer = try SoundFileWriter(
      path: path, sampleRate: 44_100, channelCount: 2, expectedFrames: samples.count / 2)
    // In two parts, as a rendering comes.
    let middle = samples.count / 4 * 2
    for part in [samples[..<middle], samples[middle...]] {
      try part.withUnsafeBufferPointer { try writer.write($0) }
    }
    try writer.commit()
    return writer.clippedCount
  }

  /// Both channels of a file, by libsndfile itself.
  private static func read(_ path: String) throws -> (samples: [Float], info: SF_INFO) {
    var info = SF_INFO()
    let file = try #require(sf_open(path, Int32(SFM_READ), &info))
    defer { sf_close(file) }
    var samples = [Float](repeating: 0, count: Int(info.frames) * Int(info.channels))
    #expect(sf_readf_float(file, &samples, info.frames) == info.frames)
    return (samples, info)
  }

  /// Tones of 440 and 660 Hz, left and right.
  private static let tones: [Float] = (0..<44_100).flatMap { frame -> [Float] in
    let turn = 2 * Float.pi * Float(frame) / 44_100
    return [0.5 * sinf(440 * turn), -0.25 * sinf(660 * turn)]
  }

  @Test(arguments: [
    // Exact; half of 2⁻²³; what a lossy codec leaves at 110 kbit/s, far below the tones.
    ("a.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, Float(0)),
    ("a.FLAC", SF_FORMAT_FLAC | SF_FORMAT_PCM_24, 6.1e-8),
    ("a.b.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0.02),
    ("a.oga", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0.02),
  ])
  func contents(name: String, format: Int, tolerance: Float) throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/" + name
    #expect(try Self.write(Self.tones, to: path) == 0)
    #expect(folder.names() == [name])
    let (samples, info) = try Self.read(path)
    #expect(info.channels == 2 && info.samplerate == 44_100 && info.frames == 44_100)
    #expect(Int(info.format) == format)
    let error = zip(samples, Self.tones).map { abs($0 - $1) }.max() ?? 1
    #expect(error <= tolerance)
    #expect(samples.count == Self.tones.count)

    // The mean of both channels is what a source plays.
    let sound = try Sound(path: path)
    #expect(sound.sampleRate == 44_100 && sound.fileChannelCount == 2)
    #expect(sound.samples.count == 44_100)
    for frame in stride(from: 0, to: 44_100, by: 1009) {
      let mean = (Self.tones[2 * frame] + Self.tones[2 * frame + 1]) / 2
      #expect(abs(sound.samples[frame] - mean) <= tolerance + 1e-7)
    }
  }

  /// WAV has a chunk with the time of day, Ogg a serial number drawn from it.
  @Test func sameBytesAtAnotherTime() throws {
    let folder = TemporaryFolder()
    let names = ["a.wav", "a.flac", "a.ogg"]
    func writeAll() throws -> [[UInt8]] {
      try names.map { name in
        _ = try Self.write(Self.tones, to: folder.path + "/" + name)
        return try InputFile.bytes(path: folder.path + "/" + name, limit: 1 << 24)
      }
    }
    let first = try writeAll()
    usleep(1_100_000)
    let second = try writeAll()
    for index in names.indices { #expect(first[index] == second[index], "\(names[index])") }
  }

  /// The pages' checksums are right again: another reader would say so.
  @Test func oggPagesAreWhole() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/a.ogg"
    _ = try Self.write(Self.tones, to: path)
    let bytes = try InputFile.bytes(path: path, limit: 1 << 24)
    var position = 0
    var pages = 0
    while position < bytes.count {
      let segments = Int(bytes[position + 26])
      let body = bytes[position + 27..<position + 27 + segments].reduce(0) { $0 + Int($1) }
      let end = position + 27 + segments + body
      var page = Array(bytes[position..<end])
      let stored = (0..<4).reduce(UInt32(0)) { $0 | UInt32(page[22 + $1]) << UInt32(8 * $1) }
      for index in 22..<26 { page[index] = 0 }
      // RFC 3533, section 6: CRC of polynomial 0x04C11DB7, nothing inverted or reflected.
      let checksum = page.reduce(UInt32(0)) { crc, byte in
        (0..<8).reduce(crc ^ UInt32(byte) << 24) { crc, _ in
          crc & 0x8000_0000 != 0 ? (crc << 1) ^ 0x04C1_1DB7 : crc << 1
        }
      }
      #expect(stored == checksum)
      position = end
      pages += 1
    }
    #expect(position == bytes.count && pages > 2)
  }

  @Test(arguments: [("a.flac", 3), ("a.wav", 0), ("a.ogg", 0)])
  func samplesBeyondFullScale(name: String, clipped: Int) throws {
    let folder = TemporaryFolder()
    var samples = [Float](repeating: 0.5, count: 8000)
    samples[10] = 1.5
    samples[4001] = -1.01
    samples[7999] = 1
    samples[5000] = 40
    #expect(try Self.write(samples, to: folder.path + "/" + name) == clipped)
    let read = try Self.read(folder.path + "/" + name).samples
    if name == "a.wav" { #expect(read == samples) }
    if name == "a.flac" {
      #expect(read[10] > 0.9999 && read[4001] == -1 && read[7999] > 0.9999 && read[5000] > 0.9999)
    }
  }

  @Test(arguments: ["a.mp3", "a", "wav", "a.wav.txt", "a.wav/"]) func wrongEnding(name: String) {
    let folder = TemporaryFolder()
    let error = #expect(throws: FileError.self) {
      try SoundFileWriter(
        path: folder.path + "/" + name, sampleRate: 44_100, channelCount: 2, expectedFrames: 1)
    }
    if name != "a.wav/" {
      #expect(error?.code == .unsupported)
      #expect(error?.cause == "the name of a sound ends in .wav, .flac or .ogg")
    }
    #expect(folder.names() == [])
  }

  @Test func missingFolder() {
    let path = "/nowhere/a.wav"
    #expect(throws: FileError(.unwritable, file: path, "no such file or directory")) {
      try SoundFileWriter(path: path, sampleRate: 44_100, channelCount: 2, expectedFrames: 1)
    }
  }

  /// Given up, it leaves nothing, nor touches the file that was there.
  @Test func droppedBeforeTheEnd() throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.wav", "old")
    do {
      let writer = try SoundFileWriter(
        path: path, sampleRate: 44_100, channelCount: 2, expectedFrames: 1)
      try Self.tones.withUnsafeBufferPointer { try writer.write($0) }
    }
    #expect(folder.names() == ["a.wav"])
    #expect(try InputFile.bytes(path: path, limit: 100) == Array("old".utf8))
  }

  /// Lets this process write no file beyond a size, as if the disk were full there.
  private static func limitFiles(to size: Int) {
    var room = rlimit(rlim_cur: rlim_t(size), rlim_max: .max)
    precondition(setrlimit(.init(RLIMIT_FSIZE.rawValue), &room) == 0)
  }

  /// A disk that is full: from the first byte, in the header, in the sound, near the end, at an end
  /// of a page. Each time there is a fault, and no file.
  @Test(arguments: ["a.wav", "a.flac", "a.ogg"]) func fullDisk(name: String) async throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/" + name
    _ = try Self.write(Self.tones, to: path)
    let size = try InputFile.bytes(path: path, limit: 1 << 24).count
    unlink(path)
    await #expect(processExitsWith: .success) { [path = path as String, size = size as Int] in
      signal(SIGXFSZ, SIG_IGN)
      for limit in [0, 10, 58, 100, size / 4, size / 2, size - 5000, size - 100, size - 1] {
        SoundFileWriterTests.limitFiles(to: limit)
        let error = #expect(throws: FileError.self, "\(limit) of \(size) bytes") {
          _ = try SoundFileWriterTests.write(SoundFileWriterTests.tones, to: path)
        }
        #expect(error?.code == .unwritable && error?.file == path && error?.cause != "")
        #expect(access(path, F_OK) != 0)
      }
      SoundFileWriterTests.limitFiles(to: size)
      _ = try SoundFileWriterTests.write(SoundFileWriterTests.tones, to: path)
    }
    #expect(folder.names() == [name])
  }
}
