import Files

/// The address of a host that takes records.
struct HostURL: Equatable {
  /// The address that the user gave, with its scheme and without a slash at its end.
  let base: String
  /// Whether what is sent is encrypted.
  let isEncrypted: Bool
  /// Whether the host is this machine.
  let isLoopback: Bool

  /// Where records go.
  var insertion: String { base + "/airpods_motion/insert" }

  /// The address in a text, of https unless it says http.
  ///
  /// - Throws: `MotionSyncError` if it is none, or has a password, which would be shown and stored.
  init(_ text: String) throws(MotionSyncError) {
    let scheme = text.hasPrefix("http://") ? "http://" : "https://"
    var rest = text.hasPrefix(scheme) ? text.dropFirst(scheme.count) : text[...]
    while rest.hasSuffix("/") { rest = rest.dropLast() }
    let authority = rest.prefix { $0 != "/" }
    guard !authority.isEmpty, rest.utf8.allSatisfy({ $0 > 32 && $0 < 127 }),
      !rest.contains("://"), !rest.contains(where: { "?#\\\"<>".contains($0) })
    else {
      throw MotionSyncError("\"\(text)\"", "is no address of a host, as in https://example.org")
    }
    guard !authority.contains("@") else {
      throw MotionSyncError("the host's address", "must not contain a user or a password")
    }
    base = scheme + rest
    isEncrypted = scheme == "https://"
    isLoopback = Self.isLoopback(authority)
  }

  private static func isLoopback(_ authority: Substring) -> Bool {
    if authority.hasPrefix("[") { return authority.hasPrefix("[::1]") }
    let host = authority.prefix { $0 != ":" }
    if host == "localhost" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

/// Why records could not be sent, as the one line that a user sees.
public struct MotionSyncError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where and why.
  public let description: String

  init(_ place: String, _ cause: String) { description = "\(place): \(cause)".onOneLine }
}
