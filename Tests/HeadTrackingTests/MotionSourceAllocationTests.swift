import CAllocationCount
import COSC
import Files
import Geometry
import Glibc
import Testing

@testable import HeadTracking

@Suite(.enabled(if: counts_calls())) struct MotionSourceAllocationTests {
  /// Calls of the heap, and of locks, that a thousand packets make from the socket to the consumer.
  static func calls(
    _ decoder: any MotionDatagramDecoder, _ packet: (Int) -> [UInt8]
  ) throws -> (heap: UInt64, locks: UInt64) {
    let socket = try DatagramSocket(listen: "127.0.0.1", port: 0)
    let sender = DatagramSender(port: socket.port)
    let channel = MotionChannel()
    var receiver = MotionReceiver(
      decoder, to: MotionOutlet(channel: channel, isInverse: false, silence: 2))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var (heap, locks, frames) = (UInt64(0), UInt64(0), 0)
    for step in 0..<1100 {
      sender.send(packet(step))
      let (heapBefore, locksBefore) = (heap_call_count(), lock_count())
      while let size = socket.receive(into: buffer) {
        receiver.receive(
          UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]), at: MonotonicClock.now)
      }
      receiver.countLost(socket.lostCount)
      receiver.checkSilence(at: MonotonicClock.now)
      while let event = channel.next() { if case .frame = event { frames += 1 } }
      _ = channel.newestFrame()
      // The first ones set up what is made once, such as the clock's zero.
      if step >= 100 {
        heap += heap_call_count() - heapBefore
        locks += lock_count() - locksBefore
      }
    }
    #expect(frames == 1100)
    return (heap, locks)
  }

  @Test func opentrackNeitherAllocatesNorLocks() throws {
    let calls = try Self.calls(OpentrackDecoder()) { step in
      opentrackBytes([0, 0, 0, Double(step) / 10, 1, 2])
    }
    #expect(calls == (0, 0))
  }

  /// All that OSC takes from the heap is what liblo takes for a message.
  @Test func ofOSCOnlyTheLibraryAllocates() throws {
    func packet(_ step: Int) -> [UInt8] {
      OSCBytes.bundle([OSCBytes.message("/adm/lis/ypr", [Double(step) / 10, 1, 2])])
    }
    var message = OSCBytes.message("/adm/lis/ypr", [0, 1, 2])
    let before = heap_call_count()
    message.withUnsafeMutableBytes { bytes in
      lo_message_free(lo_message_deserialise(bytes.baseAddress, bytes.count, nil))
    }
    let ofTheLibrary = heap_call_count() - before
    let calls = try Self.calls(OSCDecoder(), packet)
    #expect(calls == (1000 * ofTheLibrary, 0))
  }
}
