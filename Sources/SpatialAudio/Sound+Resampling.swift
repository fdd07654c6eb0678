internal import CSampleRate

extension Sound {
  /// The sound at another rate, by libsamplerate's best band-limited converter.
  ///
  /// A loop is converted as one that goes round: its end still runs into its beginning. The loop's
  /// length becomes whole samples, which moves its pitch by less than one part in its length.
  public func resampled(to rate: Int, looping: Bool) -> Sound {
    let length = Double(samples.count) * Double(rate) / Double(sampleRate)
    return resampled(to: rate, looping: looping, length: max(1, Int(length.rounded())))
  }

  /// The loop at another rate with so many samples, about as many as it would have anyway.
  public func resampled(to rate: Int, loopLength: Int) -> Sound {
    resampled(to: rate, looping: true, length: loopLength)
  }

  private func resampled(to rate: Int, looping: Bool, length: Int) -> Sound {
    guard rate != sampleRate, !samples.isEmpty else { return self }
    let ratio = looping ? Double(length) / Double(samples.count) : Double(rate) / Double(sampleRate)
    // Before and after a loop comes the loop; a one-off sound stands in silence.
    let margin = looping ? 4096 : 0
    let before = (margin / samples.count + 1) * samples.count - margin
    let input = (before..<before + samples.count + 2 * margin).map { samples[$0 % samples.count] }
    var output = [Float](repeating: 0, count: Int(Double(input.count) * ratio) + 16)
    let produced = input.withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target -> Int in
        var data = SRC_DATA()
        data.data_in = source.baseAddress
        data.data_out = target.baseAddress
        data.input_frames = source.count
        data.output_frames = target.count
        data.src_ratio = ratio
        let status = src_simple(&data, Int32(SRC_SINC_BEST_QUALITY), 1)
        precondition(status == 0, String(cString: src_strerror(status)))
        return data.output_frames_gen
      }
    }
    let start = Int(Double(margin) * ratio)
    var result = Sound(sampleRate: rate, samples: [])
    result.samples = (start..<start + length).map { $0 < produced ? output[$0] : 0 }
    return result
  }
}
