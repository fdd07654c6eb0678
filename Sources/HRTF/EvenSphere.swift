package import Geometry
import Glibc

/// Points that lie evenly on the sphere, as unit vectors: a Fibonacci lattice (R. Swinbank and
/// R. J. Purser, "Fibonacci grids", Q. J. R. Meteorol. Soc. 132 (2006)).
package func evenSphere(_ count: Int) -> [Vector3] {
  let golden = Double.pi * (3 - 5.0.squareRoot())
  return (0..<count).map { index in
    let z = 1 - (2 * Double(index) + 1) / Double(count)
    let radius = (1 - z * z).squareRoot()
    return Vector3(radius * cos(golden * Double(index)), radius * sin(golden * Double(index)), z)
  }
}
