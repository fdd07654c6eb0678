import Files
import Glibc
import TestSupport
import Testing

@Suite struct CSVReaderTests {
  private func rows(_ path: String) throws -> [[String]] {
    let reader = try CSVReader(path: path)
    var rows: [[String]] = []
    while try reader.next() { rows.append(reader.header.indices.map { reader.text($0) }) }
    return rows
  }

  /// RFC 4180, 2: spaces are part of a field.
  @Test func keepsSpacesWhereAsked() throws {
    let folder = TemporaryFolder()
    let path = folder.file("spaces.csv", "a,b\n 1 ,\" 2\"\n")
    let reader = try CSVReader(path: path, keepsSpaces: true)
    #expect(try reader.next())
    #expect([reader.text(0), reader.text(1)] == [" 1 ", " 2"])
    #expect(try rows(path) == [["1", " 2"]])
  }

  private func fault(_ path: String) -> FileError? {
    do {
      _ = try rows(path)
      return nil
    } catch {
      return error as? FileError
    }
  }

  /// Content after the header `a,b` and the rows that RFC 4180 makes of it.
  static let contents: [(String, [[String]])] = [
    ("", []),
    ("1,2\n", [["1", "2"]]),
    ("1,2", [["1", "2"]]),
    ("1,2\r\n3,4\r\n", [["1", "2"], ["3", "4"]]),
    ("1,2\r\n3,4", [["1", "2"], ["3", "4"]]),
    ("\n\n1,2\n\r\n\n3,4\n\n", [["1", "2"], ["3", "4"]]),
    (",\n", [["", ""]]),
    ("1,\n", [["1", ""]]),
    (" 1 ,\t2\t\n", [["1", "2"]]),
    ("\"1\",\"2\"\n", [["1", "2"]]),
    ("\" 1\",\"\"\n", [[" 1", ""]]),
    ("\"a,b\",c\n", [["a,b", "c"]]),
    ("\"say \"\"yes\"\"\",\"\"\"\"\n", [["say \"yes\"", "\""]]),
    ("\"two\nlines\",\"and\r\nthree\"\n1,2\n", [["two\nlines", "and\r\nthree"], ["1", "2"]]),
    ("5\" disk,6\"\n1,2\n", [["5\" disk", "6\""], ["1", "2"]]),
    ("\"x\",\"y\"", [["x", "y"]]),
    ("é,日本\n", [["é", "日本"]]),
  ]

  @Test(arguments: contents)
  func content(text: String, expected: [[String]]) throws {
    let folder = TemporaryFolder()
    for (header, name) in [
      ("a,b\n", "plain"), ("a,b\r\n", "crlf"), ("\u{FEFF}a,b\n", "mark"),
      ("\u{FEFF}\"a\",\"b\"\n", "quoted"), ("\n a , b \n", "spaced"),
    ] {
      let path = folder.file(name, header + text)
      #expect(try CSVReader(path: path).header == ["a", "b"], "\(name)")
      #expect(try rows(path) == expected, "\(name)")
    }
  }

  @Test(arguments: [
    ("", "the file is empty"),
    ("\n\r\n\n", "the file is empty"),
    ("\u{FEFF}", "the file is empty"),
    ("a,b,a\n1,2,3\n", "line 1: column a stands there twice"),
    ("a,b\n1,2\n\n1\n", "line 4: 1 columns where the header has 2"),
    ("a,b\n1,2,3", "line 2: 3 columns where the header has 2"),
    ("a,b\n\"x\ny\",1\n1,2,\n", "line 4: 3 columns where the header has 2"),
    ("a,b\n\"x\"y,1\n", "line 2: text after a closing quote"),
    ("a,b\n1,2\n\"x,1\n1,2\n", "line 3: a quoted field never ends"),
    ("a,b\n\"", "line 2: a quoted field never ends"),
  ])
  func faults(text: String, expected: String) throws {
    let folder = TemporaryFolder()
    let path = folder.file("bad.csv", text)
    let error = try #require(fault(path))
    #expect(error.code == .malformed)
    #expect(error.description == "\(path): \(expected)")
  }

  @Test func filesThatCannotBeRead() throws {
    let folder = TemporaryFolder()
    #expect(fault(folder.path + "/none.csv")?.code == .notFound)
    let directory = try #require(fault(folder.path))
    #expect(directory.code == .unreadable)
    #expect(directory.cause == "is a directory")
  }

