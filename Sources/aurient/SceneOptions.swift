import Aurient
import HRTF
import HeadTracking
import Navigation

extension CommandOption {
  /// The log of a phone's compass.
  static let phone = [
    CommandOption(
      "phone", "FILE",
      help: "the phone's compass: CSV of CLHeading, or of its raw magnetometer and gravity"),
    CommandOption(
      "calibration", "FILE",
      help: "of a raw magnetometer, from 'aurient compass calibrate'; else from its log"),
  ]

  /// What sounds where, and through whose ears: the options of all commands that take a scene.
  static let scene =
    [
      CommandOption(
        "track", "FILE", help: "where the listener walks: GPX, NMEA 0183, or CSV of CLLocation"),
      CommandOption(
        "head", "FILE",
        help:
          "the headphones' motion: AWARE's record as CSV, JSON Lines or SQLite, or a logger's CSV"
      ),
    ] + CommandOption.phone + [
      CommandOption(
        "beacon", "LAT,LON[,NAME]", repeats: true,
        help: "a sound at this place, degrees north and east; may be repeated"),
      CommandOption(
        "sound", "FILE", help: "what the beacons sound like: any file that libsndfile reads"),
      CommandOption(
        "style", "NAME|FOLDER", choices: BeaconStyle.shipped,
        help: "beacons that change with their direction: drops, shaker, sticks or wood"),
      CommandOption(
        "route", "FILE.gpx", help: "a route whose places sound one after the other"),
      CommandOption(
        "callouts", "SECONDS",
        help: "have the nearest beacons said so often, and as they are approached"),
      CommandOption(
        "hrtf", "NAME|FILE",
        help: "whose ears: a name from 'aurient hrtf list', a .sofa or an .mhr file"),
    ] + CommandOption.fitting + [
      CommandOption(
        "course", "NAME", choices: CourseSource.allCases.map(\.rawValue),
        help: "which course counts: logged, derived from the places, or automatic"),
      CommandOption(
        "calibrator", "NAME", choices: CalibratorName.allCases.map(\.rawValue),
        help: "how the head's yaw becomes a heading: adaptive, or classic, the published way"),
      CommandOption("gain", "DB", help: "loudness of the beacons against their sounds, -120 to 0"),
      CommandOption("yaw-only", help: "turn the listener, but leave out the head's tilt"),
      CommandOption(
        "near-field",
        help: "beacons nearer than the HRTF was measured sound nearer, as on a spherical head"),
    ]
}

extension Arguments {
  /// The scene of the file, if one is named, with what the options say in place of it.
  func scene() throws -> Scene {
    var scene = try operands.first.map { try Scene(path: $0) } ?? Scene()
    // Not all commands have logs.
    if hasOption("track") {
      scene.track = string("track") ?? scene.track
      scene.head = string("head") ?? scene.head
      scene.phone = string("phone") ?? scene.phone
      scene.calibration = string("calibration") ?? scene.calibration
    }
    scene.sound = string("sound") ?? scene.sound
    scene.style = string("style") ?? scene.style
    scene.route = string("route") ?? scene.route
    if let interval = try number("callouts", in: Callouts.intervals) {
      scene.callouts = scene.callouts ?? Callouts()
      scene.callouts?.interval = interval
    }
    scene.hrtf = string("hrtf") ?? scene.hrtf
    scene.fitting = try fitting(insteadOf: scene.fitting)
    if hasOption("course"), let name = string("course") {
      guard let course = CourseSource(rawValue: name) else {
        throw bad("course", "\"\(name)\" is not automatic, logged or derived")
      }
      scene.course = course
    }
    scene.calibrator = try calibrator() ?? scene.calibrator
    if flag("yaw-only") { scene.isYawOnly = true }
    if flag("near-field") { scene.fitting.isNearField = true }
    let named = strings("beacon")
    if !named.isEmpty {
      scene.beacons = try named.map { text in
        do throws(BeaconError) {
          return Scene.Beacon(try Beacon(text))
        } catch {
          throw UsageError(command, "--\(error)")
        }
      }
    }
    if let gain = try number("gain", in: -120...0) { scene.gain += gain }
    return scene
  }
}

extension Scene {
  /// The files that it names.
  var files: [String] {
    let styles = ([style] + beacons.map(\.style)).compactMap { $0 }.compactMap {
      try? BeaconStyle(named: $0)
    }
    return [track, head, phone, calibration, sound, hrtf, route].compactMap { $0 }
      + beacons.compactMap(\.sound) + styles.flatMap(\.files)
  }
}
