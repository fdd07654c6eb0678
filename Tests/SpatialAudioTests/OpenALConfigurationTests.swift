import Files
import Geometry
import Glibc
import HRTF
import TestSupport
import Testing

@testable import HRTF
@testable import SpatialAudio

@Suite struct OpenALConfigurationTests {
  private static let cache = "$AURIENT_HRTF_CACHE,"

  private func hrtfPaths(files: [String], own: String? = nil) -> String? {
    OpenALConfiguration.content(files: files, own: own).split(separator: "\n").last.map(String.init)
  }

  @Test func noFiles() {
    #expect(
      OpenALConfiguration.content(files: ["/nowhere/a.conf"], own: nil)
        == "\n[general]\nhrtf-paths = \(Self.cache)\n")
    #expect(
      OpenALConfiguration.content(files: [], own: "/nowhere/a.conf")
        == "\n[general]\nhrtf-paths = \(Self.cache)\n")
  }

  /// The user's folders follow the cache, as OpenAL Soft would read them (`LoadConfigFromFile`).
  @Test(arguments: [
    ("hrtf-paths = /a,/b c,\n", "/a,/b c,"),
    ("hrtf-paths=/a", "/a"),
    ("  HRTF-Paths\t=  /a  # mine\n", "/a"),
    ("[general]\nhrtf-paths = /a\n[pulse]\nhrtf-paths = /b\n", "/a"),
    ("[pulse]\nhrtf-paths = /b\n", ""),
    ("[pulse]\nhrtf-paths = /b\n[General] # again\nhrtf-paths = /a\n", "/a"),
    ("#hrtf-paths = /a\nhrtf = true\n", ""),
    ("hrtf-paths = /a\nhrtf-paths = /b\n", "/b"),
    ("hrtf-paths = \"/a b, /c\"\n", "/a b, /c"),
    ("hrtf-paths = '/a'\r\nfrequency = 48000\r\n", "/a"),
    ("hrtf-paths =\n", ""),
    ("hrtf-paths = $HOME/sets,\n", "$HOME/sets,"),
    ("my-hrtf-paths = /a\nhrtf-paths-too = /b\nhrtf-paths\n", ""),
  ])
  func usersFolders(text: String, expected: String) {
    let folder = TemporaryFolder()
    let file = folder.file("alsoft.conf", text)
    #expect(hrtfPaths(files: [file]) == "hrtf-paths = \(Self.cache)\(expected)")
    #expect(hrtfPaths(files: [], own: file) == "hrtf-paths = \(Self.cache)\(expected)")
  }

  @Test func laterFilesCount() {
    let folder = TemporaryFolder()
    let first = folder.file("first.conf", "hrtf-paths = /first\n")
    let second = folder.file("second.conf", "hrtf-paths = /second\n")
    let silent = folder.file("silent.conf", "sources = 64\n")
    let empty = folder.file("empty.conf", "hrtf-paths =\n")
    #expect(hrtfPaths(files: [first, second, silent])?.hasSuffix(",/second") == true)
    #expect(hrtfPaths(files: [second, first])?.hasSuffix(",/first") == true)
    #expect(hrtfPaths(files: [first], own: second)?.hasSuffix(",/second") == true)
    #expect(hrtfPaths(files: [first, second], own: silent)?.hasSuffix(",/second") == true)
    #expect(hrtfPaths(files: [first], own: empty)?.hasSuffix(Self.cache) == true)
  }

  /// The new file stands in for the user's own, so it says all that that one says.
  @Test func ownSettingsStay() {
    let folder = TemporaryFolder()
    let text = "[general]\nsources = 64\n[reverb]\nboost = -6"
    let own = folder.file("own.conf", text)
    let other = folder.file("other.conf", "frequency = 22050\n")
    let content = OpenALConfiguration.content(files: [other], own: own)
    #expect(content.hasPrefix(text + "\n"))
    #expect(!content.contains("22050"))
    #expect(content.hasSuffix("\n[general]\nhrtf-paths = \(Self.cache)\n"))
  }

  /// A preset counts over the user's own periods; the user's own priority stays.
  @Test func latency() {
    let folder = TemporaryFolder()
    let own = folder.file("own.conf", "period_size = 64\nrt-prio = 3\n")
    let (preset, end) = ("\nperiod_size = 512\nperiods = 3\n", "[pulse]\nadjust-latency = true\n")
    let content = OpenALConfiguration.content(files: [], own: own, latency: .normal)
    #expect(content.hasPrefix("period_size = 64\n") && content.hasSuffix(preset + end))
    #expect(
      OpenALConfiguration.content(files: [], own: nil, latency: .normal)
        .hasSuffix(preset + "rt-prio = 1\n" + end))
  }

  @Test func commaInTheCachesName() async {
    await #expect(processExitsWith: .success) {
      #expect(
        throws: FileError(
          .unsupported, file: "/tmp/a,b", "OpenAL Soft cannot read data sets below a comma")
      ) { try OpenALConfiguration.prepare(cache: HRTFCache(folder: "/tmp/a,b")) }
    }
  }
}

