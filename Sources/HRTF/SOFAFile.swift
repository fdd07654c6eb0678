internal import CSofa
public import Files
import Geometry
import Glibc

/// A SOFA file (AES69-2022) that has been read by libmysofa.
///
/// Nothing in it is taken on trust: shapes, rates, positions and samples are checked before use. The
/// receivers' order decides the ears, receiver 0 being the left: the sign of ReceiverPosition is
/// wrong in published files.
public struct SOFAFile: Sendable {
  /// The file, as the user named it.
  public var path: String
  /// Global attributes, in the file's order.
  public var attributes: [(name: String, value: String)]
  /// The responses.
  public var responses: HRIRSet

  /// The value of a global attribute, or an empty text.
  public func attribute(_ name: String) -> String {
    attributes.first { $0.name == name }?.value ?? ""
  }

  /// Reads a file of the convention SimpleFreeFieldHRIR.
  ///
  /// - Throws: `FileError` naming the variable that is missing, of the wrong size or not a number,
  ///   or the convention that is not one of responses.
  public init(path: String) throws(FileError) {
    self.path = path
    try Self.checkSignature(path)
    var status: Int32 = 0
    guard let file = mysofa_load(path, &status) else {
      // It gives up on some conventions before it has told which they are.
      if let convention = try Self.convention(inBytesOf: path) {
        try Self.check(convention: convention, path: path)
      }
      throw FileError(.malformed, file: path, Self.explanation(status))
    }
    defer { mysofa_free(file) }
    let content = file.pointee
    attributes = Self.attributes(of: content.attributes)
    let convention = attributes.first { $0.name == "SOFAConventions" }?.value ?? ""
    try Self.check(convention: convention, path: path)
    guard status == 0 else {
      throw FileError(.malformed, file: path, Self.explanation(status))
    }
    responses = try Self.responses(content, path: path, title: attributes)
  }

  /// libmysofa says "invalid format" of everything; the plainest cases are told apart here.
  private static func checkSignature(_ path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
    defer { close(descriptor) }
    var signature = [UInt8](repeating: 0, count: 8)
    let count = read(descriptor, &signature, 8)
    guard count >= 0 else { throw .system(.unreadable, file: path, errno: errno) }
    guard count > 0 else { throw FileError(.malformed, file: path, "the file is empty") }
    guard signature == [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A] else {
      throw FileError(
        .malformed, file: path, place: "byte 0", "not a SOFA file (no HDF5 signature)")
    }
  }

  private static func check(convention: String, path: String) throws(FileError) {
    guard convention != "SimpleFreeFieldHRIR" else { return }
    throw FileError(
      .unsupported, file: path, place: "SOFAConventions",
      convention.isEmpty
        ? "missing; not a SOFA file?"
        : "\"\(convention)\" cannot be rendered; SimpleFreeFieldHRIR can")
  }

  /// The convention that a file names, found without libmysofa; nil if it cannot be found so.
  ///
  /// An attribute of HDF5 is its name, its type (class 3 for text, its size in bytes 4 to 7), the
  /// message of its shape (of 4 or, in the first version, 8 bytes), and the value.
  private static func convention(inBytesOf path: String) throws(FileError) -> String? {
    let bytes = try InputFile.bytes(path: path, limit: 1 << 30)
    let name = Array("SOFAConventions\0".utf8)
    for start in bytes.indices.dropLast(name.count + 80)
    where bytes[start] == name[0] && bytes[start...].starts(with: name) {
      let type = start + name.count
      let shape = type + 8
      let value = shape + (bytes[shape] == 1 ? 8 : 4)
      let text = bytes[value..<value + min(64, Int(bytes[type + 4]))]
      if !text.isEmpty, text.allSatisfy({ (0x21...0x7E).contains($0) }) {
        return String(decoding: text, as: UTF8.self)
      }
    }
    return nil
  }

  private static func explanation(_ status: Int32) -> String {
    switch Int(status) {
    case MYSOFA_INVALID_FORMAT, MYSOFA_UNSUPPORTED_FORMAT:
      "damaged, truncated or of an HDF5 form that libmysofa does not read"
    case MYSOFA_NO_MEMORY: "needs more memory than there is"
    case MYSOFA_READ_ERROR: "truncated"
    case MYSOFA_INVALID_ATTRIBUTES, MYSOFA_INVALID_DIMENSIONS, MYSOFA_INVALID_DIMENSION_LIST:
      "damaged: its dimensions contradict each other"
    default: "damaged; libmysofa refuses it with code \(status)"
    }
  }

