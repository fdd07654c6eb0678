public import HeadTracking
public import Navigation
public import SpatialAudio
import Compass

extension AurientSession {
  /// What a session listens to, and how it is played.
  public struct Options: Sendable {
    /// A UDP port on which heads and phones are listened to.
    public struct HeadPort: Sendable {
      /// What is sent.
      public var format: NetworkMotionSource.Format
      /// The UDP port; 0 for any that is free, see `AurientSession.port`.
      public var port: UInt16
      /// The numeric address to listen on.
      public var address = "127.0.0.1"
      /// Whether senders mean the inverse of what their dialect says.
      public var isInverse = false

      /// A port that only this machine can reach.
      public init(_ format: NetworkMotionSource.Format, port: UInt16) {
        self.format = format
        self.port = port
      }
    }

    /// Where heads and phones are listened to; nil for nowhere.
    public var headPort: HeadPort?
    /// Places from gpsd; goes before `nmea`.
    public var gpsd: GPSDAddress?
    /// Places from NMEA 0183.
    public var nmea: NMEAEndpoint?
    /// When readings no longer count.
    public var limits = UserReadings.Limits()
    /// Beacons for which a pulled session has room, 1 to 255.
    public var beaconCapacity = 64
    /// Of a live session: one of `AudioDevices.list`; nil for the default device.
    public var device: String?
    /// Of a live session: how far ahead the device mixes; nil leaves it to the user's settings. The first one in the
    /// process counts.
    public var latency: LatencyPreset?
    /// Of a live session: a folder to keep what comes in, so that it can be rendered again; nil for none.
    public var recordFolder: String?

    /// Nothing to listen to, the default device.
    public init() {}
  }
}

extension AurientSession.Options {
  /// What is listened to; also a scene's logs, where nothing live stands in for them.
  func inputs(playing scene: Scene? = nil) throws -> LiveInputs {
    let inputs = LiveInputs()
    if let headPort {
      inputs.listen(
        to: try NetworkMotionSource(
          headPort.format, port: headPort.port, listen: headPort.address,
          inverse: headPort.isInverse))
    }
    if let gpsd {
      inputs.listen(to: try LocationSource(gpsd: gpsd))
    } else if let nmea {
      inputs.listen(to: try LocationSource(nmea: nmea))
    } else if let scene, let track = scene.track {
      try inputs.play(
        track: track, course: scene.course, head: headPort == nil ? scene.head : nil,
        phone: try scene.phoneSeries())
      return inputs
    }
    if headPort == nil, let head = scene?.head { try inputs.play(head: head) }
    return inputs
  }

  /// How it is played.
  var settings: LiveSession.Settings {
    var settings = LiveSession.Settings()
    settings.device = device
    settings.latency = latency
    settings.recordFolder = recordFolder
    settings.limits = limits
    return settings
  }
}
