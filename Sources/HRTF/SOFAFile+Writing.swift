public import Files

extension SOFAFile {
  /// Writes a set as a SOFA file of the convention SimpleFreeFieldHRIR 1.0 (AES69-2022, annex D).
  ///
  /// - Parameters:
  ///   - attributes: Global attributes besides those that the convention fixes; Title, DatabaseName,
  ///     ListenerShortName, License, Organization, AuthorContact and dates are empty if not given.
  ///   - path: The file to write.
  /// - Throws: `FileError` if it cannot be written, or netCDF is not installed.
  public static func write(
    _ set: HRIRSet, attributes: [(name: String, value: String)], to path: String
  ) throws(FileError) {
    NetCDFLibrary.use.lock()
    defer { NetCDFLibrary.use.unlock() }
    try writeAlone(set, attributes: attributes, to: path)
  }

  private static func writeAlone(
    _ set: HRIRSet, attributes: [(name: String, value: String)], to path: String
  ) throws(FileError) {
    let writer = try NetCDFWriter(path: path)
    let fixed = [
      ("Conventions", "SOFA"), ("Version", "1.0"),
      ("SOFAConventions", "SimpleFreeFieldHRIR"), ("SOFAConventionsVersion", "1.0"),
      ("DataType", "FIR"), ("RoomType", "free field"), ("APIName", "Aurient"),
      ("APIVersion", "1"), ("ApplicationName", "Aurient"), ("ApplicationVersion", "1"),
    ]
    let free = [
      "Title", "DatabaseName", "ListenerShortName", "License", "Organization", "AuthorContact",
      "DateCreated", "DateModified", "Comment", "History", "References", "Origin",
    ]
    for (name, value) in fixed { try writer.attribute(name, value) }
    for name in free {
      try writer.attribute(name, attributes.first { $0.name == name }?.value ?? "")
    }
    let sizes = [
      ("M", set.directions.count), ("R", 2), ("E", 1), ("N", set.length), ("C", 3), ("I", 1),
    ]
    for (name, size) in sizes { try writer.dimension(name, size) }
    let cartesian = [("Type", "cartesian"), ("Units", "metre")]
    try writer.variable("ListenerPosition", ["I", "C"], [0, 0, 0], attributes: cartesian)
    try writer.variable("ListenerView", ["I", "C"], [1, 0, 0], attributes: cartesian)
    try writer.variable("ListenerUp", ["I", "C"], [0, 0, 1])
    // The left ear first; the head's width is not known.
    try writer.variable(
      "ReceiverPosition", ["R", "C", "I"], [0, 0.09, 0, 0, -0.09, 0], attributes: cartesian)
    try writer.variable("EmitterPosition", ["E", "C", "I"], [0, 0, 0], attributes: cartesian)
    try writer.variable(
      "SourcePosition", ["M", "C"],
      set.directions.flatMap { [$0.azimuth, $0.elevation, $0.distance] },
      attributes: [("Type", "spherical"), ("Units", "degree, degree, metre")])
    try writer.variable("Data.IR", ["M", "R", "N"], floats: set.samples)
    try writer.variable(
      "Data.SamplingRate", ["I"], [set.sampleRate], attributes: [("Units", "hertz")])
    try writer.variable("Data.Delay", ["M", "R"], floats: set.delays)
    try writer.commit()
  }
}
