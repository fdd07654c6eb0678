import Files
import Glibc
import TestSupport
import Testing

private func content(_ path: String) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = fread(&bytes, 1, bytes.count, file)
  return String(decoding: bytes.prefix(count), as: UTF8.self)
}

private func fault(_ path: String) -> FileError? {
  do {
    try OutputFile.write("x".utf8, to: path)
    return nil
  } catch {
    return error
  }
}

@Suite struct OutputFileTests {
  @Test func appearsWholeAtTheCommit() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/out.txt"
    let writer = try TextWriter(path: path)
    writer.append("one,")
    writer.append(2.5)
    writer.append(nil as Double?)
    [UInt8(ascii: "\n")].withUnsafeBytes { writer.append($0) }
    #expect(access(path, F_OK) != 0)
    #expect(folder.names().count == 1)
    try writer.commit()
    #expect(content(path) == "one,2.5\n")
    #expect(folder.names() == ["out.txt"])
  }

  @Test func leavesNothingWhenDropped() throws {
    let folder = TemporaryFolder()
    let path = folder.file("out.txt", "old")
    do {
      let writer = try TextWriter(path: path)
      writer.append(String(repeating: "new", count: 100_000))
      #expect(folder.names().count == 2)
      #expect(content(path) == "old")
    }
    #expect(folder.names() == ["out.txt"])
    #expect(content(path) == "old")
  }

  @Test func replacesAFile() throws {
    let folder = TemporaryFolder()
    let path = folder.file("out.txt", "an old and longer content")
    try OutputFile.write("new".utf8, to: path)
    #expect(content(path) == "new")
  }

  @Test func permissionsFollowTheMask() throws {
    let folder = TemporaryFolder()
    for (mask, expected) in [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)] as [(mode_t, mode_t)] {
      let path = folder.path + "/\(mask)"
      let old = umask(mask)
      let result = Result { try OutputFile.write([], to: path) }
      umask(old)
      try result.get()
      var status = stat()
      try #require(stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == expected)
    }
  }

  /// A file that may not be written is not replaced either, although its folder would allow it.
  @Test(.enabled(if: getuid() != 0)) func protectedFilesStay() throws {
    let folder = TemporaryFolder()
    let path = folder.file("protected.txt", "kept")
    chmod(path, 0o444)
    #expect(fault(path)?.code == .unwritable)
    #expect(content(path) == "kept" && folder.names() == ["protected.txt"])
  }

  @Test func writesThroughALink() throws {
    let folder = TemporaryFolder()
    let target = folder.file("target", "old")
    let link = folder.path + "/link"
    try #require(symlink("target", link) == 0)
    try OutputFile.write("new".utf8, to: link)
    #expect(content(target) == "new")
    var status = stat()
    try #require(lstat(link, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    #expect(folder.names() == ["link", "target"])
  }

  @Test func placesThatCannotBeWritten() throws {
    let folder = TemporaryFolder()
    let file = folder.file("file", "")
    let missing = "no such file or directory"
    for (path, cause) in [
      (folder.path, "is a directory"), (folder.path + "/", "is a directory"),
      (folder.path + "/none/out", missing), (folder.path + "/none/", missing), ("", missing),
      (file + "/out", "not a directory"), (file + "/", "not a directory"),
      (folder.path + "/" + String(repeating: "n", count: 300), "file name too long"),
    ] {
      let error = try #require(fault(path), "\(path)")
      #expect(error == FileError(.unwritable, file: path, cause))
    }
    #expect(folder.names() == ["file"])
  }

  @Test func namesAsLongAsTheSystemAllows() throws {
    let folder = TemporaryFolder()
    let name = String(repeating: "é", count: 127)
    try OutputFile.write("x".utf8, to: folder.path + "/" + name)
    #expect(folder.names() == [name])
  }

  @Test func fullDisk() throws {
    let error = try #require(fault("/dev/full"))
    #expect(error == FileError(.unwritable, file: "/dev/full", "no space left on device"))
    let writer = try TextWriter(path: "/dev/full")
    for _ in 0..<100 { writer.append(String(repeating: "x", count: 10_000)) }
    #expect(throws: error) { try writer.commit() }
  }

  @Test func pipesAreWrittenDirectly() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    try OutputFile.write("through".utf8, to: "/dev/fd/\(ends[1])")
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 100)
    #expect(read(ends[0], &bytes, bytes.count) == 7)
    #expect(String(decoding: bytes.prefix(7), as: UTF8.self) == "through")
    close(ends[0])
  }

  /// As with `(echo before; aurient … -o /dev/stdout) > file`.
  @Test func openFilesAreAppendedTo() throws {
    let folder = TemporaryFolder()
    let path = folder.file("out.txt", "before\n")
    let descriptor = open(path, O_WRONLY | O_APPEND)
    try OutputFile.write("after\n".utf8, to: "/dev/fd/\(descriptor)")
    close(descriptor)
    #expect(content(path) == "before\nafter\n")
    #expect(folder.names() == ["out.txt"])
  }
}

@Suite struct FileErrorTests {
  @Test func isOneLineWhateverTheFileHolds() {
    let error = FileError(
      .malformed, file: "a\nb", place: "line 2", "\"x\u{1B}[31m\u{9B}\r\n\" is bad")
    #expect(error.description == "a b: line 2: \"x [31m   \" is bad")
    #expect(FileError(.malformed, file: "a", "bad").description == "a: bad")
  }
}
