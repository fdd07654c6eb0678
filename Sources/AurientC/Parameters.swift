import CAurient
import Glibc

/// Bytes of the longest text, with the zero at its end.
private let longestText = 4096
/// Bytes of the longest structure that is believed.
private let longestStructure = 65_536

/// A text that a caller gives; nil for NULL.
func textIfAny(_ pointer: UnsafePointer<CChar>?, _ what: String) throws(Fault) -> String? {
  guard let pointer else { return nil }
  let count = strnlen(pointer, longestText)
  guard count > 0 else { throw .invalid("\(what) is empty") }
  guard count < longestText else { throw .invalid("\(what) has \(longestText) bytes or more") }
  guard let text = String(validatingCString: pointer) else {
    throw .invalid("\(what) is not UTF-8")
  }
  return text
}

/// A text that a caller must give.
func text(_ pointer: UnsafePointer<CChar>?, _ what: String) throws(Fault) -> String {
  guard let text = try textIfAny(pointer, what) else { throw .invalid("\(what) is NULL") }
  return text
}

/// A number in a range, which NAN is not.
func number(
  _ value: Double, _ what: String, in range: ClosedRange<Double>
) throws(Fault) -> Double {
  guard range.contains(value) else {
    throw .invalid("\(what) \(value) is not from \(range.lowerBound) to \(range.upperBound)")
  }
  return value
}

/// A number in a range, or nil for NAN.
func numberIfAny(
  _ value: Double, _ what: String, in range: ClosedRange<Double>
) throws(Fault) -> Double? {
  value.isNaN ? nil : try number(value, what, in: range)
}

/// A copy of a structure of options, which may be of another version: what it lacks is 0, and what is beyond this
/// version's must be.
///
/// - Parameter empty: The structure with all 0.
func copied<Value>(_ pointer: UnsafePointer<Value>, _ empty: Value) throws(Fault) -> Value {
  let size = try structSize(pointer, MemoryLayout<Value>.stride)
  let known = min(size, MemoryLayout<Value>.stride)
  let bytes = UnsafeRawBufferPointer(start: pointer, count: size)
  guard bytes[known...].allSatisfy({ $0 == 0 }) else {
    throw Fault(
      AURIENT_INVALID_SIZE,
      "the structure has options that version \(libraryVersion) of the library does not know")
  }
  var value = empty
  withUnsafeMutableBytes(of: &value) {
    $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<known]))
  }
  return value
}

/// Hands a structure out, as much of it as the caller has room for.
func give<Value>(_ value: Value, to pointer: UnsafeMutablePointer<Value>?) throws(Fault) {
  guard let pointer else { throw .invalid("the structure is NULL") }
  let size = try structSize(pointer, MemoryLayout<Value>.stride)
  write(value, to: pointer, size: size)
  UnsafeMutableRawPointer(pointer).storeBytes(of: size, as: Int.self)
}

private func structSize(_ pointer: UnsafeRawPointer, _ own: Int) throws(Fault) -> Int {
  // Every version so far has the same.
  let size = pointer.loadUnaligned(as: Int.self)
  guard size >= own, size <= longestStructure else {
    throw Fault(
      AURIENT_INVALID_SIZE, "struct_size \(size) is that of no version; it is \(own) in this one")
  }
  return size
}

private func write<Value>(_ value: Value, to pointer: UnsafeMutableRawPointer, size: Int) {
  memset(pointer, 0, size)
  withUnsafeBytes(of: value) { bytes in
    UnsafeMutableRawBufferPointer(start: pointer, count: size).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: bytes.prefix(size)))
  }
}

/// Hands a list out.
func give<Value>(
  _ values: [Value], to pointer: UnsafeMutablePointer<Value>?, capacity: Int, elementSize: Int,
  count: UnsafeMutablePointer<Int>?
) throws(Fault) {
  let own = MemoryLayout<Value>.stride
  guard let count else { throw .invalid("count is NULL") }
  guard elementSize >= own, elementSize <= longestStructure else {
    throw Fault(
      AURIENT_INVALID_SIZE,
      "element_size \(elementSize) is that of no version; it is \(own) in this one")
  }
  guard capacity >= 0, capacity <= Int.max / elementSize, pointer != nil || capacity == 0 else {
    throw .invalid("the array is NULL or its capacity \(UInt(bitPattern: capacity)) is absurd")
  }
  count.pointee = values.count
  guard let pointer else { return }
  for (index, value) in values.prefix(capacity).enumerated() {
    write(value, to: UnsafeMutableRawPointer(pointer) + index * elementSize, size: elementSize)
  }
}

/// Puts a text into an array of a structure.
func put<Array>(_ text: String, into array: inout Array) {
  withUnsafeMutableBytes(of: &array) { bytes in
    _ = copy(text, to: bytes.bindMemory(to: CChar.self).baseAddress, capacity: bytes.count)
  }
}
