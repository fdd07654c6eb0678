import TestSupport
import Testing

@testable import HRTF

/// MinPHR02 by `docs/hrtf.txt` of OpenAL Soft 1.19: magic; 32-bit rate; sample type (1: 24 bits);
/// channel type (1: stereo); taps; fields; then of the field 16-bit distance in mm, elevations, one
/// count of azimuths each; all taps, left and right by turns, 24 bits little-endian; all delays.
@Suite struct OpenALDataSetEncodingTests {
  private static let set = OpenALDataSet(
    sampleRate: 44100, distance: 1.4, grid: OpenALGrid(azimuthCounts: [1, 1, 2, 1, 1]),
    tapCount: 8,
    // Of each node the first tap of the left and the last tap of the right ear.
    taps: [(0.5, -0.5), (-1, 1), (2, -2), (1.0 / 8_388_608, 0), (0, -1.0 / 8_388_608), (0.25, 0)]
      .flatMap { (left: Double, right: Double) -> [Float] in
        [Float(left)] + [Float](repeating: 0, count: 14) + [Float(right)]
      },
    delays: [0, 1, 2, 3, 63, 62, 4, 5, 6, 7, 8, 9])

  @Test func byteByByte() {
    let zeros = [UInt8](repeating: 0, count: 14 * 3)
    var expected: [UInt8] = Array("MinPHR02".utf8)
    expected += [0x44, 0xAC, 0, 0, 1, 1, 8, 1]
    expected += [0x78, 0x05, 5, 1, 1, 2, 1, 1]
    // 0.5 is 0x400000, −0.5 0xC00000, −1 0x800000; 1 and beyond saturate at 0x7FFFFF.
    expected += [0, 0, 0x40] + zeros + [0, 0, 0xC0]
    expected += [0, 0, 0x80] + zeros + [0xFF, 0xFF, 0x7F]
    expected += [0xFF, 0xFF, 0x7F] + zeros + [0, 0, 0x80]
    expected += [1, 0, 0] + zeros + [0, 0, 0]
    expected += [0, 0, 0] + zeros + [0xFF, 0xFF, 0xFF]
    expected += [0, 0, 0x20] + zeros + [0, 0, 0]
    expected += [0, 1, 2, 3, 63, 62, 4, 5, 6, 7, 8, 9]
    #expect(Self.set.minPHR02 == expected)
  }

  @Test func ownFilesHaveNoFault() {
    #expect(OpenALDataSet.fault(inMinPHR02: Self.set.minPHR02) == nil)
  }
}

/// What OpenAL Soft 1.19.1 refuses, or reads and then writes past its buffers for.
@Suite struct OpenALDataSetFaultTests {
  /// A file by its parts, all of them right unless changed.
  struct Parts: Sendable {
    var magic = "MinPHR02"
    var sampleType: UInt8 = 1
    var channelType: UInt8 = 1
    var taps: UInt8 = 8
    var fields: UInt8 = 1
    var distance = 1400
    var azimuths: [UInt8] = [1, 4, 4, 4, 1]
    var delay: UInt8 = 63
    var extra = 0

    var bytes: [UInt8] {
      let nodes = azimuths.reduce(0) { $0 + Int($1) } * (channelType == 1 ? 2 : 1)
      var bytes = Array(magic.utf8) + [0x44, 0xAC, 0, 0, sampleType, channelType, taps, fields]
      bytes += [UInt8(distance & 255), UInt8(distance >> 8), UInt8(azimuths.count)] + azimuths
      bytes += [UInt8](repeating: 1, count: nodes * Int(taps) * (sampleType == 1 ? 3 : 2))
      bytes += [UInt8](repeating: 0, count: nodes - 1) + [delay]
      if extra < 0 { bytes.removeLast(-extra) }
      return bytes + [UInt8](repeating: 0, count: max(0, extra))
    }
  }

  @Test(arguments: [
    Parts(), Parts(sampleType: 0), Parts(channelType: 0), Parts(sampleType: 0, channelType: 0),
    Parts(taps: 128), Parts(distance: 50), Parts(distance: 2500),
    Parts(azimuths: [128, 128, 128, 128, 128]), Parts(azimuths: Array(repeating: 1, count: 128)),
  ])
  func taken(_ parts: Parts) {
    #expect(OpenALDataSet.fault(inMinPHR02: parts.bytes) == nil)
  }

