package import Files
import FoundationEssentials

/// Reads a JSON file of at most 16 MiB, or another limit. A byte order mark before it is skipped.
///
/// - Parameters:
///   - title: What the file is meant to be, for messages: "a scene".
///   - limit: Bytes that are too many.
/// - Throws: `FileError` naming the line, or the key that is missing, unknown, there twice or of the wrong
///   kind.
package func decodeJSON<Content: Decodable>(
  path: String, as title: String, limit: Int = 1 << 24
) throws(FileError) -> Content {
  var bytes = try InputFile.bytes(path: path, limit: limit)
  if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
  guard !bytes.isEmpty else { throw FileError(.malformed, file: path, "the file is empty") }
  try JSONSyntax.check(bytes, file: path)
  do {
    return try JSONDecoder().decode(Content.self, from: Data(bytes))
  } catch let error as DecodingError {
    throw fault(error, path: path, title)
  } catch {
    throw FileError(.malformed, file: path, "not JSON")
  }
}

private func fault(_ error: DecodingError, path: String, _ title: String) -> FileError {
  let (context, cause): (DecodingError.Context, String) =
    switch error {
    case .typeMismatch(let type, let context): (context, "is not \(kind(type))")
    case .valueNotFound(let type, let context): (context, "is null instead of \(kind(type))")
    case .keyNotFound(let key, let context): (context, "there is no \(key.stringValue)")
    case .dataCorrupted(let context):
      (context, context.codingPath.isEmpty ? "not JSON" : context.debugDescription)
    @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "not \(title)")
    }
  let place = context.codingPath.map { key in
    key.intValue.map { "\($0 + 1)" } ?? key.stringValue
  }.filter { !$0.isEmpty }.joined(separator: " ")
  return FileError(.malformed, file: path, place: place.isEmpty ? nil : place, cause)
}

private func kind(_ type: any Any.Type) -> String {
  switch type {
  case is String.Type: "a text"
  case is Double.Type, is Int.Type: "a number"
  case is Bool.Type: "true or false"
  default: type is any BidirectionalCollection.Type ? "a list" : "an object"
  }
}

extension Decoder {
  /// Throws for a key that is not among those known: a misspelt one would else be left out without a
  /// word.
  package func refuseKeys<Key: CodingKey & CaseIterable & RawRepresentable>(
    besides known: Key.Type
  ) throws where Key.RawValue == String {
    let names = known.allCases.map(\.rawValue)
    let present = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
    guard let unknown = present.first(where: { !names.contains($0) }) else { return }
    throw corrupted("unknown key \"\(unknown)\"; there are \(names.joined(separator: ", "))")
  }

  /// A fault of the object that is read.
  package func corrupted(_ cause: String) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: codingPath + [AnyKey(stringValue: "")], debugDescription: cause))
  }
}

private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
