import Aurient
import Files
import Geometry
import HRTF
import Navigation
import HeadTracking
import TestSupport
import Testing

@Suite struct SceneFileTests {
  @Test func everyKey() throws {
    let folder = TemporaryFolder()
    let path = folder.file(
      "scene.json",
      """
      {"track": "walk.gpx", "head": "logs/head.csv", "phone": "/tmp/phone.csv",
       "sound": "a b.flac", "hrtf": "own.sofa", "rate": 44100,
       "equalize": "free-field", "headCircumference": 57.5, "course": "logged",
       "calibrator": "classic",
       "yawOnly": true,
       "beacons": [
         {"name": "Brücke, \\"1\\"", "latitude": -33.5, "longitude": 151, "sound": "x.wav",
          "gain": -6.5},
         {"latitude": 90, "longitude": -180}]}
      """)
    let expected = Scene(
      track: folder.path + "/walk.gpx", head: folder.path + "/logs/head.csv",
      phone: "/tmp/phone.csv",
      beacons: [
        .init(
          Beacon(
            name: "Brücke, \"1\"", coordinate: GeodeticCoordinate(latitude: -33.5, longitude: 151)),
          sound: folder.path + "/x.wav", gain: -6.5),
        .init(Beacon(coordinate: GeodeticCoordinate(latitude: 90, longitude: -180))),
      ],
      sound: folder.path + "/a b.flac", hrtf: folder.path + "/own.sofa",
      fitting: HRTFFitting(equalization: .freeField, headCircumference: 57.5), sampleRate: 44100,
      course: .logged, calibrator: .classic, isYawOnly: true)
    #expect(try Scene(path: path) == expected)
  }

  /// The keys of what beacons do.
  @Test func behaviour() throws {
    let folder = TemporaryFolder()
    let path = folder.file(
      "scene.json",
      """
      {"track": "walk.gpx", "style": "wood", "route": "route.gpx", "advance": 8, "vicinity": [10, 40],
       "gain": -3, "callouts": {"every": 20, "approach": false, "voice": "en-us"},
       "distanceModel": {"curve": "linear", "clamped": false, "reference": 5, "maximum": 200,
        "rolloff": 0.5},
       "beacons": [{"latitude": 1, "longitude": 2, "style": "own/style.json"}]}
      """)
    var expected = Scene(
      track: folder.path + "/walk.gpx",
      beacons: [
        .init(
          Beacon(coordinate: GeodeticCoordinate(latitude: 1, longitude: 2)),
          style: folder.path + "/own/style.json")
      ])
    expected.style = "wood"
    expected.route = folder.path + "/route.gpx"
    expected.advance = 8
    expected.vicinity = Vicinity(entry: 10, exit: 40)
    expected.gain = -3
    expected.callouts = Callouts(interval: 20, isOnApproach: false, voice: "en-us")
    expected.distanceModel = try #require(
      DistanceModel(.linear, isClamped: false, reference: 5, maximum: 200, rolloff: 0.5))
    #expect(try Scene(path: path) == expected)
    let short = folder.file("short.json", #"{"track": "walk.gpx", "callouts": {}}"#)
    #expect(try Scene(path: short).callouts == Callouts(isOnApproach: true, voice: "en"))
  }

  @Test func whatMayBeLeftOut() throws {
    let folder = TemporaryFolder()
    let expected = Scene(track: folder.path + "/t.csv")
    for content in [
      "{\"track\": \"t.csv\"}",
      "{\"track\": \"t.csv\", \"head\": null, \"rate\": null, \"beacons\": null, \"yawOnly\": null}",
    ] {
      #expect(try Scene(path: folder.file("scene.json", content)) == expected)
    }
    #expect(expected.beacons.isEmpty && expected.sampleRate == nil && !expected.isYawOnly)
    #expect(expected.course == .automatic && expected.calibrator == .adaptive)
  }

  /// A data set that is named, not a file, is not looked for in the scene's folder.
  @Test(arguments: [
    ("SADIE", "SADIE"), ("x.mhr", "FOLDER/x.mhr"), ("../x.sofa", "FOLDER/../x.sofa"),
    ("/x.sofa", "/x.sofa"),
  ])
  func dataSets(name: String, expected: String) throws {
    let folder = TemporaryFolder()
    let path = folder.file("scene.json", "{\"track\": \"t\", \"hrtf\": \"\(name)\"}")
    let parts = expected.split(separator: "FOLDER", omittingEmptySubsequences: false)
    #expect(try Scene(path: path).hrtf == parts.joined(separator: folder.path))
  }

