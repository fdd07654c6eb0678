import Aurient
import Files
import Glibc
import HRTF
import SpatialAudio
import TestSupport
import Testing

@Suite struct HRTFCatalogueTests {
  private static let kemar = "MIT-KEMAR-44100"
  private static let sadie = "SADIE-KU100-48000"
  private let catalogue = testCatalogue

  init() { convertShippedSets() }

  @Test func theSetsThatShip() {
    #expect(DataFolder.path == projectFolder)
    #expect(
      catalogue.entries.map { [$0.name, $0.path] }
        == [Self.kemar, Self.sadie].map {
          [$0, "\(projectFolder)/HRTF/\($0).sofa"]
        })
    #expect(HRTFCatalogue(folder: nil).entries.isEmpty)
    #expect(HRTFCatalogue(folder: "/nonexistent").entries.isEmpty)
  }

  @Test(
    arguments: [
      (kemar, nil, kemar, 44100), (sadie, nil, sadie, 48000), (sadie, 48000, sadie, 48000),
      ("mit-kemar-44100", nil, kemar, 44100), ("MIT", nil, kemar, 44100),
      ("s", 48000, sadie, 48000), (nil, 44100, kemar, 44100), (nil, 48000, sadie, 48000),
      (nil, nil, sadie, 48000),
    ] as [(String?, Int?, String, Int)])
  func names(request: String?, rate: Int?, title: String, expectedRate: Int) throws {
    let selection = try catalogue.select(request, sampleRate: rate)
    #expect(selection.title == title)
    #expect(selection.sampleRate == expectedRate)
    #expect(try LoopbackDevice.dataSets().contains(selection.dataSets[0].name))
  }

  @Test func filesOfBothKinds() throws {
    let folder = TemporaryFolder()
    let sofa = "\(projectFolder)/HRTF/\(Self.kemar).sofa"
    let set = try catalogue.select(sofa, sampleRate: nil)
    #expect(set.title == sofa)
    #expect(
      set.dataSets[0].name == (try catalogue.select(Self.kemar, sampleRate: nil)).dataSets[0].name)
    // A ready-made data set is used as it is.
    let cache = HRTFCache(folder: convertedFolder)
    let bytes = try InputFile.bytes(
      path: "\(cache.folder)/\(set.dataSets[0].name).mhr", limit: 1 << 24)
    let mhr = folder.path + "/own.mhr"
    try OutputFile.write(bytes, to: mhr)
    let own = try catalogue.select(mhr, sampleRate: 44100)
    #expect(own.title == mhr && own.sampleRate == 44100)
    _ = try LoopbackDevice(sampleRate: 44100, dataSet: own.dataSets[0].name)
  }

  /// A SOFA file is converted to the rate asked for; a ready-made data set is of one rate only.
  @Test func ratesThatDiffer() throws {
    let converted = try catalogue.select(Self.kemar, sampleRate: 32000)
    #expect(converted.sampleRate == 32000)
    let folder = TemporaryFolder()
    let mhr = folder.path + "/own.mhr"
    let cached = "\(convertedFolder)/\(converted.dataSets[0].name).mhr"
    try OutputFile.write(try InputFile.bytes(path: cached, limit: 1 << 24), to: mhr)
    let error = #expect(throws: FileError.self) {
      _ = try catalogue.select(mhr, sampleRate: 44100)
    }
    #expect(error?.code == .unsupported)
    #expect(
      error?.description
        == "\(mhr): is of 32000 Hz, not of the 44100 asked for, and not a SOFA file, which could be "
        + "converted")
  }

  /// A rate that no shipped set has is met by converting one.
  @Test func anyRateByDefault() throws {
    let selection = try catalogue.select(nil, sampleRate: 32000)
    #expect(selection.sampleRate == 32000 && selection.title == Self.sadie)
  }

  @Test func severalSetsBeginSo() throws {
    let folder = TemporaryFolder()
    for name in ["Ears-1.sofa", "Ears-2.sofa", "Ears.sofa", "Other.txt"] {
      _ = folder.file(name, "")
    }
    let catalogue = HRTFCatalogue(folder: folder.path)
    #expect(catalogue.entries.map(\.name) == ["Ears", "Ears-1", "Ears-2"])
    #expect(
      throws: EngineError(.hrtf, "the HRTF data set \"ea\" may be Ears or Ears-1 or Ears-2")
    ) { _ = try catalogue.select("ea", sampleRate: nil) }
    // A whole name is meant even where others go on from it.
    let error = #expect(throws: FileError.self) {
      _ = try catalogue.select("ears", sampleRate: nil)
    }
    #expect(error?.description == "\(folder.path)/Ears.sofa: the file is empty")
  }

  @Test func anUnknownNameListsWhatThereIs() throws {
    let own = try catalogue.ownDataSets()
    let error = #expect(throws: EngineError.self) {
      _ = try catalogue.select("KEMAR", sampleRate: nil)
    }
    let names = ([Self.kemar, Self.sadie] + own).joined(separator: ", ")
    #expect(
      error?.cause == "there is no HRTF data set \"KEMAR\"; there are \(names), or name a file")
    #expect(error?.code == .hrtf)
    #expect(!own.contains { HRTFCache.isCached($0) })
  }

  @Test(arguments: [("x.sofa", "no such file or directory"), ("./x", "no such file or directory")])
  func filesThatAreNotThere(request: String, cause: String) {
    let error = #expect(throws: FileError.self) {
      _ = try catalogue.select(request, sampleRate: nil)
    }
    #expect(error?.description == "\(request): \(cause)")
    #expect(error?.code == .notFound)
  }

  @Test func aTruncatedDataSet() throws {
    let folder = TemporaryFolder()
    let set = try catalogue.select(Self.kemar, sampleRate: nil)
    let bytes = try InputFile.bytes(
      path: "\(HRTFCache().folder)/\(set.dataSets[0].name).mhr", limit: 1 << 24)
    let path = folder.path + "/own.mhr"
    try OutputFile.write(bytes.dropLast(100), to: path)
    let error = #expect(throws: FileError.self) { _ = try catalogue.select(path, sampleRate: nil) }
    #expect(
      error?.description
        == "\(path): truncated: \(bytes.count - 100) bytes of \(bytes.count)")
  }
}
