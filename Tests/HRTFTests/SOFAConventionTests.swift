import Files
import Geometry
import Glibc
import TestSupport
import Testing

@testable import HRTF

/// Files of other conventions derived from the KEMAR set hold what that set holds.
@Suite(.enabled(if: testDataFolder != nil)) struct SOFAConventionTests {
  private static func path(_ name: String) -> String { "\(testDataFolder ?? "")/sofa/\(name).sofa" }

  /// Counts by sofar 1.3.0, less the duplicates; the files with a tolerance went through a transform
  /// and 32-bit floats.
  @Test(
    arguments: [
      ("GeneralFIR", 40, 0, 0), ("GeneralFIR-E", 2, 46, 0), ("MultiSpeakerBRIR", 24, 24, 0),
      ("SimpleFreeFieldHRTF_44k1", 329, 0, 1e-6), ("SimpleFreeFieldHRIR_cartesian", 329, 0, 0),
    ] as [(String, Int, Int, Float)])
  func sameAsKEMAR(name: String, count: Int, duplicates: Int, tolerance: Float) throws {
    let kemar = try SOFAFile(path: shippedKEMAR).responses
    let file = try SOFAFile(path: Self.path(name))
    let set = file.responses
    #expect(set.directions.count == count && file.duplicateCount == duplicates)
    #expect(set.sampleRate == 44100 && set.length == 512)
    #expect(set.delays == [Float](repeating: 0, count: 2 * count))
    for (index, direction) in set.directions.enumerated() {
      let same = try #require(
        kemar.directions.firstIndex { $0.angle(to: direction) < 1e-3 }, "\(direction)")
      #expect(abs(direction.distance - 1.4) < 1e-5)
      for ear in 0...1 {
        let differences = zip(set.response(index, ear: ear), kemar.response(same, ear: ear))
          .map { abs($0 - $1) }
        #expect((differences.max() ?? 1) <= tolerance, "\(direction), ear \(ear)")
      }
    }
  }

  @Test func mirroredSets() throws {
    for (name, isMirrored) in [
      ("UniS_Anechoic_BRIR_16k", true), ("UniS_Anechoic_BRIR_48k", true), ("HRIR_CIRC360", false),
      ("HRIR_CIRC360_NF050", false), ("MIT_KEMAR_normal_pinna", false),
      ("CIPIC_subject_003_hrir_final_itdInDelayField", false), ("Pulse", nil),
    ] as [(String, Bool?)] {
      let set = try SOFAFile(path: Self.path(name)).responses
      #expect(set.isMirrored == isMirrored, "\(name)")
      #expect(set.mirrored().isMirrored == isMirrored.map { !$0 }, "\(name)")
    }
  }

  /// By scipy: the greatest circumradius of a facet of `ConvexHull(unit vectors)`,
  /// `degrees(arccos(-equations[:, 3])).max()`; of the planes by geometry.
  @Test(arguments: [
    ("SADIE_Subject_002_DFC_48k", 10.009334), ("MIT_KEMAR_normal_pinna", 50),
    ("CIPIC_subject_003_hrir_final_itdInDelayField", 42.220543), ("P0001_Windowed_48kHz", 45),
    ("HRIR_CIRC360", 90), ("GeneralFIR", 130),
  ]) func largestGap(name: String, degrees: Double) throws {
    let set = try SOFAFile(path: Self.path(name)).responses
    #expect(abs(set.largestGap - degrees) < 0.01)
  }

  /// Known to make libmysofa 1.3.1 hang.
  @Test func hangingFile() throws {
    var bytes = try InputFile.bytes(path: Self.path("Pulse"), limit: 1 << 24)
    for index in 14042..<14050 { bytes[index] = 0xFF }
    let folder = TemporaryFolder()
    let path = folder.path + "/a.sofa"
    try OutputFile.write(bytes, to: path)
    #expect(
      throws: FileError(.malformed, file: path, "damaged: reading it took over 2 s")
    ) { try SOFAFile(path: path, timeLimit: 2) }
  }
}

/// What the file made by Tests/Fixtures/make_turned_listener.py says, with the values that it prints.
@Suite struct TurnedListenerTests {
  private static let path = "\(projectFolder)/Tests/Fixtures/turned-listener.sofa"

  @Test func directionsAsTheHeadSeesThem() throws {
    let file = try SOFAFile(path: Self.path)
    let set = file.responses
    #expect(set.directions.count == 12 && file.duplicateCount == 1)
    for (index, direction) in set.directions.enumerated() {
      #expect(
        direction.angle(to: SphericalDirection(azimuth: 30 * Double(index), elevation: 0)) < 1e-4)
      #expect(abs(direction.distance - 1.4) < 1e-6)
      #expect(set.delay(index, ear: 0) == Float(20 + 2 * index))
      #expect(set.delay(index, ear: 1) == Float(21 + 2 * index))
    }
  }

  @Test(
    arguments: [
      (0, [-0.11807251, -0.08862305, -0.02557373], [0.98940694, 0.98940694]),
      (3, [0.21652222, 0.18508911, -0.28701782], [2.53579346, 0.16581237]),
      (11, [0.00054932, -0.00039673, 0.00125122], [0.26860778, 1.90653681]),
    ] as [(Int, [Float], [Float])])
  func floatResponses(direction: Int, samples: [Float], energies: [Float]) throws {
    let set = try SOFAFile(path: Self.path).responses
    let left = Array(set.response(direction, ear: 0))
    for (value, wanted) in zip(left[20...], samples) { #expect(abs(value - wanted) < 1e-7) }
    for (ear, energy) in energies.enumerated() {
      let sum = set.response(direction, ear: ear).reduce(0) { $0 + $1 * $1 }
      #expect(abs(sum / energy - 1) < 1e-5)
    }
  }

  /// Threads that read and allocate at once: none waits for a lock that another held at a fork.
  @Test func readingFromSeveralThreads() async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var count = 0
          for turn in 0..<6 {
            let path = (task + turn) % 3 == 0 ? shippedKEMAR : Self.path
            count += try SOFAFile(path: path).responses.directions.count
            _ = (0..<1000).map { "\($0)" }.joined()
          }
          return count
        }
      }
      var total = 0
      for try await count in group { total += count }
      #expect(total == 16 * 710 + 32 * 12)
    }
  }
}