  @Test(arguments: [
    (
      Parts(magic: "MinPHR03"),
      "not of the version MinPHR02, the one that every OpenAL Soft from "
        + "1.19 on loads"
    ),
    (
      Parts(magic: "MinPHR01"),
      "not of the version MinPHR02, the one that every OpenAL Soft from "
        + "1.19 on loads"
    ),
    (Parts(magic: "RIFF\0\0\0\0"), "not a data set of OpenAL Soft"),
    (Parts(sampleType: 2), "of an unknown sample or channel type"),
    (Parts(channelType: 2), "of an unknown sample or channel type"),
    (Parts(taps: 136), "136 taps; OpenAL Soft has room for 8 to 128"),
    (Parts(taps: 248), "248 taps; OpenAL Soft has room for 8 to 128"),
    (Parts(taps: 12), "12 taps; OpenAL Soft has room for 8 to 128"),
    (Parts(taps: 0), "0 taps; OpenAL Soft has room for 8 to 128"),
    (Parts(fields: 2), "2 distances; OpenAL Soft 1.19 takes one"),
    (Parts(fields: 0), "0 distances; OpenAL Soft 1.19 takes one"),
    (Parts(distance: 49), "distance 49 mm"),
    (Parts(distance: 2501), "distance 2501 mm"),
    (Parts(azimuths: [1, 4, 4, 1]), "4 elevations"),
    (Parts(azimuths: Array(repeating: 1, count: 129)), "129 elevations"),
    (Parts(azimuths: [1, 4, 129, 4, 1]), "a ring of more than 128 azimuths or of none"),
    (Parts(azimuths: [1, 4, 0, 4, 1]), "a ring of more than 128 azimuths or of none"),
    (Parts(delay: 64), "a delay of more than 63 samples"),
    // 24 bytes of header and table; 14 nodes of 2 ears, 8 taps of 3 bytes, one byte of delay.
    (Parts(extra: -40), "truncated: 684 bytes of 724"),
    (Parts(extra: 1), "bytes after its end"),
  ])
  func refused(_ parts: Parts, cause: String) {
    #expect(OpenALDataSet.fault(inMinPHR02: parts.bytes) == cause)
  }

  /// Wherever a file ends early, there is a fault and no crash.
  @Test func everyShorterFile() {
    let whole = Parts().bytes
    for length in whole.indices {
      #expect(OpenALDataSet.fault(inMinPHR02: Array(whole.prefix(length))) != nil)
    }
  }

  @Test func junk() {
    for seed in 0..<2000 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let tail = (0..<Int.random(in: 0...600, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      #expect(OpenALDataSet.fault(inMinPHR02: Array("MinPHR02".utf8) + tail) != nil)
    }
  }
}

/// The conversion of a small set, whole.
@Suite struct ConvertingTests {
  /// Clicks at two delays, a level each.
  private static func clicks(
    _ ears: [(directions: SphericalDirection, delay: Int, level: Float)], length: Int = 64
  ) -> HRIRSet {
    var samples: [Float] = []
    for ear in ears {
      for level in [ear.level, ear.level / 2] {
        samples += (0..<length).map { $0 == ear.delay ? level : 0 }
      }
    }
    return HRIRSet(
      title: "", sampleRate: 48_000, directions: ears.map(\.directions), length: length,
      samples: samples, delays: [Float](repeating: 0, count: 2 * ears.count))
  }

  /// What must hold for whatever comes in: a file that the loader takes, finite taps.
  @Test(arguments: [
    [SphericalDirection(azimuth: 0, elevation: 0)],
    [
      SphericalDirection(azimuth: 0, elevation: 90), SphericalDirection(azimuth: 10, elevation: 90),
    ],
    (0..<8).map { SphericalDirection(azimuth: Double($0) * 45, elevation: 0, distance: 9000) },
    (0..<8).map { SphericalDirection(azimuth: Double($0) * 45, elevation: 0, distance: 0.001) },
  ])
  func anyLayout(directions: [SphericalDirection]) {
    let set = OpenALDataSet(
      converting: Self.clicks(
        directions.enumerated().map { ($0.element, 20 + $0.offset, 0.5) }))
    #expect(OpenALDataSet.fault(inMinPHR02: set.minPHR02) == nil)
    #expect(set.taps.allSatisfy { $0.isFinite })
    #expect(set.taps.contains { abs($0) > 0.1 })
  }

  /// Levels between the ears stay, whichever taps carry them.
  @Test func levelsStay() {
    let set = OpenALDataSet(
      converting: Self.clicks([
        (SphericalDirection(azimuth: 0, elevation: 0), 20, 0.5),
        (SphericalDirection(azimuth: 180, elevation: 0), 20, 0.25),
      ]))
    let node = set.grid.nodes.firstIndex { $0.azimuth == 0 && $0.elevation == 0 } ?? 0
    func energy(ear: Int) -> Double {
      (0..<set.tapCount).reduce(0.0) { sum, tap in
        let value = Double(set.taps[(node * set.tapCount + tap) * 2 + ear])
        return sum + value * value
      }
    }
    #expect(abs(energy(ear: 0) - 0.25) < 0.005)
    #expect(abs(energy(ear: 1) - 0.0625) < 0.00125)
  }
}