  static let faults: [(String, String)] = [
    ("", "the file is empty"),
    ("hello", "not JSON"),
    ("{\"track\": \"t\"", "line 1: the JSON ends here, in the middle"),
    ("{\"track\": \"t\",\n\"track\": \"u\"}", "line 2: the key \"track\" is there twice"),
    ("<gpx/>", "not JSON"),
    (
      "{\"track\": \"t\", \"beacons\": [{\"latitude\": 1e999, \"longitude\": 0}]}",
      "line 1: 1e999 is too great a number"
    ),
    ("[]", "is not an object"),
    ("1", "is not an object"),
    ("{\"track\": 1}", "track: is not a text"),
    ("{\"track\": \"t\", \"head\": []}", "head: is not a text"),
    ("{\"track\": \"t\", \"phone\": {}}", "phone: is not a text"),
    ("{\"track\": \"t\", \"sound\": true}", "sound: is not a text"),
    ("{\"track\": \"t\", \"hrtf\": 1}", "hrtf: is not a text"),
    (
      "{\"track\": \"t\", \"equalize\": \"x\"}",
      "equalize \"x\" is not none, diffuse-field or free-field"
    ),
    (
      "{\"track\": \"t\", \"headCircumference\": 80}",
      "headCircumference 80.0 is not from 45.0 to 70.0 cm"
    ),
    ("{\"track\": \"t\", \"yawOnly\": 1}", "yawOnly: is not true or false"),
    ("{\"track\": \"t\", \"course\": 1}", "course: is not a text"),
    (
      "{\"track\": \"t\", \"calibrator\": \"best\"}",
      "calibrator \"best\" is not adaptive or classic"
    ),
    (
      "{\"track\": \"t\", \"course\": \"gps\"}",
      "course \"gps\" is not automatic, logged or derived"
    ),
    ("{\"track\": \"t\", \"rate\": \"48000\"}", "rate: is not a number"),
    (
      "{\"track\": \"t\", \"rate\": 44100.5}",
      "rate 44100.5 is not a whole number from 8000 to 192000"
    ),
    ("{\"track\": \"t\", \"rate\": 7999}", "rate 7999.0 is not a whole number from 8000 to 192000"),
    (
      "{\"track\": \"t\", \"rate\": 1e300}", "rate 1e+300 is not a whole number from 8000 to 192000"
    ),
    (
      "{\"track\": \"t\", \"haed\": \"h\"}",
      "unknown key \"haed\"; there are track, head, phone, calibration, sound, hrtf, equalize, headCircumference, nearField, rate, course, calibrator, headReference, yawOnly, style, route, advance, vicinity, distanceModel, gain, callouts, beacons"
    ),
    ("{\"track\": \"t\", \"beacons\": {}}", "beacons: is not a list"),
    ("{\"track\": \"t\", \"style\": 1}", "style: is not a text"),
    ("{\"track\": \"t\", \"advance\": 0}", "an advance of no length"),
    (
      "{\"track\": \"t\", \"vicinity\": [30, 15]}",
      "vicinity [30.0, 15.0] is not two distances in metres, the second not less"
    ),
    ("{\"track\": \"t\", \"gain\": 1}", "a gain of more than 0 dB"),
    (
      "{\"track\": \"t\", \"distanceModel\": {\"curve\": \"square\"}}",
      "distanceModel: curve \"square\" is none of constant, inverse, linear, exponent"
    ),
    (
      "{\"track\": \"t\", \"distanceModel\": {\"curve\": \"inverse\", \"reference\": 0}}",
      "distanceModel: parameters that make no distance model"
    ),
    (
      "{\"track\": \"t\", \"callouts\": {\"every\": 1}}",
      "callouts: every 1.0 is not from 5.0 to 86400.0 s"
    ),
    (
      "{\"track\": \"t\", \"callouts\": {\"often\": 1}}",
      "callouts: unknown key \"often\"; there are every, approach, voice"
    ),
    ("{\"track\": \"t\", \"beacons\": [1]}", "beacons 1: is not an object"),
    ("{\"track\": \"t\", \"beacons\": [null]}", "beacons 1: is null instead of an object"),
    (
      "{\"track\": \"t\", \"beacons\": [{\"latitude\": 1, \"longitude\": 2}, {\"latitude\": 1}]}",
      "beacons 2: there is no longitude"
    ),
    (
      "{\"track\": \"t\", \"beacons\": [{\"latitude\": \"1\", \"longitude\": 2}]}",
      "beacons 1 latitude: is not a number"
    ),
    (
      "{\"track\": \"t\", \"beacons\": [{\"latitude\": 90.5, \"longitude\": 0}]}",
      "beacons 1: 90.5, 0.0 is no place on Earth"
    ),
    (
      "{\"track\": \"t\", \"beacons\": [{\"latitude\": 0, \"longitude\": -181}]}",
      "beacons 1: 0.0, -181.0 is no place on Earth"
    ),
    (
      "{\"track\": \"t\", \"beacons\": [{\"latitude\": 0, \"longitude\": 0, \"gain\": 0.1}]}",
      "beacons 1: a gain of more than 0 dB"
    ),
    (
      "{\"track\": \"t\", \"beacons\": [{\"latitude\": 0, \"longitude\": 0, \"gian\": -1}]}",
      "beacons 1: unknown key \"gian\"; there are name, latitude, longitude, sound, style, gain"
    ),
    (
      "{\"track\": \"t\", \"beacons\": [{\"latitude\": 0, \"longitude\": 0, \"name\": 7}]}",
      "beacons 1 name: is not a text"
    ),
  ]

  @Test(arguments: faults)
  func fault(content: String, message: String) {
    let folder = TemporaryFolder()
    let path = folder.file("scene.json", content)
    let error = #expect(throws: FileError.self) { _ = try Scene(path: path) }
    #expect(error?.description == "\(path): \(message)")
    #expect(error?.code == .malformed)
  }

  @Test func noSuchFile() {
    let folder = TemporaryFolder()
    let error = #expect(throws: FileError.self) { _ = try Scene(path: folder.path + "/x.json") }
    #expect(error?.code == .notFound)
  }
}
