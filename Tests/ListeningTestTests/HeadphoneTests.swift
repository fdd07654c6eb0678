import Files
import Glibc
import HRTF
import SpatialAudio
import TestSupport
import Testing

@testable import ListeningTest

/// Filters for headphones: the user's own, or the inverse of what was measured.
@Suite struct HeadphoneTests {
  /// A resonance at 2.5 kHz and a dip at 8 kHz, as headphones on ears have: two sections of R. Bristow-Johnson's
  /// "Audio EQ cookbook", peaking, +8 dB (Q 2) and −6 dB (Q 3).
  private static let response: [Float] = {
    var signal = [Double](repeating: 0, count: 512)
    signal[0] = 1
    for (hertz, decibels, q) in [(2500.0, 8.0, 2.0), (8000, -6, 3)] {
      let a = pow(10, decibels / 40)
      let omega = 2 * Double.pi * hertz / 48_000
      let alpha = sin(omega) / (2 * q)
      let (b0, b1, b2) = (1 + alpha * a, -2 * cos(omega), 1 - alpha * a)
      let (a0, a1, a2) = (1 + alpha / a, -2 * cos(omega), 1 - alpha / a)
      var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
      for index in signal.indices {
        let x = signal[index]
        let y = (b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2) / a0
        (x2, x1, y2, y1) = (x1, x, y1, y)
        signal[index] = y
      }
    }
    return signal.map(Float.init)
  }()

  private func write(_ channels: [[Float]], rate: Int = 48_000, to path: String) throws {
    let samples = channels[0].indices.flatMap { index in channels.map { $0[index] } }
    // Below full scale, as 24 bits hold it; inverses keep the mean level anyway.
    let bytes = try SoundFileData.bytes(
      samples.map { $0 / 2 }, sampleRate: rate, channelCount: channels.count, format: .wav,
      for: path)
    try OutputFile.write(bytes, to: path)
  }

  private func filter(_ path: String, inverted: Bool, rate: Int = 48_000) throws -> HeadphoneFilter
  {
    try HeadphoneFilter(
      ListeningDesign.Headphones(file: path, isInverted: inverted), sampleRate: rate)
  }

  /// Range of levels from 200 Hz to 16 kHz, dB.
  private func range(_ taps: [Float]) -> Double {
    let fft = RealFFT(size: 4096)
    let spectrum = fft.forward(taps)
    let levels = (18...1365).map { bin in
      let (re, im) = (Double(spectrum.real[bin]), Double(spectrum.imaginary[bin]))
      return 10 * log10(re * re + im * im)
    }
    return (levels.max() ?? 0) - (levels.min() ?? 0)
  }

  @Test func theUsersFilterIsTakenAsItIs() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/filter.wav"
    try write([[0.5, 0.25, 0], [0, 0.5, 0]], to: path)
    let taps = try filter(path, inverted: false).taps
    #expect(taps == [[0.25, 0.125, 0], [0, 0.25, 0]])
    let applied = try filter(path, inverted: false).applied(to: [[1, 0], [0, 1]])
    #expect(applied == [[0.25, 0.125, 0, 0], [0, 0, 0.25, 0]])
    try write([[0.5, 0.25, 0]], to: path)
    #expect(try filter(path, inverted: false).taps == [[0.25, 0.125, 0], [0.25, 0.125, 0]])
  }

  /// 14 dB of the headphones' own range come to less than 2; by the regularisation not to nothing.
  @Test func theInverseFlattens() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/measured.wav"
    try write([Self.response, Self.response], to: path)
    #expect(range(Self.response) > 13)
    let inverse = try filter(path, inverted: true)
    #expect(range(inverse.applied(to: [Self.response, Self.response])[0]) < 2)
    #expect(inverse.taps[0] == inverse.taps[1])
  }

  /// The same responses in a SOFA file, twice: a file as `aurient hrtf merge` writes, its convention changed.
  @Test func readsSimpleHeadphoneIR() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/headphones.sofa"
    let right = Self.response.map { $0 / 2 }
    var set = try SOFAFile(path: "\(projectFolder)/HRTF/SADIE-KU100-48000.sofa").responses
    set.directions = [0, 90].map { SphericalDirection(azimuth: $0, elevation: 0) }
    set.length = 512
    set.samples = Self.response + right + Self.response + right
    set.delays = [0, 0, 0, 0]
    try SOFAFile.write(set, attributes: [], to: path)
    var bytes = try InputFile.bytes(path: path, limit: 1 << 24)
    let (old, new) = (Array("SimpleFreeFieldHRIR".utf8), Array("SimpleHeadphoneIR\0\0".utf8))
    let places = bytes.indices.dropLast(old.count).filter {
      bytes[$0] == old[0] && bytes[$0...].starts(with: old)
    }
    #expect(!places.isEmpty)
    for place in places { bytes.replaceSubrange(place..<place + old.count, with: new) }
    try OutputFile.write(bytes, to: path)
    #expect(try filter(path, inverted: false).taps == [Self.response, right])
    let inverse = try filter(path, inverted: true)
    #expect(range(inverse.applied(to: [Self.response, right])[1]) < 2)
  }

  @Test func whatIsNoFilterIsNamed() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/filter.wav"
    func fault(_ path: String, rate: Int = 48_000) -> String {
      do {
        _ = try filter(path, inverted: false, rate: rate)
        return "none"
      } catch { return "\(error)" }
    }
    try write([[0.5], [0.5], [0.5]], to: path)
    #expect(fault(path).contains("3 channels"))
    try write([[0, 0], [0.5, 0]], to: path)
    #expect(fault(path).contains("all samples of a channel are 0"))
    try write([[0.5, 0]], to: path)
    #expect(fault(path, rate: 44_100).contains("is of 48000 Hz, where the stimuli are of 44100 Hz"))
    try write([[Float](repeating: 0.1, count: 20_000)], to: path)
    #expect(fault(path).contains("20000 samples are no filter"))
    let set = "\(projectFolder)/HRTF/MIT-KEMAR-44100.sofa"
    #expect(fault(set).contains("\"SimpleFreeFieldHRIR\" is not SimpleHeadphoneIR"))
  }
}
