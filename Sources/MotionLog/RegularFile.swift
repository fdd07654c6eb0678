import Files
import Glibc

/// Whether a name is that of a regular file, directly or through a link.
func isRegularFile(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Waits until what was written into a file, which nobody has open, is on the disk.
func synchronise(_ path: String, name: String) throws(FileError) {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw .system(.unwritable, file: name, errno: errno) }
  defer { close(descriptor) }
  guard fsync(descriptor) == 0 else { throw .system(.unwritable, file: name, errno: errno) }
}
