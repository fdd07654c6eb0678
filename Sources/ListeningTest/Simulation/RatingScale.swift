import Glibc

/// How the model listener rates a sound that differs from the reference.
///
/// The distance is in standard deviations of the cues' noise, a root mean square over all cues. That ratings fall
/// exponentially with it, to a half at 3, and scatter by 4 points, is an assumption; no published model stands
/// behind it.
enum RatingScale {
  /// A rating of 0 to 100.
  static func rating(of distance: Double, _ generator: inout SplitMix64) -> Int {
    let rating = 100 * exp(-distance * log(2) / 3) + 4 * generator.normal()
    return Int(max(0, min(100, rating)).rounded())
  }
}
