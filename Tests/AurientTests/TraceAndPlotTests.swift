import Aurient
import CExpat
import Files
import Glibc
import TestSupport
import Testing

/// Names that a format could take for something else.
private let difficultNames = [
  "plain", "it's \"quoted\"", "'", "\"", "a, b", "@HOME {x} a_b^c & <d> > %", "`touch pwned`",
  "$walk \\n \\U+41 \\", "END", "Brücke 橋 😀", "two\nlines", "\u{1}\t\u{7F}",
]

@Suite struct TraceTests {
  /// What stands in the file reads back as the name, by the rules of RFC 4180.
  @Test(arguments: difficultNames)
  func beaconNames(name: String) throws {
    let scene = SyntheticScene(seconds: 1, turns: nil)
    let renderer = try OfflineRenderer(
      scene.scene(beaconAt: 0, name: name), catalogue: testCatalogue)
    let path = scene.folder.path + "/trace.csv"
    let trace = try SceneTrace(path: path, of: renderer)
    try renderer.render(onMove: { trace.append($0) }, onSound: { _ in })
    try trace.commit()
    let reader = try CSVReader(path: path)
    #expect(
      reader.header == [
        "time_s", "latitude", "longitude", "head_deg", "course_deg", "phone_deg",
        "presentation_deg", "heading_source", "status", "beacon", "bearing_deg", "distance_m",
        "relative_deg", "uncertainty_deg", "region", "state",
      ])
    let (beacon, status) = (
      try reader.requiredColumn("beacon"), try reader.requiredColumn("status")
    )
    var count = 0
    while try reader.next() {
      count += 1
      #expect(reader.text(beacon) == name)
      #expect(reader.text(status) == "unavailable")
      #expect(reader.isEmpty(3) && reader.isEmpty(4))
      #expect(reader.isEmpty(14) && reader.text(15) == "sounding")
    }
    #expect(count == 51)
  }

  @Test func beaconsWithoutNamesAreCounted() throws {
    let scene = SyntheticScene(seconds: 1, turns: [])
    var description = scene.scene(beaconAt: 0)
    description.beacons += scene.scene(beaconAt: 90, name: "B").beacons
    description.beacons += scene.scene(beaconAt: 180).beacons
    let renderer = try OfflineRenderer(description, catalogue: testCatalogue)
    let path = scene.folder.path + "/trace.csv"
    let trace = try SceneTrace(path: path, of: renderer)
    try renderer.render(onMove: { trace.append($0) }, onSound: { _ in })
    #expect(!scene.folder.names().contains("trace.csv"))
    try trace.finish()
    #expect(!scene.folder.names().contains("trace.csv"))
    try trace.commit()
    let reader = try CSVReader(path: path)
    var (names, angles): ([String], [Double?]) = ([], [])
    while try reader.next() {
      names.append(reader.text(9))
      angles.append(try reader.number(12).map { abs($0).rounded() })
    }
    #expect(names.count == 303)
    #expect(names.prefix(4) == ["beacon 1", "B", "beacon 3", "beacon 1"])
    #expect(angles.prefix(3) == [0, 90, 180])
  }
}

@Suite struct PlotTests {
  private func plot(_ description: Scene, to path: String) throws {
    let renderer = try OfflineRenderer(description, catalogue: testCatalogue)
    var plot = try ScenePlot(path: path, of: renderer)
    try renderer.render(onMove: { plot.append($0) }, onSound: { _ in })
    try plot.finish()
    #expect(access(path, F_OK) != 0)
    try plot.commit()
  }

  @Test func difficultNamesStandInTheDrawing() throws {
    let scene = SyntheticScene(seconds: 1, turns: [])
    var description = scene.scene(beaconAt: 0)
    description.beacons = difficultNames.enumerated().map { index, name in
      scene.scene(beaconAt: Double(20 * index), name: name).beacons[0]
    }
    let path = scene.folder.path + "/it's a \"plot\" of $1.svg"
    try plot(description, to: path)
    let texts = try texts(ofSVG: path)
    for name in difficultNames.map(\.onOneLine) {
      // On the map and in the keys of two curves.
      #expect(texts.count { $0 == name } == 3, "\(name)")
    }
    #expect(scene.folder.names().count { $0.hasSuffix(".svg") } == 1)
    #expect(!scene.folder.names().contains { $0.hasPrefix(".") })
    #expect(access("pwned", F_OK) != 0)
  }

  @Test(arguments: [true, false])
  func headingsMayBeUnknown(hasPhone: Bool) throws {
    let scene = SyntheticScene(seconds: 1, turns: nil, hasPhone: hasPhone)
    let path = scene.folder.path + "/plot.svg"
    try plot(scene.scene(beaconAt: 0, name: "Well"), to: path)
    #expect(try texts(ofSVG: path).contains("Well"))
  }

  @Test func aFullDiskIsNoticed() throws {
    let scene = SyntheticScene(seconds: 1, turns: nil)
    let renderer = try OfflineRenderer(scene.scene(beaconAt: 0), catalogue: testCatalogue)
    var plot = try ScenePlot(path: "/dev/full", of: renderer)
    try renderer.render(onMove: { plot.append($0) }, onSound: { _ in })
    #expect(throws: FileError(.unwritable, file: "/dev/full", "no space left on device")) {
      try plot.finish()
    }
  }
}

/// The contents of all `text` elements of an SVG file.
private func texts(ofSVG path: String) throws -> [String] {
  final class Content {
    var root: String?
    var texts: [String] = []
    var isText = false
  }
  let bytes = try InputFile.bytes(path: path, limit: 1 << 24)
  let content = Content()
  let parser = try #require(XML_ParserCreate(nil))
  defer { XML_ParserFree(parser) }
  XML_SetUserData(parser, Unmanaged.passUnretained(content).toOpaque())
  XML_SetElementHandler(
    parser,
    { user, name, _ in
      guard let user, let name else { return }
      let content = Unmanaged<Content>.fromOpaque(user).takeUnretainedValue()
      content.root = content.root ?? String(cString: name)
      content.isText = strcmp(name, "text") == 0
      if content.isText { content.texts.append("") }
    },
    { user, _ in
      guard let user else { return }
      Unmanaged<Content>.fromOpaque(user).takeUnretainedValue().isText = false
    })
  XML_SetCharacterDataHandler(parser) { user, characters, count in
    guard let user, let characters else { return }
    let content = Unmanaged<Content>.fromOpaque(user).takeUnretainedValue()
    guard content.isText else { return }
    let bytes = UnsafeRawBufferPointer(start: characters, count: Int(count))
    content.texts[content.texts.count - 1] += String(decoding: bytes, as: UTF8.self)
  }
  let status = bytes.withUnsafeBytes { bytes in
    XML_Parse(
      parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
  }
  #expect(status == XML_STATUS_OK, "line \(XML_GetCurrentLineNumber(parser))")
  #expect(content.root == "svg")
  return content.texts
}
