public import HRTF
import SpatialAudio

/// How faithfully the whole engine plays a SOFA file, direction by direction.
public struct HRTFVerification: Sendable {
  /// A direction and what is different there.
  public struct Row: Sendable {
    /// Where.
    public var direction: SphericalDirection
    /// Rendered against measured.
    public var difference: BinauralDifference
    /// Log-spectral distortion of the left and the right ear, the set's gain taken out, dB.
    public var spectralDistortion: [Double]
  }

  /// The file.
  public var path: String
  /// Whether left and right of the set are exchanged, as far as can be told.
  public var isMirrored: Bool
  /// All directions, in the file's order.
  public var rows: [Row]
  /// The gain that all directions have in common, dB.
  public var gain: Double

  /// Renders a click from every direction of a file and compares it with the file.
  ///
  /// - Parameters:
  ///   - request: A name of the catalogue or a SOFA file, see `HRTFCatalogue.measurement`.
  ///   - fitting: What is changed of the responses; what is rendered is compared with the responses so
  ///     changed.
  ///   - progress: Called with the fraction that is done.
  /// - Throws: `FileError` or `EngineError` if the file cannot be read or rendered; and what `progress` throws.
  public init(
    _ request: String, catalogue: HRTFCatalogue = HRTFCatalogue(),
    fitting: HRTFFitting = HRTFFitting(), progress: (Double) throws -> Void
  ) throws {
    let file = try catalogue.measurement(request)
    let set = try file.responses.fitted(fitting, path: file.path)
    isMirrored = set.isMirrored == true
    let selection = try catalogue.select(file.path, sampleRate: nil, fitting: fitting)
    let sampleRate = selection.sampleRate ?? Int(set.sampleRate)
    let mix = try LoopbackMix(
      sampleRate: sampleRate, dataSets: selection.dataSets, sourceCount: 1)
    let comparison = BinauralComparison(sampleRate: set.sampleRate, length: set.length)
    var differences: [BinauralDifference] = []
    for index in set.directions.indices {
      let response = try mix.impulseResponse(set.directions[index])
      differences.append(
        comparison.difference(
          of: (response.ear(0), response.ear(1)), from: set, direction: index))
      try progress(Double(index + 1) / Double(set.directions.count))
    }
    let gain = mean(differences.flatMap(\.meanLevel))
    path = file.path
    self.gain = gain
    rows = zip(set.directions, differences).map { direction, difference in
      Row(
        direction: direction, difference: difference,
        spectralDistortion: (0...1).map { difference.spectralDistortion(ear: $0, gain: gain) })
    }
  }
}

extension HRTFVerification {
  /// Log-spectral distortion of all ears, dB.
  public var spectralDistortion: ErrorSummary { ErrorSummary(rows.flatMap(\.spectralDistortion)) }

  /// Magnitude of the error in interaural time, µs; of directions within 75° of the median plane,
  /// since beyond it the measurement's own correlation has no single maximum.
  public var timeError: ErrorSummary {
    ErrorSummary(rows.filter { $0.isTimeClear }.map { abs($0.timeError) })
  }

  /// Magnitude of the error in interaural level, dB.
  public var levelError: ErrorSummary { ErrorSummary(rows.map { abs($0.levelError) }) }
}

extension HRTFVerification.Row {
  /// Rendered minus measured interaural time difference, µs.
  public var timeError: Double { difference.renderedITD - difference.measuredITD }

  /// Rendered minus measured interaural level difference, dB.
  public var levelError: Double { difference.renderedILD - difference.measuredILD }

  /// Whether the direction is within 75° of the median plane.
  public var isTimeClear: Bool { abs(direction.unitVector.y) <= 0.9659 }
}

private func mean(_ values: [Double]) -> Double {
  values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
}
