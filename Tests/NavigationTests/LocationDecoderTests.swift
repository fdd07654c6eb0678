import Files
import Geometry
import TestSupport
import Testing

@testable import Navigation

/// What comes over a connection, in any pieces and however damaged.
@Suite struct LocationDecoderTests {
  private static let now = Timestamp(nanoseconds: 1_790_000_000_000_000_000)

  /// Events that bytes make, given to a decoder in pieces of a length.
  private static func events(
    _ bytes: [UInt8], _ decoder: inout any LocationDecoder, piece: Int, channel: LocationChannel
  ) -> [LocationEvent] {
    var outlet = LocationOutlet(channel: channel, silence: 5)
    var events: [LocationEvent] = []
    bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: piece) {
        let end = min(start + piece, bytes.count)
        decoder.take(
          UnsafeRawBufferPointer(rebasing: bytes[start..<end]), at: now, to: &outlet)
        while let event = channel.next() { events.append(event) }
      }
    }
    decoder.pause(at: now, to: &outlet)
    while let event = channel.next() { events.append(event) }
    return events
  }

  /// A log comes out the same whatever pieces it comes in.
  @Test(arguments: [1, 7, 4096]) func pieces(_ piece: Int) throws {
    let path = projectFolder + "/Examples/walk/walk.nmea"
    let bytes = try InputFile.bytes(path: path, limit: 1 << 20)
    var decoder: any LocationDecoder = NMEADecoder()
    let channel = LocationChannel()
    let events = Self.events(bytes, &decoder, piece: piece, channel: channel)
    let fixes = events.compactMap { event in
      if case .fix(let fix, _) = event { fix } else { nil }
    }
    #expect(fixes == (try Track(path: path).fixes))
    #expect(channel.counts.droppedTotal == 0)
  }

  private static let reports = [
    #"{"class":"TPV","device":"/dev/pts/3","mode":3,"time":"2026-09-21T14:13:53.078Z","ept":0.005,"lat":51.477778333,"lon":-0.001947667,"altMSL":20.0,"track":283.46,"epd":1.5,"speed":1.495,"eph":17.1}"#,
    #"{"class":"SKY","device":"/dev/pts/3","xdop":0.5,"satellites":[{"PRN":1,"el":45.0,"az":10.0,"ss":40.0,"used":true}]}"#,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/pts/3","native":0,"bps":4800}]}"#,
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
    #"{"class":"ATT","device":"/dev/pts/3","heading":14223.00,"mag_st":"N","pitch":169.00}"#,
    #"{"class":"ERROR","message":"Unrecognized request 'x'"}"#,
  ]

  /// Reports with bytes changed, cut off and doubled: libgps stands them, and what is told as a place is
  /// one.
  @Test(.enabled(if: (try? GPSLibrary()) != nil), .timeLimit(.minutes(1))) func damagedReports()
    throws
  {
    var random = SeededGenerator(seed: 11)
    var decoder: any LocationDecoder = try GPSDDecoder()
    let channel = LocationChannel()
    var fixes = 0
    for step in 0..<6000 {
      var bytes = Array(Self.reports[step % Self.reports.count].utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeLast(bytes.count - place)
        case 2: bytes += bytes[place...]
        default: bytes.insert(contentsOf: bytes[..<place], at: place)
        }
      }
      for event in Self.events(bytes + [10], &decoder, piece: 100, channel: channel) {
        guard case .fix(let fix, _) = event else { continue }
        fixes += 1
        #expect(fix.coordinate.isValid)
        #expect(fix.course.map { 0..<360 ~= $0 } != false)
        #expect(fix.speed.map { $0 >= 0 } != false)
      }
    }
    #expect(fixes > 200 && channel.counts.droppedTotal > 1000)
  }
}
