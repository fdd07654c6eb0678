import Glibc

/// What a set gives the ears from one direction.
struct BinauralCues {
  /// Levels of the left and the right ear at the frequencies asked for, dB.
  var levels: [[Double]]
  /// Interaural time difference, left minus right, µs.
  var time: Double

  /// Interaural level difference over all those frequencies, left minus right, dB.
  var levelDifference: Double {
    let powers = levels.map { $0.reduce(0) { $0 + pow(10, $1 / 10) } }
    return 10 * log10(powers[0] / powers[1])
  }
}

/// Reads cues from the responses of a set; levels are read at given frequencies, so that sets of
/// different rates can be compared without resampling.
final class BinauralCueReader {
  private let fft: RealFFT
  private let comparison: BinauralComparison
  private let set: HRIRSet
  /// Bins, and parts of the way to the next.
  private let places: [(bin: Int, part: Double)]

  /// Prepares to read a set at evenly spaced frequencies, Hz.
  init(_ set: HRIRSet, frequencies: [Double], spacing: Double) {
    self.set = set
    let size = RealFFT.size(atLeast: max(2 * set.length, Int(set.sampleRate / spacing)))
    fft = RealFFT(size: size)
    comparison = BinauralComparison(sampleRate: set.sampleRate, length: set.length)
    places = frequencies.map { frequency in
      let place = frequency / set.sampleRate * Double(size)
      return (Int(place), place - place.rounded(.down))
    }
  }

  /// The cues of a direction.
  func cues(_ direction: Int) -> BinauralCues {
    let levels = (0...1).map { ear in
      let spectrum = fft.forward(set.response(direction, ear: ear))
      func level(_ bin: Int) -> Double {
        let (re, im) = (Double(spectrum.real[bin]), Double(spectrum.imaginary[bin]))
        return 10 * log10(re * re + im * im + 1e-14)
      }
      return places.map { (1 - $0.part) * level($0.bin) + $0.part * level($0.bin + 1) }
    }
    return BinauralCues(
      levels: levels,
      time: comparison.timeDifference(of: set, direction: direction) * 1e6 / set.sampleRate)
  }
}
