extension CommandOption {
  /// Where live head motion comes from.
  static let motionSources = [
    CommandOption(
      "osc", "PORT", help: "listen for OSC on this UDP port: the head, and a phone's headings"),
    CommandOption(
      "opentrack", "PORT", help: "listen for opentrack's UDP over network on this port"),
    CommandOption(
      "listen", "ADDRESS",
      help: "the IP address to listen on: 127.0.0.1 unless given, 0.0.0.0 for all networks"),
    CommandOption(
      "inverse",
      help: "the sender means the inverse of what its dialect says: turning left goes right"),
  ]
}
