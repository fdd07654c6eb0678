import Files
import HeadTracking

/// Reads NMEA 0183 as it comes. A fix is told once the next epoch starts or the receiver pauses; a
/// sentence that comes later than that gives the fix of its epoch again, more complete.
struct NMEADecoder: LocationDecoder {
  var greeting: StaticString { "" }
  /// Within an epoch receivers send without a pause; between epochs they are silent for most of it.
  var pauseLength: Double? { hasNews ? 0.05 : nil }

  private var splitter = NMEASplitter()
  private var epochs = NMEAEpochs()
  private var hasNews = false

  mutating func forget() { self = NMEADecoder() }

  mutating func take(
    _ bytes: UnsafeRawBufferPointer, at now: Timestamp, to outlet: inout LocationOutlet
  ) {
    for byte in bytes { take(splitter.take(byte), at: now, to: &outlet) }
  }

  mutating func pause(at now: Timestamp, to outlet: inout LocationOutlet) {
    tell(at: now, to: &outlet)
  }

  mutating func endDatagram(at now: Timestamp, to outlet: inout LocationOutlet) {
    take(splitter.endOfLine(), at: now, to: &outlet)
  }

  private mutating func take(
    _ item: NMEASplitter.Item?, at now: Timestamp, to outlet: inout LocationOutlet
  ) {
    switch item {
    case nil: break
    case .other: outlet.channel.count(understood: false)
    case .fault(let fault): outlet.channel.drop(fault)
    case .sentence(let sentence):
      outlet.channel.count(understood: true)
      if epochs.isEnded(by: sentence) { tell(at: now, to: &outlet) }
      _ = epochs.take(sentence)
      hasNews = true
      if let heading = NMEAEpochs.heading(sentence, at: now) {
        outlet.deliver(.heading(heading), at: now)
      }
    }
  }

  private mutating func tell(at now: Timestamp, to outlet: inout LocationOutlet) {
    hasNews = false
    switch epochs.tell() {
    case nil: break
    case .fix(let fix): outlet.deliver(.fix(fix, now), at: now)
    case .noFix: outlet.deliver(.noFix(now), at: now)
    }
  }
}
