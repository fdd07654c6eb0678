import Glibc

/// Reads SOFA files by netCDF: all conventions, any numeric type, whatever forms of HDF5 there are.
enum NetCDFReader {
  /// The code of a reader that is not installed.
  static var notInstalled: Int { 1 }

  /// Reads a file and sends what it holds.
  ///
  /// - Returns: netCDF's code, 0 if it reads the file.
  static func read(_ path: UnsafePointer<CChar>, to output: ChildOutput) -> Int {
    guard let library = NetCDFLibrary() else { return notInstalled }
    var file: Int32 = 0
    let status = library.open(path, 0, &file)
    guard status == 0 else { return Int(status) }
    let reading = Reading(library: library, file: file, output: output)
    // One by one: a list of names would be a Swift object, and this runs after a fork.
    var fault = reading.sendAttributes()
    if fault == 0 { fault = reading.sendSizes() }
    if fault == 0 { fault = reading.send("ListenerPosition") }
    if fault == 0 { fault = reading.send("ListenerView") }
    if fault == 0 { fault = reading.send("ListenerUp") }
    if fault == 0 { fault = reading.send("SourcePosition") }
    if fault == 0 { fault = reading.send("SourceView") }
    if fault == 0 { fault = reading.send("SourceUp") }
    if fault == 0 { fault = reading.send("EmitterPosition") }
    if fault == 0 { fault = reading.send("Data.IR") }
    if fault == 0 { fault = reading.send("Data.Real") }
    if fault == 0 { fault = reading.send("Data.Imag") }
    if fault == 0 { fault = reading.send("Data.SOS") }
    if fault == 0 { fault = reading.send("Data.Delay") }
    if fault == 0 { fault = reading.send("Data.SamplingRate") }
    if fault == 0 { fault = reading.send("N") }
    return Int(fault)
  }
}

/// One file being read; its functions return netCDF's codes.
private struct Reading {
  let library: NetCDFLibrary
  let file: Int32
  let output: ChildOutput

  func sendAttributes() -> Int32 {
    var count: Int32 = 0
    let status = library.inquireCounts(file, nil, nil, &count, nil)
    guard status == 0, let name = buffer(NetCDFLibrary.nameSize) else { return status }
    for index in 0..<max(0, count)
    where library.inquireAttributeName(file, NetCDFLibrary.global, index, name) == 0 {
      if let value = text(name, of: NetCDFLibrary.global) {
        output.send(attribute: name, value)
      }
    }
    return 0
  }

  func sendSizes() -> Int32 {
    var count: Int32 = 0
    let status = library.inquireCounts(file, &count, nil, nil, nil)
    guard status == 0, let name = buffer(NetCDFLibrary.nameSize) else { return status }
    for index in 0..<max(0, count) {
      var size = 0
      if library.inquireDimension(file, index, name, &size) == 0 {
        output.send(size: size, of: name)
      }
    }
    return 0
  }

  /// Sends a variable if the file has it.
  func send(_ name: UnsafePointer<CChar>) -> Int32 {
    var (variable, rank): (Int32, Int32) = (0, 0)
    guard library.inquireVariable(file, name, &variable) == 0 else { return 0 }
    let status = library.inquireDimensionCount(file, variable, &rank)
    guard status == 0, (0...16).contains(rank),
      let identifiers = malloc(17 * MemoryLayout<Int32>.size)?.assumingMemoryBound(to: Int32.self),
      let dimensions = buffer(17 * (NetCDFLibrary.nameSize + 1))
    else { return status == 0 ? NetCDFLibrary.memoryError : status }
    guard case let status = library.inquireDimensions(file, variable, identifiers), status == 0
    else { return status }
    var (count, end) = (1, dimensions)
    for index in 0..<Int(rank) {
      var size = 0
      if index > 0 {
        end[0] = 0x2C  // comma
        end += 1
      }
      let status = library.inquireDimension(file, identifiers[index], end, &size)
      guard status == 0 else { return status }
      end += strlen(end)
      let product = count.multipliedReportingOverflow(by: size)
      guard !product.overflow, product.partialValue <= SOFAContent.valueLimit / 4 else {
        return NetCDFLibrary.memoryError
      }
      count = product.partialValue
    }
    guard let values = malloc(max(1, count) * 4)?.assumingMemoryBound(to: Float.self) else {
      return NetCDFLibrary.memoryError
    }
    let result = library.getFloats(file, variable, values)
    // Text under a variable's name, or infinite values: the checks of the content name the variable.
    guard result == 0 || result == NetCDFLibrary.rangeError else { return result }
    output.send(
      variable: name, dimensions: dimensions,
      type: text("Type", of: variable) ?? UnsafePointer(end),
      values: values, count: count)
    free(values)
    return 0
  }

  /// The value of an attribute that is text.
  private func text(_ name: UnsafePointer<CChar>, of variable: Int32) -> UnsafePointer<CChar>? {
    var (type, length): (Int32, Int) = (0, 0)
    guard library.inquireAttribute(file, variable, name, &type, &length) == 0 else { return nil }
    if type == NetCDFLibrary.string && length == 1 {
      var value: UnsafeMutablePointer<CChar>?
      guard library.getStrings(file, variable, name, &value) == 0 else { return nil }
      return value.map { UnsafePointer($0) }
    }
    guard type == NetCDFLibrary.text, let value = buffer(length + 1),
      library.getText(file, variable, name, value) == 0
    else { return nil }
    return UnsafePointer(value)
  }

  /// Bytes that are 0; the process ends soon, so nobody frees them.
  private func buffer(_ size: Int) -> UnsafeMutablePointer<CChar>? {
    guard size > 0, size <= SOFAContent.memoryLimit else { return nil }
    return calloc(size, 1)?.assumingMemoryBound(to: CChar.self)
  }
}