  private static func attributes(
    of first: UnsafeMutablePointer<MYSOFA_ATTRIBUTE>?
  ) -> [(name: String, value: String)] {
    var list: [(name: String, value: String)] = []
    var next = first
    while let attribute = next?.pointee {
      if let name = attribute.name, let value = attribute.value {
        list.append((String(cString: name), String(cString: value)))
      }
      next = attribute.next
    }
    return list
  }

  private static func responses(
    _ content: MYSOFA_HRTF, path: String, title attributes: [(name: String, value: String)]
  ) throws(FileError) -> HRIRSet {
    func fault(_ place: String, _ cause: String) -> FileError {
      FileError(.malformed, file: path, place: place, cause)
    }
    func values(_ array: MYSOFA_ARRAY, _ name: String, counts: [Int]) throws(FileError) -> [Float] {
      guard counts.contains(Int(array.elements)), let base = array.values else {
        throw fault(
          name,
          "\(array.elements) values where there should be "
            + counts.map(String.init).joined(separator: " or "))
      }
      let copy = Array(UnsafeBufferPointer(start: base, count: Int(array.elements)))
      guard let bad = copy.firstIndex(where: { !$0.isFinite }) else { return copy }
      throw fault(name, "value \(bad) is not finite")
    }
    let (count, length) = (Int(content.M), Int(content.N))
    guard content.R == 2 else {
      throw fault("R", "\(content.R) receivers where two ears are needed")
    }
    guard count > 0 else { throw fault("M", "no directions") }
    guard (1...1 << 20).contains(length) else { throw fault("N", "\(length) samples a response") }
    let rate = try values(content.DataSamplingRate, "Data.SamplingRate", counts: [1])[0]
    guard rate >= 1000, rate <= 1_000_000 else {
      throw fault("Data.SamplingRate", "\(rate) Hz is not a sampling rate")
    }
    let samples = try values(content.DataIR, "Data.IR", counts: [count * 2 * length])
    guard samples.contains(where: { $0 != 0 }) else { throw fault("Data.IR", "all samples are 0") }
    var delays = [Float](repeating: 0, count: count * 2)
    if content.DataDelay.elements > 0 {
      let given = try values(content.DataDelay, "Data.Delay", counts: [2, count * 2])
      guard given.allSatisfy({ abs($0) < 1e5 }) else {
        throw fault("Data.Delay", "over 100000 samples")
      }
      for index in delays.indices { delays[index] = given[given.count == 2 ? index % 2 : index] }
    }
    return HRIRSet(
      title: attributes.first { $0.name == "Title" }?.value ?? "", sampleRate: Double(rate),
      directions: try directions(content, path: path, count: count), length: length,
      samples: samples, delays: delays)
  }

  private static func directions(
    _ content: MYSOFA_HRTF, path: String, count: Int
  ) throws(FileError) -> [SphericalDirection] {
    let position = content.SourcePosition
    guard Int(position.elements) == count * 3, let values = position.values else {
      throw FileError(
        .malformed, file: path, place: "SourcePosition",
        "\(position.elements) values for \(count) directions")
    }
    let type = attributes(of: position.attributes).first { $0.name == "Type" }?.value
    let isCartesian = type?.hasPrefix("cart") == true
    var directions: [SphericalDirection] = []
    for index in 0..<count {
      let (a, b, c) = (
        Double(values[3 * index]), Double(values[3 * index + 1]), Double(values[3 * index + 2])
      )
      let direction =
        isCartesian
        ? SphericalDirection(cartesian: Vector3(a, b, c))
        : SphericalDirection(azimuth: a, elevation: b, distance: c)
      guard a.isFinite, abs(direction.elevation) <= 90.01, direction.distance > 0,
        direction.distance < 1e4
      else {
        throw FileError(
          .malformed, file: path, place: "SourcePosition, row \(index)",
          "(\(a), \(b), \(c)) is not a direction")
      }
      directions.append(direction)
    }
    return directions
  }
}
