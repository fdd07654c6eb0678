import Glibc
import HRTF

/// What a listener has of a sound to place it by.
struct AuditoryCues: Sendable {
  /// The interaural time difference, left minus right, on a scale where equal steps are equally noticeable
  /// (J. Reijniers et al., Biol. Cybern. 108 (2014), equation 4).
  var time: Double
  /// Levels of the bands of both ears, dB.
  var left, right: [Double]

  init(time: Double, left: [Double], right: [Double]) {
    (self.time, self.left, self.right) = (time, left, right)
  }

  /// The cues of a sound.
  ///
  /// - Parameter offset: Seconds by which the left ear's sound is later than in the spectra.
  init(_ spectra: EarSpectra, bands: AuditoryBands, offset: Double = 0) {
    let delay = spectra.timeDifference + offset
    time = copysign(log1p(0.095 * abs(delay) / 32.5e-6) / 0.095, delay)
    left = bands.levels(spectra.left, sampleRate: spectra.sampleRate, size: spectra.size)
    right = bands.levels(spectra.right, sampleRate: spectra.sampleRate, size: spectra.size)
  }

  /// The bands that are heard: those less than 60 dB below the loudest.
  var audible: [Bool] {
    let levels = zip(left, right).map { ($0 + $1) / 2 }
    let loudest = levels.max() ?? 0
    return levels.map { $0 > loudest - 60 }
  }

  /// The cues as numbers whose noise has a standard deviation of 1: time, level difference, and of each ear the
  /// rises of level from band to band, in the bands that are heard.
  func features(_ audible: [Bool], _ noise: ListenerNoise) -> [Double] {
    var features = [time / noise.time, levelDifference(audible) / noise.level]
    for ear in [left, right] {
      for band in 1..<max(1, ear.count) where audible[band] && audible[band - 1] {
        // The inner hair cells' square root halves levels; falls of level count as none.
        features.append(max(0, 0.5 * (ear[band] - ear[band - 1])) / noise.spectrum)
      }
    }
    return features
  }

  /// The cues as numbers whose noise has a standard deviation of 1, colour included: time, level difference,
  /// and the levels themselves less their mean.
  func colours(_ noise: ListenerNoise) -> [Double] {
    let audible = audible
    let loudest = max(left.max() ?? 0, right.max() ?? 0)
    let heard = (left + right).map { max($0, loudest - 60) }
    let mean = heard.reduce(0, +) / Double(max(1, heard.count))
    return [time / noise.time, levelDifference(audible) / noise.level]
      + heard.map { 0.5 * ($0 - mean) / noise.spectrum }
  }

  private func levelDifference(_ audible: [Bool]) -> Double {
    var (sum, count) = (0.0, 0.0)
    for band in left.indices where audible[band] {
      sum += left[band] - right[band]
      count += 1
    }
    return count > 0 ? sum / count : 0
  }
}

/// How precisely a listener has the cues, and answers.
struct ListenerNoise: Sendable {
  /// Of the time difference, in just noticeable steps.
  var time = 0.569
  /// Of the level difference, dB.
  var level = 0.7
  /// Of the rise of level from band to band after compression, dB.
  var spectrum = 1.25
  /// How far from the horizontal plane sounds are expected, degrees.
  var elevationPrior = 11.5
  /// Of pointing, degrees.
  var pointing = 11.0
}
