import Aurient
import HRTF
let a = CommandLine.arguments
func v(_ n: String) -> String { a[a.firstIndex(of: n)! + 1] }
do {
  let s = try SOFAFile(path: a[3])
  try scratchImpulse(
    a[3], Int(s.responses.sampleRate),
    SphericalDirection(
      azimuth: Double(v("--azimuth"))!, elevation: Double(v("--elevation"))!,
      distance: Double(v("--distance"))!), v("-o"))
} catch { print(error) }
