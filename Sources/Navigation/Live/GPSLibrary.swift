import CGPS
import Glibc

/// The client library of gpsd, loaded when gpsd is to be watched: it brings libdbus, libsystemd and
/// others along, which take 0.7 ms of the start of every program that is linked with it.
struct GPSLibrary: Sendable {
  typealias Unpack =
    @convention(c) (
      UnsafePointer<CChar>, UnsafeMutablePointer<gps_data_t>,
      UnsafeMutablePointer<UnsafePointer<CChar>?>
    ) -> Int32

  /// Reads one report of gpsd's; 0 if it could. It is what `gps_unpack` of libgps(3) calls for each report
  /// of its text: that one never ends for some damaged ones, and does not tell of a fault.
  let unpack: Unpack

  /// - Throws: `LocationSourceError` if the library of the version that this was built for is not
  ///   installed: its structures change from version to version.
  init() throws(LocationSourceError) {
    guard let library = dlopen("libgps.so.28", RTLD_LAZY) else {
      throw LocationSourceError("gpsd", "needs libgps.so.28, which is not installed (libgps28)")
    }
    guard let function = dlsym(library, "libgps_json_unpack") else {
      throw LocationSourceError("libgps.so.28", "has no libgps_json_unpack")
    }
    unpack = unsafeBitCast(function, to: Unpack.self)
  }
}
