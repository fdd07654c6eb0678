import CCurl
import Glibc

/// libcurl, loaded when something is sent: it brings some thirty other libraries along.
struct CurlLibrary: @unchecked Sendable {
  /// The Debian package that has it.
  static let package = "libcurl4"

  /// The library, or nil if it is not installed. It is loaded once, since its own start (`curl_global_init`)
  /// must not happen on two threads at a time.
  static let shared = CurlLibrary()

  typealias Handle = UnsafeMutableRawPointer
  typealias List = UnsafeMutableRawPointer

  let make: @convention(c) () -> Handle?
  let perform: @convention(c) (Handle) -> Int32
  let cleanUp: @convention(c) (Handle) -> Void
  let append: @convention(c) (List?, UnsafePointer<CChar>) -> List?
  let freeList: @convention(c) (List?) -> Void
  let errorText: @convention(c) (Int32) -> UnsafePointer<CChar>?
  let set: aurient_curl_set
  let get: aurient_curl_get

  private init?() {
    guard
      let library = dlopen("libcurl.so.4", RTLD_LAZY) ?? dlopen("libcurl-gnutls.so.4", RTLD_LAZY)
    else { return nil }
    func resolve<Function>(_ name: String) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
    }
    typealias Start = @convention(c) (Int) -> Int32
    typealias Make = @convention(c) () -> Handle?
    typealias Perform = @convention(c) (Handle) -> Int32
    typealias CleanUp = @convention(c) (Handle) -> Void
    typealias Append = @convention(c) (List?, UnsafePointer<CChar>) -> List?
    typealias FreeList = @convention(c) (List?) -> Void
    typealias ErrorText = @convention(c) (Int32) -> UnsafePointer<CChar>?
    guard
      let start: Start = resolve("curl_global_init"),
      let make: Make = resolve("curl_easy_init"),
      let perform: Perform = resolve("curl_easy_perform"),
      let cleanUp: CleanUp = resolve("curl_easy_cleanup"),
      let append: Append = resolve("curl_slist_append"),
      let freeList: FreeList = resolve("curl_slist_free_all"),
      let errorText: ErrorText = resolve("curl_easy_strerror"),
      let set: aurient_curl_set = resolve("curl_easy_setopt"),
      let get: aurient_curl_get = resolve("curl_easy_getinfo"),
      start(3) == 0  // CURL_GLOBAL_ALL
    else { return nil }
    self.make = make
    self.perform = perform
    self.cleanUp = cleanUp
    self.append = append
    self.freeList = freeList
    self.errorText = errorText
    self.set = set
    self.get = get
  }
}

/// Options of `curl_easy_setopt`, by their numbers in curl.h.
enum CurlOption: Int32 {
  case writeData = 10001
  case url = 10002
  case errorBuffer = 10010
  case writeFunction = 20011
  case postFields = 10015
  case userAgent = 10018
  case httpHeader = 10023
  case post = 47
  case verifyPeer = 64
  case caFile = 10065
  case verifyHost = 81
  case noSignal = 99
  case postFieldSize = 30120
  case timeout = 155
  case connectTimeout = 156
  case noProxy = 10177
  case protocols = 181
}

/// Results of `curl_easy_perform`, by their numbers in curl.h.
enum CurlResult {
  static let success: Int32 = 0
  /// What another try would not mend: an unsupported protocol, a malformed URL, a certificate that
  /// isn't trusted or can't be read.
  static let lasting: Set<Int32> = [1, 3, 58, 60, 77, 83, 90, 91]
}

/// What `curl_easy_getinfo` tells, by its numbers in curl.h.
enum CurlInfo {
  static let responseCode: Int32 = 0x200002
  static let retryAfter: Int32 = 0x600039
}
