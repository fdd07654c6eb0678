/// Takes OSC packets apart: bundles into the messages in them, however deep they lie.
///
/// Sizes are checked here; what is in a message is not looked at.
enum OSCPacket {
  /// A message in a packet.
  struct Part {
    /// The whole message.
    var bytes: UnsafeMutableRawBufferPointer
    /// Its address, without the zero that ends it.
    var address: UnsafeRawBufferPointer
    /// The time tag of the bundle that it is in: seconds since 1900 times 2³²; 1 is at once.
    var tag: UInt64
  }

  /// The time tag that means at once.
  static let immediately: UInt64 = 1
  /// How deep bundles may lie in each other.
  private static let deepest = 8
  /// The bytes "#bundle" and 0.
  private static let bundle: UInt64 = 0x2362_756E_646C_6500

  /// The messages in a packet in their order; nil if it is malformed anywhere.
  static func parts(of packet: UnsafeMutableRawBufferPointer) -> [Part]? {
    var parts: [Part] = []
    return take(packet, tag: immediately, depth: 0, into: &parts) ? parts : nil
  }

  private static func take(
    _ packet: UnsafeMutableRawBufferPointer, tag: UInt64, depth: Int, into parts: inout [Part]
  ) -> Bool {
    guard packet.count >= 4, packet.count % 4 == 0 else { return false }
    if packet[0] == UInt8(ascii: "/") {
      guard let end = packet.firstIndex(of: 0) else { return false }
      parts.append(
        Part(bytes: packet, address: UnsafeRawBufferPointer(rebasing: packet[..<end]), tag: tag))
      return true
    }
    guard packet.count >= 16, depth < deepest,
      packet.loadUnaligned(as: UInt64.self) == bundle.bigEndian
    else { return false }
    let tag = UInt64(bigEndian: packet.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    var rest = UnsafeMutableRawBufferPointer(rebasing: packet[16...])
    while !rest.isEmpty {
      let size = Int(UInt32(bigEndian: rest.loadUnaligned(as: UInt32.self)))
      guard size <= rest.count - 4 else { return false }
      let element = UnsafeMutableRawBufferPointer(rebasing: rest[4..<4 + size])
      guard take(element, tag: tag, depth: depth + 1, into: &parts) else { return false }
      rest = UnsafeMutableRawBufferPointer(rebasing: rest[(4 + size)...])
    }
    return true
  }
}
