import Files
import Glibc
import TestSupport
import Testing

@testable import HRTF

@Suite struct HRTFCacheTests {
  /// A small data set that needs no conversion.
  private static let dataSet = OpenALDataSetFaultTests.Parts().bytes

  private static func write(_ bytes: [UInt8], to path: String) throws {
    try OutputFile.write(bytes, to: path)
  }

  /// Inode and time of change.
  private static func identity(_ path: String) -> [Int] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    return [Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
  }

  @Test func sameContentSameName() throws {
    let folder = TemporaryFolder()
    let cache = HRTFCache(folder: folder.path + "/a/b")
    let (first, second) = (folder.path + "/first.mhr", folder.path + "/second.mhr")
    try Self.write(Self.dataSet, to: first)
    try Self.write(Self.dataSet, to: second)
    let name = try cache.dataSets(for: first)[0].name
    #expect(HRTFCache.isCached(name) && !HRTFCache.isCached("Built-In 44100hz"))
    let made = "\(cache.folder)/\(name).mhr"
    #expect(try InputFile.bytes(path: made, limit: 1 << 20) == Self.dataSet)
    #expect(try cache.sampleRate(of: name) == 44100)

    let identity = Self.identity(made)
    #expect(!identity.isEmpty)
    #expect(try cache.dataSets(for: first)[0].name == name)
    #expect(try cache.dataSets(for: second)[0].name == name)
    #expect(Self.identity(made) == identity)
  }

  @Test func otherContentOtherName() throws {
    let folder = TemporaryFolder()
    let cache = HRTFCache(folder: folder.path + "/cache")
    let path = folder.path + "/a.mhr"
    try Self.write(Self.dataSet, to: path)
    let first = try cache.dataSets(for: path)[0].name
    try Self.write(OpenALDataSetFaultTests.Parts(delay: 62).bytes, to: path)
    let second = try cache.dataSets(for: path)[0].name
    #expect(first != second)
    #expect(Set(names(in: cache.folder)) == ["\(first).mhr", "\(second).mhr"])
  }

  /// A data set that a fault of the disk has emptied, cut or overwritten is made again.
  @Test(arguments: [0, 5, 30, 700, 723]) func damagedDataSet(length: Int) throws {
    let folder = TemporaryFolder()
    let cache = HRTFCache(folder: folder.path + "/cache")
    let path = folder.path + "/a.mhr"
    try Self.write(Self.dataSet, to: path)
    let name = try cache.dataSets(for: path)[0].name
    let made = "\(cache.folder)/\(name).mhr"
    try Self.write(Array(Self.dataSet.prefix(length)), to: made)
    #expect(throws: FileError.self) { try cache.sampleRate(of: name) }
    #expect(try cache.dataSets(for: path)[0].name == name)
    #expect(try InputFile.bytes(path: made, limit: 1 << 20) == Self.dataSet)
  }

  /// The file's own rate is one data set, asked for by its number or not, whichever comes first; another is another.
  @Test(arguments: [[nil, 44_100], [44_100, nil]] as [[Int?]]) func ownRate(order: [Int?]) throws {
    let folder = TemporaryFolder()
    let cache = HRTFCache(folder: folder.path + "/cache")
    let path = "\(projectFolder)/Tests/Fixtures/turned-listener.sofa"
    let own = try order.map { try cache.dataSets(for: path, sampleRate: $0)[0].name }
    #expect(own[0] == own[1])
    let files = names(in: cache.folder)
    #expect(files.count == 2)
    for _ in 0..<2 {
      let other = try cache.dataSets(for: path, sampleRate: 48_000)[0].name
      #expect(other != own[0])
      #expect(try cache.sampleRate(of: other) == 48_000)
      #expect(names(in: cache.folder).count == 4)
    }
    #expect(try cache.dataSets(for: path, sampleRate: 44_100)[0].name == own[0])
  }

