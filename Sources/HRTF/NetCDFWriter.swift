import Files
import Glibc

/// Writes a netCDF-4 file, the form of SOFA files, through the netCDF library (loaded when needed).
///
/// Functions and constants are those of its C interface, netcdf.h.
final class NetCDFWriter {
  private typealias Name = UnsafePointer<CChar>
  private typealias Create = @convention(c) (Name, Int32, UnsafeMutablePointer<Int32>) -> Int32
  private typealias DefineDimension =
    @convention(c) (Int32, Name, Int, UnsafeMutablePointer<Int32>) -> Int32
  private typealias DefineVariable =
    @convention(c) (
      Int32, Name, Int32, Int32, UnsafePointer<Int32>, UnsafeMutablePointer<Int32>
    ) -> Int32
  private typealias PutText = @convention(c) (Int32, Int32, Name, Int, Name) -> Int32
  private typealias PutDoubles = @convention(c) (Int32, Int32, UnsafePointer<Double>) -> Int32
  private typealias PutFloats = @convention(c) (Int32, Int32, UnsafePointer<Float>) -> Int32
  private typealias Close = @convention(c) (Int32) -> Int32
  private typealias Explain = @convention(c) (Int32) -> Name?

  private let output: OutputFile
  private let defineDimension: DefineDimension
  private let defineVariable: DefineVariable
  private let putText: PutText
  private let putDoubles: PutDoubles
  private let putFloats: PutFloats
  private let closeFile: Close
  private let explain: Explain
  private var file: Int32 = 0
  private var dimensions: [String: Int32] = [:]
  private var isOpen = true

  private static let global: Int32 = -1
  private static let double: Int32 = 6
  private static let netCDF4: Int32 = 0x1000

  /// Makes a file.
  ///
  /// - Throws: `FileError` if it cannot be made or the library is not installed.
  init(path: String) throws(FileError) {
    func missing() -> FileError {
      FileError(
        .unsupported, file: path,
        "netCDF writes it, of the package \(NetCDFLibrary.package), which is missing")
    }
    guard let library = NetCDFLibrary.handle() else { throw missing() }
    func resolve<Function>(_ name: String) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let create: Create = resolve("nc_create"),
      let defineDimension: DefineDimension = resolve("nc_def_dim"),
      let defineVariable: DefineVariable = resolve("nc_def_var"),
      let putText: PutText = resolve("nc_put_att_text"),
      let putDoubles: PutDoubles = resolve("nc_put_var_double"),
      let putFloats: PutFloats = resolve("nc_put_var_float"),
      let close: Close = resolve("nc_close"),
      let explain: Explain = resolve("nc_strerror")
    else { throw missing() }
    self.defineDimension = defineDimension
    self.defineVariable = defineVariable
    self.putText = putText
    self.putDoubles = putDoubles
    self.putFloats = putFloats
    closeFile = close
    self.explain = explain
    output = try OutputFile(path: path)
    let status = create(output.temporaryPath, Self.netCDF4, &file)
    guard status == 0 else {
      isOpen = false
      throw FileError(.unwritable, file: path, explain(status).map { String(cString: $0) } ?? "")
    }
  }

  deinit { if isOpen { _ = closeFile(file) } }

  private func check(_ status: Int32) throws(FileError) {
    guard status != 0 else { return }
    throw FileError(
      .unwritable, file: output.path,
      explain(status).map { String(cString: $0) } ?? "netCDF \(status)")
  }

  /// Defines a dimension.
  func dimension(_ name: String, _ size: Int) throws(FileError) {
    var identifier: Int32 = 0
    try check(defineDimension(file, name, size, &identifier))
    dimensions[name] = identifier
  }

  /// Writes a global attribute.
  func attribute(_ name: String, _ value: String) throws(FileError) {
    try check(putText(file, Self.global, name, value.utf8.count, value))
  }

  /// Writes a variable of 64-bit floats over defined dimensions, with its attributes.
  func variable(
    _ name: String, _ over: [String], _ values: [Double], attributes: [(String, String)] = []
  ) throws(FileError) {
    let identifier = try define(name, over, attributes: attributes)
    try check(putDoubles(file, identifier, values))
  }

  /// The same of values that are floats.
  func variable(_ name: String, _ over: [String], floats values: [Float]) throws(FileError) {
    let identifier = try define(name, over, attributes: [])
    try check(putFloats(file, identifier, values))
  }

  private func define(
    _ name: String, _ over: [String], attributes: [(String, String)]
  ) throws(FileError) -> Int32 {
    var identifier: Int32 = 0
    let over = over.compactMap { dimensions[$0] }
    try check(defineVariable(file, name, Self.double, Int32(over.count), over, &identifier))
    for (key, value) in attributes {
      try check(putText(file, identifier, key, value.utf8.count, value))
    }
    return identifier
  }

  /// Closes the file and moves it to its place.
  func commit() throws(FileError) {
    isOpen = false
    try check(closeFile(file))
    try output.commit()
  }
}
