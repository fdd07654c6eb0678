import Files

/// What a SOFA file holds, as a reader found it: nothing checked yet.
struct SOFAContent {
  /// A variable: its dimensions' names, outermost first (empty where the reader does not tell), the
  /// coordinate system that its attribute Type names, and its values.
  struct Variable {
    var dimensions: [String]
    var type: String
    var values: [Float]
  }

  /// The file, as the user named it.
  var path: String
  /// Global attributes, in the file's order.
  var attributes: [(name: String, value: String)] = []
  /// Sizes of the dimensions M, R, E, N and others.
  var sizes: [String: Int] = [:]
  /// The variables that matter to a renderer.
  var variables: [String: Variable] = [:]

  init(path: String) { self.path = path }

  /// The value of a global attribute, or an empty text.
  func attribute(_ name: String) -> String {
    attributes.first { $0.name == name }?.value ?? ""
  }

  /// The size of a dimension, 0 where there is none.
  func size(_ dimension: String) -> Int { sizes[dimension] ?? 0 }

  /// A fault of the content.
  func fault(_ place: String, _ cause: String) -> FileError {
    FileError(.malformed, file: path, place: place, cause)
  }

  /// A variable's finite values, of one of the given counts.
  ///
  /// - Throws: `FileError` naming the variable if it is missing, of another size, or not finite.
  func values(_ name: String, counts: [Int]) throws(FileError) -> [Float] {
    guard let variable = variables[name] else { throw fault(name, "missing") }
    guard counts.contains(variable.values.count) else {
      throw fault(
        name,
        "\(variable.values.count) values where there should be "
          + counts.map(String.init).joined(separator: " or "))
    }
    guard let bad = variable.values.firstIndex(where: { !$0.isFinite }) else {
      return variable.values
    }
    throw fault(name, "value \(bad) is not finite")
  }
}
