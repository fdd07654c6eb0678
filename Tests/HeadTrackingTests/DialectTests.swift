import COSC
import Files
import Geometry
import Glibc
import HeadTracking
import Testing

/// Every dialect over loopback, as bytes of the specification and as liblo's client sends them.
@Suite struct DialectTests {
  /// Ways to move a head from looking north: each with where nose and right ear then point in Core
  /// Motion's axes (x right, y ahead, z up).
  enum Move: CaseIterable, Sendable {
    case left90, up30, right20, all

    var nose: Vector3 {
      switch self {
      case .left90: [-1, 0, 0]
      case .up30: [0, cos(.pi / 6), sin(.pi / 6)]
      case .right20: [0, 1, 0]
      // 40 left, then 30 up about the turned head's own lateral axis.
      case .all:
        [
          -sin(40 * .pi / 180) * cos(.pi / 6), cos(40 * .pi / 180) * cos(.pi / 6), sin(.pi / 6),
        ]
      }
    }

    var rightEar: Vector3 {
      switch self {
      case .left90: [0, 1, 0]
      case .up30: [1, 0, 0]
      case .right20: [cos(20 * .pi / 180), 0, -sin(20 * .pi / 180)]
      case .all:
        // Rolled by 20 about the nose, from level towards the head's own down.
        cos(20 * .pi / 180) * Vector3(cos(40 * .pi / 180), sin(40 * .pi / 180), 0)
          - sin(20 * .pi / 180)
          * Vector3(
            sin(40 * .pi / 180) * sin(.pi / 6), -cos(40 * .pi / 180) * sin(.pi / 6), cos(.pi / 6))
      }
    }

    /// Degrees left, up, right ear down; nil where more than one turns, and scenes and heads are no
    /// longer told apart by signs alone.
    var angles: (left: Double, up: Double, right: Double) {
      switch self {
      case .left90: (90, 0, 0)
      case .up30: (0, 30, 0)
      case .right20: (0, 0, 20)
      case .all: (40, 30, 20)
      }
    }
  }

  /// For one move the numbers that each address carries, from the signs of each protocol's documents.
  static func cases(_ move: Move) -> [(address: String, numbers: [Double])] {
    let (left, up, right) = move.angles
    var cases: [(String, [Double])] = [
      ("/adm/lis/ypr", [left, up, right]),
      ("/orientation", [-left, up, right]),
    ]
    // Half-angle quaternions, the real part first. IEM and SPARTA: x ahead, y left, z up, and the
    // scene's rotation, which is the head's the other way round.
    func half(_ degrees: Double, _ axis: Int, _ sign: Double) -> [Double] {
      var parts = [cos(degrees * .pi / 360), 0, 0, 0]
      parts[1 + axis] = sign * sin(degrees * .pi / 360)
      return parts
    }
    let scene: [Double]
    let native: [Double]
    switch move {
    case .left90: (scene, native) = (half(90, 2, -1), half(90, 2, 1))
    case .up30: (scene, native) = (half(30, 1, 1), half(30, 0, 1))
    case .right20: (scene, native) = (half(20, 0, -1), half(20, 1, 1))
    case .all:
      // python3 -c 'from scipy.spatial.transform import Rotation as R
      // i = R.from_euler("ZYX", [40, -30, 20], degrees=True).inv()
      // print(i.as_quat(), i.as_euler("ZYX", degrees=True),
      //   R.from_euler("ZXY", [40, 30, 20], degrees=True).as_quat())'; the real part is last there.
      scene = [
        0.8785122060499202, -0.24479231586341083, 0.18214796572990116,
        -0.3675801198323837,
      ]
      native = [
        0.8785122060499202, 0.18214796572990116, 0.24479231586341083,
        0.3675801198323837,
      ]
    }
    for address in ["/SceneRotator/quaternions", "/quaternion", "/scenerotator/QUATERNIONS"] {
      cases.append((address, scene))
      cases.append((address, scene.map { -$0 }))
    }
    cases.append(("/head/quaternion", [native[1], native[2], native[3], native[0]]))
    // As angles the scene's rotation is yaw, pitch, roll of the inverse.
    let angles =
      move == .all
      ? [-47.93139782512993, 8.052292947705782, -34.72444312891843] : [-left, up, -right]
    for address in ["/SceneRotator/ypr", "/ypr", "/sceneROTATOR/ypr"] {
      cases.append((address, angles))
    }
    return cases
  }

  static func isTurned(_ frame: MotionFrame, by move: Move) -> Bool {
    (WorldFrame.ahead(frame.attitude) - move.nose).length < 1e-6
      && (frame.attitude.rotate([1, 0, 0]) - move.rightEar).length < 1e-6
  }

  @Test(arguments: Move.allCases) func bytesOfTheSpecification(_ move: Move) throws {
    let source = try NetworkMotionSource(.osc, port: 0)
    let sender = DatagramSender(port: source.port)
    let events = LiveEvents(source)
    for (address, numbers) in Self.cases(move) {
      for tagged in [false, true] {
        let message = OSCBytes.message(address, numbers)
        sender.send(tagged ? OSCBytes.bundle([message]) : message)
        let frame = try #require(events.frame(), "\(address)")
        #expect(Self.isTurned(frame, by: move), "\(address) \(numbers) \(frame)")
      }
    }
    #expect(events.counts.dropped.isEmpty)
  }

