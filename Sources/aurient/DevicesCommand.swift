import Files
import HRTF
import SpatialAudio

extension Command {
  /// `aurient devices`.
  static let devices = Command(
    name: "devices",
    summary: "Lists the devices that sound can be played on.",
    options: [CommandOption("json", help: "print JSON")],
    discussion: "An asterisk marks the device that is used if none is named.",
    examples: ["aurient devices"],
    run: runDevices)
}

@Sendable private func runDevices(_ arguments: Arguments) throws {
  try OpenALConfiguration.prepare(cache: HRTFCache())
  let devices = try AudioDevices.list()
  if arguments.flag("json") {
    let objects = devices.map { "{\"name\": \(jsonText($0.name)), \"default\": \($0.isDefault)}" }
    try printOut("[" + objects.joined(separator: ", ") + "]\n")
  } else {
    try printOut(devices.map { "\($0.isDefault ? "*" : " ") \($0.name)\n" }.joined())
  }
}
