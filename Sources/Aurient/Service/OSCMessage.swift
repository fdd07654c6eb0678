private import COSC

/// A message of OSC 1.0 (opensoundcontrol.stanford.edu/spec-1_0.html), read and written by liblo.
struct OSCMessage: Equatable, Sendable {
  /// A value that goes with it; OSC's other types are not used here.
  enum Argument: Equatable, Sendable {
    case int(Int32)
    case float(Float)
    case double(Double)
    case string(String)
    case bool(Bool)
    /// Nothing: a value that is not known.
    case none
  }

  /// What it is for, as in `/aurient/volume`.
  var address: String
  var arguments: [Argument]

  init(_ address: String, _ arguments: Argument...) {
    self.address = address
    self.arguments = arguments
  }

  /// Why bytes are no message that is read here.
  enum Fault: Error {
    /// They are no OSC.
    case malformed
    /// An argument of another type, too many of them, or a string that is too long or no UTF-8.
    case arguments
  }

  /// Bytes of the longest address and of the longest string that are read.
  static let longestAddress = 128
  static let longestString = 1024
  /// Arguments that are read at most.
  static let mostArguments = 8

  /// Reads a message of this address.
  init(_ bytes: UnsafeMutableRawBufferPointer, address: String) throws(Fault) {
    var failure: Int32 = 0
    guard let message = lo_message_deserialise(bytes.baseAddress, bytes.count, &failure) else {
      throw failure == LO_EBADTYPE ? .arguments : .malformed
    }
    defer { lo_message_free(message) }
    let count = Int(lo_message_get_argc(message))
    guard count <= Self.mostArguments else { throw .arguments }
    self.address = address
    arguments = []
    guard count > 0 else { return }
    guard let types = lo_message_get_types(message), let values = lo_message_get_argv(message)
    else { throw .malformed }
    for index in 0..<count {
      guard
        let argument = Argument(
          UInt8(bitPattern: types[index]), values[index].map(UnsafeRawPointer.init))
      else { throw .arguments }
      arguments.append(argument)
    }
  }

  /// Its bytes; a multiple of 4.
  var bytes: [UInt8] {
    guard let message = lo_message_new() else { return [] }
    defer { lo_message_free(message) }
    for argument in arguments {
      switch argument {
      case .int(let value): lo_message_add_int32(message, value)
      case .float(let value): lo_message_add_float(message, value)
      case .double(let value): lo_message_add_double(message, value)
      case .string(let text): lo_message_add_string(message, text)
      case .bool(true): lo_message_add_true(message)
      case .bool(false): lo_message_add_false(message)
      case .none: lo_message_add_nil(message)
      }
    }
    return [UInt8](unsafeUninitializedCapacity: lo_message_length(message, address)) {
      buffer, count in
      if lo_message_serialise(message, address, buffer.baseAddress, &count) == nil { count = 0 }
    }
  }
}

extension OSCMessage.Argument {
  /// The value of a type that is used here.
  fileprivate init?(_ type: UInt8, _ value: UnsafeRawPointer?) {
    switch (type, value) {
    case (UInt8(ascii: "i"), let value?): self = .int(value.loadUnaligned(as: Int32.self))
    case (UInt8(ascii: "h"), let value?):
      self = .double(Double(value.loadUnaligned(as: Int64.self)))
    case (UInt8(ascii: "f"), let value?): self = .float(value.loadUnaligned(as: Float.self))
    case (UInt8(ascii: "d"), let value?): self = .double(value.loadUnaligned(as: Double.self))
    case (UInt8(ascii: "s"), let value?), (UInt8(ascii: "S"), let value?):
      // It was checked to end within the message.
      let text = value.assumingMemoryBound(to: UInt8.self)
      var count = 0
      while text[count] != 0 {
        count += 1
        guard count <= OSCMessage.longestString else { return nil }
      }
      let bytes = UnsafeBufferPointer(start: text, count: count)
      guard let string = String(validating: bytes, as: UTF8.self) else { return nil }
      self = .string(string)
    case (UInt8(ascii: "T"), _): self = .bool(true)
    case (UInt8(ascii: "F"), _): self = .bool(false)
    case (UInt8(ascii: "N"), _): self = .none
    default: return nil
    }
  }
}
