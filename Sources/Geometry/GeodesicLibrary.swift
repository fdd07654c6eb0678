internal import CGeodesic
import Glibc

/// PROJ's geodesics, loaded at first use: the library brings some forty others along, which would take half of
/// every start of a program that is linked with it.
struct GeodesicLibrary: Sendable {
  typealias Initialize =
    @convention(c) (UnsafeMutablePointer<geod_geodesic>, Double, Double) -> Void
  typealias Result = UnsafeMutablePointer<Double>?
  typealias Inverse =
    @convention(c) (
      UnsafePointer<geod_geodesic>, Double, Double, Double, Double, Result, Result, Result
    ) -> Void
  typealias Direct =
    @convention(c) (
      UnsafePointer<geod_geodesic>, Double, Double, Double, Double, Result, Result, Result
    ) -> Void

  /// `geod_inverse` and `geod_direct` of geodesic.h.
  let inverse: Inverse
  let direct: Direct
  /// The World Geodetic System 1984.
  let wgs84: geod_geodesic

  /// The library; where it is not, the program ends, as the dynamic linker would end one that is linked with it. See
  /// `GeodeticCoordinate.isUsable`.
  static var shared: GeodesicLibrary {
    if let loaded { return loaded }
    let cause = "libproj.so.25 is not installed (libproj25)\n"
    _ = write(STDERR_FILENO, cause, cause.utf8.count)
    exit(1)
  }

  /// Nil where there is none.
  static let loaded = GeodesicLibrary()

  private init?() {
    // A program may bring it along under another name, as the Python package does: looked for first (RTLD_DEFAULT,
    // which is not imported).
    let library: UnsafeMutableRawPointer? =
      dlsym(nil, "geod_init") != nil
      ? nil : dlopen("libproj.so.25", RTLD_LAZY) ?? dlopen("libproj.so", RTLD_LAZY)
    guard let initialize = dlsym(library, "geod_init"),
      let inverse = dlsym(library, "geod_inverse"), let direct = dlsym(library, "geod_direct")
    else { return nil }
    self.inverse = unsafeBitCast(inverse, to: Inverse.self)
    self.direct = unsafeBitCast(direct, to: Direct.self)
    var ellipsoid = geod_geodesic()
    // Equatorial radius in metres, and flattening.
    unsafeBitCast(initialize, to: Initialize.self)(&ellipsoid, 6_378_137, 1 / 298.257223563)
    wgs84 = ellipsoid
  }
}
