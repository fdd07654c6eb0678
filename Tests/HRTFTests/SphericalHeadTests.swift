import Geometry
import Glibc
import Testing

@testable import HRTF

@Suite struct SphericalHeadTests {
  /// The series of Duda and Martens with `scipy.special.spherical_jn` and `spherical_yn` (scipy 1.16):
  /// `20*log10(abs(rho/mu*sum((2*m+1)*eval_legendre(m,cos(t))*h(m,mu*rho)/dh(m,mu))))`, radius
  /// 0.0875 m, 343 m/s, 60 terms.
  @Test(arguments: [
    (100.0, 1.4, 0.0, 0.8565), (1000, 1.4, 0, 4.3237), (10_000, 1.4, 0, 6.5089),
    (1000, 1.4, 150, -1.5063), (8000, 1.4, 100, 0.3483), (500, 0.25, 10, 6.3287),
    (3000, 0.25, 90, -0.6143), (500, 0.15, 0, 11.0249), (2000, 0.15, 170, -6.7221),
  ])
  func pressure(frequency: Double, distance: Double, incidence: Double, decibels: Double) {
    let nepers = SphericalHead().logPressure(
      frequency: frequency, distance: distance, incidence: radians(degrees: incidence))
    #expect(abs(20 * log10(exp(nepers)) - decibels) < 1e-3)
  }

  /// Woodworth's formula for a source far away: from ear to ear a(sin θ + θ) at a lateral angle θ; and
  /// straight and tangent ways by Pythagoras at a near one.
  @Test(arguments: [
    (1e6, 90.0, 0.0), (1e6, 0, -0.0875), (1e6, 180, 0.1374447),
    (0.175, 0, -0.0875), (0.175, 60, -0.0234456),
    (0.175, 180, 0.1598140),
  ])
  func detour(distance: Double, incidence: Double, expected: Double) {
    let detour = SphericalHead().detour(
      distance: distance, incidence: radians(degrees: incidence))
    #expect(abs(detour - expected) < 1e-7)
  }

  /// From the left ear, 0.1 m left of the centre, a place 0.1 m ahead of the ear is straight ahead: it
  /// meets the sphere of 1 m where y is 0.1.
  @Test func parallax() {
    let seen = SphericalHead(radius: 0.1).seen(Vector3(0.1, 0.1, 0), fromEar: 0, atRadius: 1)
    #expect((seen - Vector3(0.99.squareRoot(), 0.1, 0)).length < 1e-12)
    let far = SphericalHead().seen(Vector3(0, 1e9, 0), fromEar: 1, atRadius: 1.4)
    #expect((far - Vector3(0, 1, 0)).length < 1e-9)
  }
}
