import CCurl
import Files
import Glibc

/// Posts JSON to one URL over HTTP, over one connection as long as the server keeps it.
///
/// Certificates are verified, redirections are not followed, and nothing but HTTP and HTTPS is spoken.
final class HTTPPoster {
  /// What became of a request.
  enum Outcome: Equatable {
    /// A whole answer with a status of 200 to 299 has come.
    case acknowledged
    /// It may go better another time, not before so many seconds if the server says so.
    case failed(String, retryAfter: Double?)
    /// It won't.
    case refused(String)
  }

  /// Bytes of an answer that are read at most; longer ones are broken off.
  private static let longestAnswer = 1 << 20
  /// Bytes of an error's answer that are shown.
  private static let shownAnswer = 200

  private final class Answer {
    var bytes: [UInt8] = []
    var count = 0
  }

  private let library: CurlLibrary
  private let handle: CurlLibrary.Handle
  private let headers: CurlLibrary.List?
  private let answer = Answer()
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: 256)

  /// - Parameters:
  ///   - timeout: seconds in which a request must be done.
  ///   - caFile: a PEM file of the authorities that are trusted instead of the system's.
  init(url: HostURL, timeout: Double, caFile: String?) throws(MotionSyncError) {
    guard let library = CurlLibrary.shared, let handle = library.make() else {
      throw MotionSyncError(
        url.insertion, "libcurl is needed: install the package \(CurlLibrary.package)")
    }
    self.library = library
    self.handle = handle
    // "Expect: 100-continue" would wait a second for servers that don't know it.
    var headers = library.append(nil, "Content-Type: application/json")
    headers = library.append(headers, "Accept: application/json")
    headers = library.append(headers, "Expect:")
    self.headers = headers
    errorText.initialize(repeating: 0, count: 256)
    set(.noSignal, 1)
    set(.protocols, 3)  // CURLPROTO_HTTP | CURLPROTO_HTTPS
    set(.verifyPeer, 1)
    set(.verifyHost, 2)
    set(.timeout, Int(timeout * 1000))
    set(.connectTimeout, Int(min(timeout, 10) * 1000))
    set(.url, url.insertion)
    set(.userAgent, "aurient")
    if url.isLoopback { set(.noProxy, "*") }
    if let caFile { set(.caFile, caFile) }
    set(.post, 1)
    set(.httpHeader, UnsafeRawPointer(headers))
    set(.errorBuffer, UnsafeRawPointer(errorText))
    set(.writeData, UnsafeRawPointer(Unmanaged.passUnretained(answer).toOpaque()))
    _ = aurient_curl_set_writer(library.set, handle, CurlOption.writeFunction.rawValue) {
      data, size, count, user in
      guard let user, let data else { return 0 }
      let answer = Unmanaged<Answer>.fromOpaque(user).takeUnretainedValue()
      let room = HTTPPoster.shownAnswer - answer.bytes.count
      let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
      answer.bytes += bytes.prefix(max(0, room))
      answer.count += bytes.count
      return answer.count <= HTTPPoster.longestAnswer ? size * count : 0
    }
  }

  deinit {
    library.cleanUp(handle)
    library.freeList(headers)
    errorText.deallocate()
  }

  private func set(_ option: CurlOption, _ value: Int) {
    _ = aurient_curl_set_long(library.set, handle, option.rawValue, value)
  }

  /// libcurl copies strings.
  private func set(_ option: CurlOption, _ value: String) {
    _ = value.withCString { aurient_curl_set_pointer(library.set, handle, option.rawValue, $0) }
  }

  private func set(_ option: CurlOption, _ value: UnsafeRawPointer?) {
    _ = aurient_curl_set_pointer(library.set, handle, option.rawValue, value)
  }

  /// Sends a body and waits for the answer.
  func post(_ body: [UInt8]) -> Outcome {
    answer.bytes = []
    answer.count = 0
    errorText[0] = 0
    let result = body.withUnsafeBytes { bytes in
      set(.postFields, bytes.baseAddress)
      _ = aurient_curl_set_offset(
        library.set, handle, CurlOption.postFieldSize.rawValue, Int64(bytes.count))
      return library.perform(handle)
    }
    guard result == CurlResult.success else {
      var cause = String(cString: errorText)
      if cause.isEmpty, let text = library.errorText(result) { cause = String(cString: text) }
      return CurlResult.lasting.contains(result)
        ? .refused(cause) : .failed(cause, retryAfter: nil)
    }
    let status = aurient_curl_get_long(library.get, handle, CurlInfo.responseCode)
    if 200..<300 ~= status { return .acknowledged }
    let text = String(decoding: answer.bytes, as: UTF8.self).onOneLine
    let cause = "the server answers \(status)" + (text.isEmpty ? "" : ": \(text)")
    guard status == 408 || status == 425 || status == 429 || status >= 500 else {
      return .refused(cause)
    }
    let seconds = aurient_curl_get_offset(library.get, handle, CurlInfo.retryAfter)
    return .failed(cause, retryAfter: seconds > 0 ? Double(seconds) : nil)
  }
}
