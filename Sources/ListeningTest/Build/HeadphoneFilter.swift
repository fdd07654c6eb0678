import Files
import HRTF
import SpatialAudio

/// The filter by which stimuli are matched to headphones, one for each ear.
struct HeadphoneFilter: Sendable {
  /// Left and right, as long as each other.
  let taps: [[Float]]

  /// Taps of a filter at the most: a third of a second at 48 kHz.
  private static let longest = 16_384

  /// Reads a filter, or inverts what a file tells of headphones.
  ///
  /// - Throws: `FileError` if the file is neither a SimpleHeadphoneIR nor a sound of one or two channels,
  ///   is of another rate or too long.
  init(_ headphones: ListeningDesign.Headphones, sampleRate: Int) throws(FileError) {
    let path = headphones.file
    let rate: Double
    if path.hasSuffix(".sofa") {
      let responses = try HeadphoneResponses(path: path)
      rate = responses.sampleRate
      taps = (0...1).map {
        headphones.isInverted ? responses.inverse(ear: $0) : responses.first(ear: $0)
      }
    } else {
      let sound = try Sound.frames(path: path)
      let count = sound.channelCount
      guard count <= 2 else {
        throw FileError(
          .unsupported, file: path, "\(count) channels, where a filter has one or two")
      }
      rate = Double(sound.sampleRate)
      let channels = (0...1).map { ear in
        stride(from: min(ear, count - 1), to: sound.samples.count, by: count).map {
          sound.samples[$0]
        }
      }
      guard channels.allSatisfy({ $0.contains { $0 != 0 } }) else {
        throw FileError(.malformed, file: path, "all samples of a channel are 0")
      }
      taps =
        headphones.isInverted
        ? channels.map { HeadphoneResponses(sampleRate: rate, response: $0).inverse(ear: 0) }
        : channels
    }
    guard rate == Double(sampleRate) else {
      throw FileError(
        .unsupported, file: path,
        "is of \(short(rate)) Hz, where the stimuli are of \(sampleRate) Hz")
    }
    guard taps[0].count <= Self.longest else {
      throw FileError(
        .unsupported, file: path, "\(taps[0].count) samples are no filter for headphones")
    }
  }

  /// The responses of both ears through the headphones' filter.
  func applied(to responses: [[Float]]) -> [[Float]] {
    (0...1).map { ear in
      var result = [Float](repeating: 0, count: responses[ear].count + taps[ear].count - 1)
      for (index, sample) in responses[ear].enumerated() where sample != 0 {
        for (offset, tap) in taps[ear].enumerated() { result[index + offset] += sample * tap }
      }
      return result
    }
  }
}