  /// Every change of the responses is a data set of its own; the part that is measured lies beside it,
  /// and is made again with it.
  @Test func fittedSets() throws {
    let folder = TemporaryFolder()
    let cache = HRTFCache(folder: folder.path + "/cache")
    let path = "\(projectFolder)/Tests/Fixtures/turned-listener.sofa"
    let name = try cache.dataSets(for: path)[0].name
    let fitted = try cache.dataSets(
      for: path, fitting: HRTFFitting(equalization: .diffuseField, headCircumference: 57))[0].name
    #expect(fitted == name + "-diffuse-field-head57.0")
    let files = [name, fitted].flatMap { ["\($0).measured", "\($0).mhr"] }.sorted()
    #expect(TestSupport.names(in: cache.folder) == files)
    let part = try #require(cache.measuredPart(of: DistanceDataSet(name: name)))
    try OutputFile.write([], to: "\(cache.folder)/\(name).measured")
    #expect(cache.measuredPart(of: DistanceDataSet(name: name)) == nil)
    #expect(try cache.dataSets(for: path)[0].name == name)
    #expect(cache.measuredPart(of: DistanceDataSet(name: name)) == part)
    // A ready-made set cannot be changed.
    let ready = folder.path + "/a.mhr"
    try Self.write(Self.dataSet, to: ready)
    #expect(
      throws: FileError(
        .unsupported, file: ready,
        "is ready-made, not a SOFA file, which could be equalised, scaled to a head or brought near"
      )
    ) { try cache.dataSets(for: ready, fitting: HRTFFitting(equalization: .freeField)) }
  }

  @Test func missingDataSet() {
    let folder = TemporaryFolder()
    let cache = HRTFCache(folder: folder.path)
    #expect(
      throws: FileError(
        .notFound, file: "\(folder.path)/aurient-0.mhr", "no such file or directory")
    ) { try cache.sampleRate(of: "aurient-0") }
  }

  @Test func faultyFiles() throws {
    let folder = TemporaryFolder()
    let cache = HRTFCache(folder: folder.path + "/cache")
    let missing = folder.path + "/none.sofa"
    #expect(throws: FileError(.notFound, file: missing, "no such file or directory")) {
      try cache.dataSets(for: missing)[0].name
    }
    let tooLong = folder.path + "/a.mhr"
    try Self.write(OpenALDataSetFaultTests.Parts(taps: 136).bytes, to: tooLong)
    #expect(
      throws: FileError(
        .malformed, file: tooLong, "136 taps; OpenAL Soft has room for 8 to 128")
    ) { try cache.dataSets(for: tooLong)[0].name }
    let text = folder.file("a.sofa", "no sofa")
    #expect(
      throws: FileError(
        .malformed, file: text, place: "byte 0", "not a SOFA file (no HDF5 signature)")
    ) { try cache.dataSets(for: text)[0].name }
    // Nothing is left of what failed.
    #expect(names(in: cache.folder) == [])
  }

  @Test func folderThatCannotBeMade() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/a.mhr"
    try Self.write(Self.dataSet, to: path)
    for place in ["/dev/null/cache", "/proc/cache", path] {
      let error = #expect(throws: FileError.self) {
        try HRTFCache(folder: place).dataSets(for: path)
      }
      #expect(error?.code == .unwritable, "\(place)")
      #expect(error?.file.hasPrefix(place) == true || error?.file == "/dev/null", "\(place)")
    }
  }

  /// Threads that want the same and different data sets at once all get whole ones.
  @Test func manyThreads() async throws {
    let folder = TemporaryFolder()
    let cache = HRTFCache(folder: folder.path + "/cache")
    var paths: [String] = []
    for delay in 0..<4 {
      paths.append("\(folder.path)/\(delay).mhr")
      try Self.write(
        OpenALDataSetFaultTests.Parts(taps: 128, delay: UInt8(delay)).bytes, to: paths[delay])
    }
    let given = try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<64 {
        let path = paths[index % paths.count]
        group.addTask {
          let name = try cache.dataSets(for: path)[0].name
          _ = try cache.sampleRate(of: name)
          return name
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(given.count == 4)
    #expect(Set(names(in: cache.folder)) == Set(given.map { $0 + ".mhr" }))
  }

  /// So do processes.
  @Test func manyProcesses() async throws {
    let folder = TemporaryFolder()
    let cache = folder.path + "/cache"
    let path = folder.path + "/a.mhr"
    let parts = OpenALDataSetFaultTests.Parts(taps: 128, azimuths: [1, 128, 128, 128, 1])
    try Self.write(parts.bytes, to: path)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [cache = cache as String, path = path as String] in
            let cache = HRTFCache(folder: cache)
            let name = try cache.dataSets(for: path)[0].name
            #expect(try cache.sampleRate(of: name) == 44100)
          }
        }
      }
    }
    let made = names(in: cache)
    #expect(made.count == 1)
    #expect(try InputFile.bytes(path: "\(cache)/\(made[0])", limit: 1 << 20) == parts.bytes)
  }

  /// The cache of a relative folder is below the working directory.
  @Test func relativeFolder() throws {
    let folder = TemporaryFolder()
    // No other test depends on the working directory.
    let up = String(repeating: "../", count: 40)
    let cache = HRTFCache(folder: up + folder.path.dropFirst() + "/x/y")
    let path = folder.path + "/a.mhr"
    try Self.write(Self.dataSet, to: path)
    let name = try cache.dataSets(for: path)[0].name
    #expect(access("\(folder.path)/x/y/\(name).mhr", R_OK) == 0)
  }
}

@Suite struct UserFoldersTests {
  @Test func foldersAreMadeOnce() throws {
    let folder = TemporaryFolder()
    let place = folder.path + "/a/b/c"
    try UserFolders.make(place)
    try UserFolders.make(place + "/")
    #expect(access(place, W_OK) == 0)
    let file = folder.file("file", "")
    #expect(
      throws: FileError(
        .unwritable, file: file + "/d",
        "not a directory; XDG_CACHE_HOME names another folder for the cache")
    ) {
      try UserFolders.make(file + "/d/e")
    }
  }

  @Test func emptyVariablesCountAsUnset() {
    #expect(UserFolders.environment("AURIENT_TEST_NO_SUCH_VARIABLE") == nil)
    setenv("AURIENT_TEST_VARIABLE", "", 1)
    #expect(UserFolders.environment("AURIENT_TEST_VARIABLE") == nil)
    setenv("AURIENT_TEST_VARIABLE", "x", 1)
    #expect(UserFolders.environment("AURIENT_TEST_VARIABLE") == "x")
  }
}
