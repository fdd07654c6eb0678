import HeadTracking

/// How a session stands, as the messages that clients get; see `docs/serve.md`.
enum StateMessages {
  /// Bytes of a datagram, so that it fits into a packet of any network.
  private static let datagramSize = 1400

  /// The messages as datagrams, each a bundle.
  static func datagrams(
    _ moment: ServiceMailbox.Moment, _ counts: SceneService.Counts
  ) -> [[UInt8]] {
    // "#bundle", and the time tag that means at once.
    let head = Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
    var datagrams = [head]
    for message in messages(moment, counts) {
      let bytes = message.bytes
      let size = withUnsafeBytes(of: Int32(bytes.count).bigEndian) { Array($0) }
      if datagrams[datagrams.count - 1].count + 4 + bytes.count > datagramSize {
        datagrams.append(head)
      }
      datagrams[datagrams.count - 1] += size + bytes
    }
    return datagrams
  }

  private static func messages(
    _ moment: ServiceMailbox.Moment, _ counts: SceneService.Counts
  ) -> [OSCMessage] {
    func float(_ value: Double?) -> OSCMessage.Argument { value.map { .float(Float($0)) } ?? .none }
    func double(_ value: Double?) -> OSCMessage.Argument { value.map { .double($0) } ?? .none }
    func int(_ value: Int) -> OSCMessage.Argument { .int(Int32(truncatingIfNeeded: value)) }
    let (state, scene) = (moment.state, moment.state.scene)
    let heading = scene.heading
    let place = scene.user.location
    var messages = [
      OSCMessage(
        "/aurient/state/heading", float(heading?.degrees),
        .string(heading?.source.rawValue ?? "none"), .string("\(scene.status)"),
        float(scene.headingUncertainty)),
      OSCMessage(
        "/aurient/state/location", double(place?.latitude), double(place?.longitude),
        float(state.ages.location), .bool(state.isLocationStale)),
      OSCMessage(
        "/aurient/state/sound", .bool(state.isPlaying), .float(state.peak),
        int(moment.sampleRate), .string(moment.dataSetTitle), int(state.reopenings)),
      OSCMessage(
        "/aurient/state/service", int(counts.messages), int(counts.malformed),
        int(counts.refused), int(counts.overrun), int(counts.subscribers)),
    ]
    if let route = scene.route {
      messages.append(
        OSCMessage("/aurient/state/route", int(route.index), int(route.route.beacons.count)))
    }
    for (index, beacon) in scene.beacons.enumerated() {
      messages.append(
        OSCMessage(
          "/aurient/state/beacon", .string(scene.name(index)), float(beacon.geometry.bearing),
          float(beacon.geometry.distance), float(beacon.geometry.relative),
          .string(beacon.region?.rawValue ?? ""), .bool(beacon.isSounding),
          .bool(beacon.hasArrived)))
    }
    return messages
  }
}
