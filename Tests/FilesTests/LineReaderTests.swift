import Files
import TestSupport
import Testing

@Suite struct LineReaderTests {
  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\nb\r\n", ["a", "b"]), ("\n\nx", ["", "", "x"]),
      ("\r\n", [""]),
    ] as [(String, [String])])
  func lines(content: String, expected: [String]) throws {
    let folder = TemporaryFolder()
    let reader = try LineReader(path: folder.file("text", content))
    var lines: [String] = []
    while let line = try reader.next() {
      lines.append(String(decoding: line, as: UTF8.self))
      #expect(reader.line == lines.count)
    }
    #expect(lines == expected)
    #expect(try reader.next() == nil)
    #expect(content.isEmpty || reader.fractionRead == 1)
  }

  /// Lines that end at every place of the buffer, which is refilled many times.
  @Test func manyLines() throws {
    let folder = TemporaryFolder()
    let lines = (0..<3000).map { String(repeating: "x", count: $0 * 7 % 3001) + "\($0)" }
    let reader = try LineReader(path: folder.file("text", lines.joined(separator: "\n")))
    for line in lines {
      #expect(try reader.next().map { String(decoding: $0, as: UTF8.self) } == line)
    }
    #expect(try reader.next() == nil)
  }

  @Test(arguments: [(1 << 20, true), ((1 << 20) + 1, false)])
  func theLongestLine(length: Int, isRead: Bool) throws {
    let folder = TemporaryFolder()
    let path = folder.file("text", "a\n" + String(repeating: "x", count: length) + "\nb\n")
    let reader = try LineReader(path: path)
    #expect(try reader.next()?.count == 1)
    guard !isRead else {
      #expect(try reader.next()?.count == length)
      #expect(try reader.next()?.count == 1)
      return
    }
    let error = #expect(throws: FileError.self) { try reader.next() }
    #expect(error?.description == "\(path): line 2: longer than a mebibyte; not a text file?")
  }

  @Test func whatCannotBeRead() {
    let folder = TemporaryFolder()
    let missing = #expect(throws: FileError.self) { try LineReader(path: folder.path + "/x") }
    #expect(missing?.code == .notFound)
    let path = folder.path
    let directory = #expect(throws: FileError.self) { try LineReader(path: path).next() }
    #expect(directory?.description == "\(path): is a directory")
  }
}