  @Test(arguments: Move.allCases) func liblosClient(_ move: Move) throws {
    let source = try NetworkMotionSource(.osc, port: 0)
    let target = try #require(lo_address_new("127.0.0.1", "\(source.port)"))
    defer { lo_address_free(target) }
    let events = LiveEvents(source)
    for (address, numbers) in Self.cases(move) {
      for kind in 0..<3 {
        let message = try #require(lo_message_new())
        for number in numbers {
          if kind == 0 { lo_message_add_double(message, number) }
          if kind > 0 { lo_message_add_float(message, Float(number)) }
        }
        if kind == 2 {
          let bundle = try #require(lo_bundle_new(lo_timetag(sec: 0, frac: 1)))
          lo_bundle_add_message(bundle, address, message)
          #expect(lo_send_bundle(target, bundle) > 0)
          lo_bundle_free_recursive(bundle)
        } else {
          #expect(lo_send_message(target, address, message) > 0)
          lo_message_free(message)
        }
        let frame = try #require(events.frame(), "\(address)")
        #expect(Self.isTurned(frame, by: move), "\(address) \(numbers) \(frame)")
      }
    }
    #expect(events.counts.dropped.isEmpty)
  }

  @Test(arguments: Move.allCases) func opentrack(_ move: Move) throws {
    let source = try NetworkMotionSource(.opentrack, port: 0)
    let sender = DatagramSender(port: source.port)
    let events = LiveEvents(source)
    let (left, up, right) = move.angles
    sender.send(opentrackBytes([1.5, -2, 70, -left, up, right]))
    let frame = try #require(events.frame())
    #expect(Self.isTurned(frame, by: move), "\(frame)")
  }

  /// A head turned left has a lesser heading: its clockwise yaw decreases.
  @Test func turningLeftDecreasesTheHeading() throws {
    let source = try NetworkMotionSource(.osc, port: 0)
    let sender = DatagramSender(port: source.port)
    let events = LiveEvents(source)
    for (address, sign) in [
      ("/SceneRotator/ypr", -1.0), ("/ypr", -1), ("/adm/lis/ypr", 1), ("/orientation", -1),
    ] {
      sender.send(OSCBytes.message(address, [sign * 10, 0, 0]))
      let before = try #require(events.frame())
      sender.send(OSCBytes.message(address, [sign * 25, 0, 0]))
      let after = try #require(events.frame())
      #expect(abs(signedDegrees(after.frameYaw - before.frameYaw) + 15) < 1e-6, "\(address)")
    }
  }

  @Test func wholeNumbersAndMixedTypes() throws {
    let source = try NetworkMotionSource(.osc, port: 0)
    let sender = DatagramSender(port: source.port)
    let events = LiveEvents(source)
    for arguments: [OSCBytes.Argument] in [
      [.i(90), .i(0), .i(0)], [.h(90), .f(0), .d(0)], [.d(90), .d(0), .h(0)],
    ] {
      sender.send(OSCBytes.message("/adm/lis/ypr", arguments))
      #expect(Self.isTurned(try #require(events.frame()), by: .left90))
    }
  }

  /// Angles that come one by one: each datagram is a frame, a bundle is one frame.
  @Test(arguments: [
    ("/SceneRotator/", -1.0), ("/", -1), ("/adm/lis/", 1),
  ]) func singleAngles(_ prefix: String, _ yawSign: Double) throws {
    let source = try NetworkMotionSource(.osc, port: 0)
    let sender = DatagramSender(port: source.port)
    let events = LiveEvents(source)
    sender.send(OSCBytes.message(prefix + "yaw", [.i(Int32(yawSign) * 90)]))
    #expect(Self.isTurned(try #require(events.frame()), by: .left90))
    sender.send(
      OSCBytes.bundle([
        OSCBytes.message(prefix + "yaw", [0]), OSCBytes.message(prefix + "pitch", [30]),
        OSCBytes.message(prefix + "roll", [0]),
      ]))
    #expect(Self.isTurned(try #require(events.frame()), by: .up30))
    sender.send(OSCBytes.message(prefix + "pitch", [0]))
    let level = try #require(events.frame())
    #expect(abs(level.attitude.w) > 1 - 1e-12)
    #expect(events.counts.frames == 3)
  }

  @Test func theInverseIsAnOption() throws {
    let source = try NetworkMotionSource(.osc, port: 0, inverse: true)
    let sender = DatagramSender(port: source.port)
    let events = LiveEvents(source)
    // A head's rotation where the dialect has the scene's: x ahead, y left, z up, yaw left.
    sender.send(OSCBytes.message("/SceneRotator/ypr", [90, 0, 0]))
    #expect(Self.isTurned(try #require(events.frame()), by: .left90))
    sender.send(OSCBytes.message("/SceneRotator/ypr", [0, -30, 0]))
    #expect(Self.isTurned(try #require(events.frame()), by: .up30))
    sender.send(OSCBytes.message("/SceneRotator/ypr", [40, -30, 20]))
    #expect(Self.isTurned(try #require(events.frame()), by: .all))
  }
}
