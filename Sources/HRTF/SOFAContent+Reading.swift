import Files

/// Where the parts that a reader sends come from.
protocol SOFARecordSource: ~Copyable {
  /// Fills the buffer with what comes next; false if there is not so much.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Bool
}

extension ChildProcess: SOFARecordSource {}

/// The parts that a reader in a child process sends, each after its number.
enum SOFARecord: Int {
  case end, attribute, size, variable, refusal
}

extension SOFAContent {
  /// Seconds that a reader has for a file.
  static var timeLimit: Double { 9 }
  /// Bytes that a reader may use.
  static var memoryLimit: Int { 1 << 30 }
  /// Bytes that the values may fill, as 32-bit floats: an empty file can claim any size.
  static var valueLimit: Int { 400 << 20 }

  /// Reads a file by a function that runs in a child process: SOFA files come from strangers, and the
  /// libraries that parse them are C.
  ///
  /// - Returns: the content, and the code with which the reader refused it, 0 if it did not.
  /// - Throws: `FileError` if the reader crashes or takes too long.
  static func reading(
    _ path: String, timeLimit: Double = timeLimit,
    by reader: (UnsafePointer<CChar>, ChildOutput) -> Int
  ) throws(FileError) -> (content: SOFAContent, refusal: Int) {
    var child = try ChildProcess.start(
      for: path, timeLimit: timeLimit, memoryLimit: memoryLimit
    ) {
      let refusal = reader(path, $0)
      if refusal != 0 {
        $0.write(SOFARecord.refusal.rawValue)
        $0.write(refusal)
      } else {
        $0.write(SOFARecord.end.rawValue)
      }
    }
    var content = SOFAContent(path: path)
    if let refusal = content.receive(from: &child) { return (content, refusal) }
    let cause =
      switch child.ending() {
      case .crashed(let signal): "damaged: the reader crashed on it (signal \(signal))"
      case .timedOut: "damaged: reading it took over \(Int(timeLimit.rounded())) s"
      case .exited: "damaged: the reader gave up on it"
      }
    throw FileError(.malformed, file: path, cause)
  }

  /// Takes in what a reader sends, of `room` bytes of values at the most; its refusal, 0 if there is none,
  /// or nil if what it sends stops before its end.
  mutating func receive<Source: SOFARecordSource & ~Copyable>(
    from child: inout Source, room: Int = valueLimit
  ) -> Int? {
    var room = room
    while let number = child.number(), let record = SOFARecord(rawValue: number) {
      switch record {
      case .end: return 0
      case .refusal: return child.number()
      case .attribute:
        guard let name = child.text(&room), let value = child.text(&room) else { return nil }
        attributes.append((name, value))
      case .size:
        guard let name = child.text(&room), let size = child.number() else { return nil }
        sizes[name] = size
      case .variable:
        guard let name = child.text(&room), let dimensions = child.text(&room),
          let type = child.text(&room), let values = child.samples(&room)
        else { return nil }
        variables[name] = Variable(
          dimensions: dimensions.split(separator: ",").map(String.init), type: type, values: values)
      }
    }
    return nil
  }
}

extension SOFARecordSource where Self: ~Copyable {
  fileprivate mutating func number() -> Int? {
    var number = 0
    return withUnsafeMutableBytes(of: &number) { read(into: $0) } ? number : nil
  }

  /// A count of things of `size` bytes that fit into the room left.
  private mutating func count(of size: Int, _ room: inout Int) -> Int? {
    guard let count = number(), (0...room / size).contains(count) else { return nil }
    room -= count * size
    return count
  }

  fileprivate mutating func text(_ room: inout Int) -> String? {
    guard let count = count(of: 1, &room) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return bytes.withUnsafeMutableBytes { read(into: $0) }
      ? String(decoding: bytes, as: UTF8.self) : nil
  }

  fileprivate mutating func samples(_ room: inout Int) -> [Float]? {
    guard let count = count(of: MemoryLayout<Float>.size, &room) else { return nil }
    var values = [Float](repeating: 0, count: count)
    return values.withUnsafeMutableBytes { read(into: $0) } ? values : nil
  }
}

extension ChildOutput {
  /// Sends a global attribute.
  func send(attribute name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) {
    write(SOFARecord.attribute.rawValue)
    write(name)
    write(value)
  }

  /// Sends the size of a dimension.
  func send(size: Int, of dimension: UnsafePointer<CChar>) {
    write(SOFARecord.size.rawValue)
    write(dimension)
    write(size)
  }

  /// Sends a variable; its dimensions' names stand between commas.
  func send(
    variable name: UnsafePointer<CChar>, dimensions: UnsafePointer<CChar>,
    type: UnsafePointer<CChar>, values: UnsafePointer<Float>, count: Int
  ) {
    write(SOFARecord.variable.rawValue)
    write(name)
    write(dimensions)
    write(type)
    write(count)
    write(bytes: values, count: count * MemoryLayout<Float>.size)
  }
}