/// What OpenAL itself makes of it, in a process that has not used it yet.
@Suite struct OpenALStartTests {
  enum Place: String, Codable, Sendable, CaseIterable {
    case none, configHome, home, configDirectory, alsoftConf, quoted
  }

  /// A data set of clicks: 0.5 left, 0.25 right, at every direction.
  private static let clicks: [UInt8] = {
    let counts = [1, 4, 4, 4, 1]
    let node: [Float] = [0.5, 0.25] + [Float](repeating: 0, count: 14)
    return OpenALDataSet(
      sampleRate: 44_100, distance: 1000, grid: OpenALGrid(azimuthCounts: counts), tapCount: 8,
      taps: (0..<14).flatMap { _ in node }, delays: [UInt8](repeating: 0, count: 28)
    ).minPHR02
  }()

  /// Wherever the user has said where data sets are, they are still found and used; so is the cache,
  /// whatever its folder is called.
  @Test(arguments: Place.allCases, ["cache", "a #$HOME é", String(repeating: "long/", count: 60)])
  func usersDataSetsAreKept(place: Place, cacheName: String) async throws {
    let folder = TemporaryFolder()
    let root = folder.path
    try UserFolders.make(root + "/my sets")
    try UserFolders.make(root + "/config")
    try OutputFile.write(Self.clicks, to: root + "/my sets/mine.mhr")
    try OutputFile.write(Self.clicks, to: root + "/source.mhr")
    let quote = place == .quoted ? "\"" : ""
    let text = "hrtf-paths = \(quote)\(root)/my sets\(quote)\n"
    switch place {
    case .none: break
    case .configHome, .quoted: _ = folder.file("config/alsoft.conf", text)
    case .home: _ = folder.file(".alsoftrc", text)
    case .configDirectory:
      try UserFolders.make(root + "/xdg")
      _ = folder.file("xdg/alsoft.conf", text)
    case .alsoftConf: _ = folder.file("own.conf", text)
    }
    await #expect(processExitsWith: .success) {
      [root = root as String, place = place as Place, cacheName = cacheName as String] in
      setenv("HOME", root, 1)
      setenv("XDG_CONFIG_HOME", root + "/config", 1)
      setenv("XDG_CONFIG_DIRS", root + "/xdg", 1)
      // Other tests of the process that started this one may have set it.
      unsetenv("ALSOFT_CONF")
      if place == .alsoftConf { setenv("ALSOFT_CONF", root + "/own.conf", 1) }
      let cache = HRTFCache(folder: root + "/" + cacheName)
      try OpenALConfiguration.prepare(cache: cache)
      let cached = try cache.dataSets(for: root + "/source.mhr")[0].name
      let names = try LoopbackDevice.dataSets()
      #expect(names.contains(cached), "\(names)")
      #expect(names.contains("mine") == (place != .none), "\(names)")
      for name in place == .none ? [cached] : [cached, "mine"] {
        let response = try ImpulseResponse(
          dataSets: [DistanceDataSet(name: name)], sampleRate: 44_100,
          direction: SphericalDirection(azimuth: 45, elevation: 10))
        let peaks = [0, 1].map { ear($0, of: response.samples).map(abs).max() ?? 0 }
        #expect(abs(peaks[0] - 0.5) < 1e-3 && abs(peaks[1] - 0.25) < 1e-3)
      }
    }
  }

  /// A set that comes into the cache later is found too, and a second preparation changes nothing.
  @Test func laterDataSets() async throws {
    let folder = TemporaryFolder()
    try OutputFile.write(Self.clicks, to: folder.path + "/source.mhr")
    await #expect(processExitsWith: .success) { [root = folder.path as String] in
      let cache = HRTFCache(folder: root + "/cache")
      try OpenALConfiguration.prepare(cache: cache)
      let before = try LoopbackDevice.dataSets()
      let name = try cache.dataSets(for: root + "/source.mhr")[0].name
      try OpenALConfiguration.prepare(cache: HRTFCache(folder: root + "/other"))
      #expect(!before.contains(name))
      #expect(try LoopbackDevice.dataSets().contains(name))
      #expect(access(root + "/other", F_OK) != 0)
    }
  }
}
