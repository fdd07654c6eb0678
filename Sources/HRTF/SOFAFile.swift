public import Files

/// A SOFA file (AES69-2022) that has been read.
///
/// It is parsed in a child process, by libmysofa or, where that refuses, by netCDF: a file that makes
/// them crash, hang or eat memory is an error like any other. Nothing in it is taken on trust: shapes,
/// rates, positions and samples are checked before use. The receivers' order decides the ears, receiver
/// 0 being the left: the sign of ReceiverPosition is wrong in published files.
///
/// Read are SimpleFreeFieldHRIR, SimpleFreeFieldHRTF, SimpleFreeFieldHRSOS, GeneralFIR, GeneralFIR-E,
/// GeneralTF and GeneralTF-E with two receivers, and of the conventions for rooms those files that hold
/// short responses of a free field. Directions are as the listener's head sees them, wherever the file
/// lets it stand and look. Of several responses of one place the first is kept.
public struct SOFAFile: Sendable {
  /// The file, as the user named it.
  public var path: String
  /// Global attributes, in the file's order.
  public var attributes: [(name: String, value: String)]
  /// The responses.
  public var responses: HRIRSet
  /// How many responses were left out because an earlier one is of the same place.
  public var duplicateCount: Int

  /// The value of a global attribute, or an empty text.
  public func attribute(_ name: String) -> String {
    attributes.first { $0.name == name }?.value ?? ""
  }

  /// Reads a file.
  ///
  /// - Throws: `FileError` naming the variable that is missing, of the wrong size or not a number,
  ///   or the convention that cannot be rendered and why.
  public init(path: String) throws(FileError) {
    try self.init(path: path, timeLimit: SOFAContent.timeLimit)
  }

  /// Reads a file, for which there are so many seconds.
  init(path: String, timeLimit: Double) throws(FileError) {
    try self.init(content: Self.content(path, timeLimit: timeLimit))
  }

  /// A file whose content is known.
  init(content: SOFAContent) throws(FileError) {
    path = content.path
    attributes = content.attributes
    (responses, duplicateCount) = try content.responses()
  }

  /// What a file holds, not checked yet.
  static func content(
    _ path: String, timeLimit: Double = SOFAContent.timeLimit
  ) throws(FileError) -> SOFAContent {
    try InputFile.checkIsRegular(path: path)
    try checkSignature(path)
    let start = ChildProcess.now
    let (first, refusal) = try SOFAContent.reading(
      path, timeLimit: timeLimit, by: LibmysofaReader.read)
    let convention = first.attribute("SOFAConventions")
    if refusal == 0, LibmysofaReader.conventions.contains(convention) { return first }
    let (second, secondRefusal) = try SOFAContent.reading(
      path, timeLimit: timeLimit - (ChildProcess.now - start), by: NetCDFReader.read)
    switch secondRefusal {
    case 0: return second
    case NetCDFReader.notInstalled:
      throw FileError(
        .unsupported, file: path,
        (convention.isEmpty ? "refused by libmysofa" : "\"\(convention)\" is not read by libmysofa")
          + "; netCDF reads more, of the package \(NetCDFLibrary.package), which is missing")
    case Int(NetCDFLibrary.memoryError):
      throw FileError(
        .malformed, file: path,
        "needs more memory than the \(SOFAContent.memoryLimit >> 20) MiB of a reader")
    default:
      throw FileError(.malformed, file: path, LibmysofaReader.explanation(refusal))
    }
  }

  /// The readers say "invalid format" of everything; the plainest cases are told apart here.
  private static func checkSignature(_ path: String) throws(FileError) {
    let signature = try InputFile.beginning(path: path, count: 8).bytes
    guard !signature.isEmpty else {
      throw FileError(.malformed, file: path, "the file is empty")
    }
    guard !signature.starts(with: Array("MinPHR".utf8)) else {
      throw FileError(
        .unsupported, file: path,
        "a ready-made data set of OpenAL Soft, which does not hold what was measured; name the SOFA file"
      )
    }
    guard signature == [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A] else {
      throw FileError(
        .malformed, file: path, place: "byte 0", "not a SOFA file (no HDF5 signature)")
    }
  }
}
