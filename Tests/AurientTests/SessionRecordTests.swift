import Aurient
import Files
import TestSupport
import Testing

/// What a record of a played session says of the order in which sound was made and inputs came.
@Suite struct SessionRecordTests {
  private static let rate = 48_000

  /// A second of a session with one beacon and these rows, after which nothing came but the end.
  private func samples(_ rows: [String]) throws -> [Float] {
    let folder = TemporaryFolder()
    let scene = """
      {"rate": \(Self.rate), "sound": "\(projectFolder)/Sounds/pink-burst.flac",
       "beacons": [{"name": "A", "latitude": 51.001, "longitude": 0}]}
      """
    try OutputFile.write(scene.utf8, to: folder.path + "/scene.json")
    let inputs =
      ["frame,made,time_ns,input,a,b,c,d,e,f,g"] + rows
      + ["48000,52224,1000000000,tick,,,,,,,", ""]
    try OutputFile.write(inputs.joined(separator: "\n").utf8, to: folder.path + "/inputs.csv")
    let renderer = try SessionRenderer(folder: folder.path, catalogue: testCatalogue)
    var samples: [Float] = []
    try renderer.render(onMove: { _ in }, onSound: { samples += $0 })
    return samples
  }

  /// A command that came when sound had been made already, but none been heard, changes what was made after it.
  @Test func aCommandBeforeTheFirstSoundIsHeard() throws {
    let begin = ["0,0,0,fix,51,0,,,90,1,", "0,0,0,tick,,,,,,,"]
    let plain = try samples(begin)
    let softer = try samples(begin + ["0,4352,100000000,volume,-20,,,,,,"])
    let first = try samples(begin + ["0,0,0,volume,-20,,,,,,"])
    try #require(plain.count == 2 * Self.rate && softer.count == plain.count)
    let made = 2 * 4352
    #expect(plain[..<made].contains { $0 != 0 })
    #expect(plain[..<made] == softer[..<made])
    #expect(plain[made...] != softer[made...])
    #expect(plain[..<made] != first[..<made])
  }

  /// A beacon that sounds within the first piece is as loud wherever the scene begins: its source, which has
  /// been playing unheard for long, has not gone to rest before.
  @Test func aSceneThatBeginsLateDoesNotFadeIn() throws {
    func rendered(from frame: Int) throws -> [Float] {
      try samples(["\(frame),0,0,fix,51,0,,,90,1,", "\(frame),0,0,tick,,,,,,,"])
    }
    let (early, late) = (try rendered(from: 1000), try rendered(from: 4096))
    let first = try #require(late.firstIndex { $0 != 0 })
    // Past OpenAL's fade to a new direction, and before a rest's fade would have ended.
    try #require(first / 2 > 4096 + 128 && first / 2 < 4096 + 1024)
    let worst = zip(early, late).dropFirst(first).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 1e-6)
  }
}