  @Test func columnsByName() throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.csv", "time,yaw,,\n1,2,3,4\n")
    let reader = try CSVReader(path: path)
    #expect(reader.column("yaw") == 1)
    #expect(reader.column("Yaw") == nil)
    #expect(try reader.requiredColumn("time") == 0)
    let error = #expect(throws: FileError.self) { _ = try reader.requiredColumn("roll") }
    #expect(error?.description == "\(path): line 1: there is no column roll")
  }

  @Test func numbersAndTimes() throws {
    let folder = TemporaryFolder()
    let path = folder.file(
      "a.csv", "t,x\n1790000000123,-1.5\n,\n2026-09-21T14:13:20Z,nan\n12,1\u{1}2\n")
    let reader = try CSVReader(path: path)
    #expect(try reader.next())
    #expect(try reader.timestamp(0).nanoseconds == 1_790_000_000_123_000_000)
    #expect(try reader.number(1) == -1.5)
    #expect(try reader.next())
    #expect(reader.isEmpty(1))
    #expect(try reader.number(1) == nil)
    let noTime = #expect(throws: FileError.self) { _ = try reader.timestamp(0) }
    #expect(noTime?.description == "\(path): line 3, column t: \"\" is not a time")
    #expect(try reader.next())
    #expect(try reader.timestamp(0).nanoseconds == 1_790_000_000_000_000_000)
    let noNumber = #expect(throws: FileError.self) { _ = try reader.number(1) }
    #expect(noNumber?.description == "\(path): line 4, column x: \"nan\" is not a finite number")
    #expect(try reader.next())
    let control = #expect(throws: FileError.self) { _ = try reader.number(1) }
    #expect(control?.description == "\(path): line 5, column x: \"1 2\" is not a finite number")
    #expect(try !reader.next())
    #expect(try !reader.next())
  }

  @Test func longContentIsCutInMessages() throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.csv", "x\n" + String(repeating: "y", count: 5000) + "\n")
    let reader = try CSVReader(path: path)
    #expect(try reader.next())
    let cause = reader.bad(0, "is long").cause
    #expect(cause == "\"" + String(repeating: "y", count: 40) + "…\" is long")
  }

  /// A record may be a mebibyte and no more, its line end included, wherever it lies in the buffer.
  @Test(arguments: [0, 1, 700_000, 1 << 20])
  func longestRecord(before: Int) throws {
    let folder = TemporaryFolder()
    let filler = before > 0 ? String(repeating: "z", count: min(before, 1 << 20) - 1) + "\n" : ""
    let longest = String(repeating: "y", count: (1 << 20) - 1)
    let good = folder.file("good.csv", "x\n" + filler + longest + "\n5\n")
    #expect(try rows(good).suffix(2) == [[longest], ["5"]])
    let bad = folder.file("bad.csv", "x\n" + filler + longest + "y\n5\n")
    #expect(fault(bad)?.cause == "longer than a mebibyte; not a CSV file?")
    #expect(fault(bad)?.place == (before > 0 ? "line 3" : "line 2"))
  }

  @Test func binaryContentWithoutLines() throws {
    let folder = TemporaryFolder()
    let path = folder.file("bad.csv", String(repeating: "y", count: 5 << 20))
    #expect(fault(path)?.description == "\(path): line 1: longer than a mebibyte; not a CSV file?")
  }

  /// Five mebibytes of records of uneven length, some quoted with lines in them: each reaches over
  /// the end of the buffer somewhere.
  @Test(arguments: [false, true])
  func recordsOverTheBuffersEdge(throughPipe: Bool) throws {
    var generator = SeededGenerator(seed: 1)
    var text = "a,b,c\n"
    var expected: [[String]] = []
    for index in 0..<40_000 {
      let length = Int.random(in: 0..<200, using: &generator)
      let word = String(repeating: "w", count: length)
      if index % 3 == 0 {
        text += "\(index),\"\(word)\n\"\"\",x\n"
        expected.append([String(index), word + "\n\"", "x"])
      } else {
        text += "\(index),\(word),x\r\n"
        expected.append([String(index), word, "x"])
      }
    }
    let folder = TemporaryFolder()
    var path = folder.path + "/pipe"
    var writer = pthread_t()
    if throughPipe {
      try #require(mkfifo(path, 0o600) == 0)
      let copy = Unmanaged.passRetained(Content(text: text, path: path))
      pthread_create(
        &writer, nil,
        { argument in
          guard let argument else { return nil }
          let content = Unmanaged<Content>.fromOpaque(argument).takeRetainedValue()
          let file = fopen(content.path, "w")
          fputs(content.text, file)
          if let file { fclose(file) }
          return nil
        }, copy.toOpaque())
    } else {
      path = folder.file("big.csv", text)
    }
    #expect(try rows(path) == expected)
    if throughPipe { pthread_join(writer, nil) }
  }

  @Test func lineNumbersCountLinesInQuotes() throws {
    let folder = TemporaryFolder()
    let reader = try CSVReader(path: folder.file("a.csv", "a\n\"x\n\ny\"\n\n5\n"))
    #expect(try reader.next())
    #expect(reader.line == 2)
    #expect(try reader.next())
    #expect(reader.line == 6)
  }
}

private final class Content {
  let text: String
  let path: String
  init(text: String, path: String) {
    self.text = text
    self.path = path
  }
}
