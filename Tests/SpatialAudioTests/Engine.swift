import Files
import Geometry
import Glibc
import HRTF
import TestSupport

@testable import SpatialAudio

/// A data set that ships, converted for OpenAL.
struct ShippedSet: Sendable {
  var path: String
  var sampleRate: Int
  /// Its name in OpenAL.
  var dataSet: String

  private init(_ name: String, sampleRate: Int, isConverted: Bool = false) throws {
    let cache = HRTFCache(folder: convertedFolder)
    try OpenALConfiguration.prepare(cache: cache)
    path = "\(projectFolder)/HRTF/\(name).sofa"
    self.sampleRate = sampleRate
    dataSet = try cache.dataSets(
      for: path, sampleRate: isConverted ? sampleRate : nil)[0].name
  }

  /// MIT KEMAR, once for all tests.
  static let kemar = Result { try ShippedSet("MIT-KEMAR-44100", sampleRate: 44_100) }
  /// The same, converted to other rates.
  static let kemarAt48000 = Result {
    try ShippedSet("MIT-KEMAR-44100", sampleRate: 48_000, isConverted: true)
  }
  static let kemarAt96000 = Result {
    try ShippedSet("MIT-KEMAR-44100", sampleRate: 96_000, isConverted: true)
  }
  /// SADIE KU 100.
  static let ku100 = Result { try ShippedSet("SADIE-KU100-48000", sampleRate: 48_000) }
  static let ku100At44100 = Result {
    try ShippedSet("SADIE-KU100-48000", sampleRate: 44_100, isConverted: true)
  }
}

/// White noise of full scale over 4, the same for the same seed.
func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { _ in Float.random(in: -0.25...0.25, using: &generator) }
}

extension LoopbackDevice {
  /// Renders a number of frames at once.
  func render(frames: Int) -> [Float] {
    var output = [Float](repeating: 0, count: 2 * frames)
    output.withUnsafeMutableBufferPointer { render(into: $0) }
    return output
  }

  /// Turns the listener as a head of this attitude.
  func setListener(_ attitude: Quaternion) {
    setListener(ahead: WorldFrame.ahead(attitude), up: WorldFrame.up(attitude))
  }
}

/// One ear (0 left, 1 right) of interleaved samples.
func ear(_ ear: Int, of samples: [Float]) -> [Float] {
  stride(from: ear, to: samples.count, by: 2).map { samples[$0] }
}
