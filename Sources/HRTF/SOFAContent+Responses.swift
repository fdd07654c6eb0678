import Files
import Geometry
import Glibc

extension SOFAContent {
  /// The responses, checked, and how many were left out as duplicates.
  func responses() throws(FileError) -> (set: HRIRSet, duplicateCount: Int) {
    try checkConvention()
    let (count, emitters) = (size("M"), max(1, emitterCount))
    guard size("R") == 2 else {
      throw fault("R", "\(size("R")) receivers where two ears are needed")
    }
    guard count > 0 else { throw fault("M", "no directions") }
    guard count <= 1 << 20, emitters <= 1 << 16 else { throw fault("M", "too many directions") }
    var set: HRIRSet
    switch attribute("DataType") {
    case "TF", "TF-E", "TFE": set = try transformed(rows: count * emitters)
    case "SOS": set = try filtered(rows: count * emitters)
    default: set = try measured(rows: count * emitters)
    }
    set.title = attribute("Title")
    guard set.samples.contains(where: { $0 != 0 }) else {
      throw fault("Data.IR", "all samples are 0")
    }
    // Full scale is about 1; the squares of numbers far beyond have no room in a float.
    guard set.samples.allSatisfy({ abs($0) < 1e6 }) else {
      throw fault("Data.IR", "samples of over 1000000")
    }
    set.directions = try directions(count: count, emitters: emitters)
    set.delays = try delays(count: count, emitters: emitters)
    let duplicateCount = set.removeDuplicates()
    return (set, duplicateCount)
  }

  private func checkConvention() throws(FileError) {
    let convention = attribute("SOFAConventions")
    func refusal(_ cause: String) -> FileError {
      FileError(.unsupported, file: path, place: "SOFAConventions", cause)
    }
    switch convention {
    case "SimpleFreeFieldHRIR", "SimpleFreeFieldHRTF", "SimpleFreeFieldHRSOS", "GeneralFIR",
      "GeneralFIR-E", "GeneralFIRE", "GeneralTF", "GeneralTF-E":
      return
    case "MultiSpeakerBRIR", "SingleRoomDRIR", "SingleRoomSRIR", "SingleRoomMIMOSRIR":
      guard size("N") <= 512, attribute("RoomType").hasPrefix("free field") else {
        throw refusal(
          "\"\(convention)\": a room's response of \(size("N")) samples (RoomType "
            + "\"\(attribute("RoomType"))\") does not fit into 128 taps")
      }
    case "": throw refusal("missing; not a SOFA file?")
    default:
      throw refusal(
        "\"\(convention)\" cannot be rendered; head-related responses of a free field can")
    }
  }

  /// The number of emitters that have responses of their own, 0 where the data has no such dimension.
  private var emitterCount: Int {
    let data = variables["Data.IR"] ?? variables["Data.Real"]
    return data?.dimensions.contains("E") == true ? size("E") : 0
  }

  /// A variable's values in the order measurement, emitter, receiver, sample, whatever their own is.
  private func ordered(_ name: String, rows: Int, length: Int) throws(FileError) -> [Float] {
    let values = try values(name, counts: [rows * 2 * length])
    let dimensions = variables[name]?.dimensions ?? []
    guard dimensions.contains("E") else { return values }
    var strides: [String: Int] = [:]
    var stride = 1
    for dimension in dimensions.reversed() {
      strides[dimension] = stride
      stride *= size(dimension)
    }
    guard dimensions.count == 4, let m = strides["M"], let e = strides["E"], let r = strides["R"],
      let n = strides["N"]
    else { throw fault(name, "has the dimensions \(dimensions.joined(separator: ", "))") }
    var result: [Float] = []
    result.reserveCapacity(values.count)
    for row in 0..<rows {
      let (measurement, emitter) = row.quotientAndRemainder(dividingBy: size("E"))
      for receiver in 0..<2 {
        let start = measurement * m + emitter * e + receiver * r
        for sample in 0..<length { result.append(values[start + sample * n]) }
      }
    }
    return result
  }

  private func set(sampleRate: Double, length: Int, samples: [Float]) -> HRIRSet {
    HRIRSet(
      title: "", sampleRate: sampleRate, directions: [], length: length, samples: samples,
      delays: [])
  }

  private func sampleRate() throws(FileError) -> Double {
    // One for all, or the same for each measurement.
    let rates = try values("Data.SamplingRate", counts: [1, size("M")])
    guard rates[0] >= 1000, rates[0] <= 1_000_000, rates.allSatisfy({ $0 == rates[0] }) else {
      throw fault("Data.SamplingRate", "\(rates[0]) Hz is not a sampling rate of all responses")
    }
    return Double(rates[0])
  }

  private func length() throws(FileError) -> Int {
    guard (1...1 << 20).contains(size("N")) else {
      throw fault("N", "\(size("N")) samples a response")
    }
    return size("N")
  }

  /// Responses as they stand, without directions.
  func measured(rows: Int) throws(FileError) -> HRIRSet {
    let length = try length()
    return set(
      sampleRate: try sampleRate(), length: length,
      samples: try ordered("Data.IR", rows: rows, length: length))
  }

  /// Responses of transfer functions: their inverse Fourier transforms.
  private func transformed(rows: Int) throws(FileError) -> HRIRSet {
    let bins = try length()
    let grid = try FrequencyGrid(try values("N", counts: [bins]), of: self)
    let real = try ordered("Data.Real", rows: rows, length: bins)
    let imaginary = try ordered("Data.Imag", rows: rows, length: bins)
    let fft = RealFFT(size: grid.length)
    var samples: [Float] = []
    samples.reserveCapacity(rows * 2 * grid.length)
    for response in 0..<rows * 2 {
      let range = response * bins..<(response + 1) * bins
      samples += fft.inverse(
        grid.spectrum(real: Array(real[range]), imaginary: Array(imaginary[range])))
    }
    return set(
      sampleRate: grid.sampleRate, length: grid.length, samples: grid.startingInTime(samples))
  }

  /// Responses of filters in second-order sections: b0, b1, b2, a0, a1, a2 of each.
  private func filtered(rows: Int) throws(FileError) -> HRIRSet {
    let width = try length()
    guard width % 6 == 0 else { throw fault("N", "\(width) coefficients are no sections of six") }
    let coefficients = try ordered("Data.SOS", rows: rows, length: width)
    let length = 512
    var samples: [Float] = []
    samples.reserveCapacity(rows * 2 * length)
    for response in 0..<rows * 2 {
      var signal = [Double](repeating: 0, count: length)
      signal[0] = 1
      for section in stride(from: response * width, to: (response + 1) * width, by: 6) {
        let c = coefficients[section..<section + 6].map(Double.init)
        var (first, second) = (0.0, 0.0)
        for index in signal.indices {
          let input = signal[index]
          let output = (c[0] * input + first) / c[3]
          first = c[1] * input - c[4] * output + second
          second = c[2] * input - c[5] * output
          signal[index] = output
        }
      }
      guard signal.allSatisfy({ abs($0) < 1e6 }) else {
        throw fault("Data.SOS, filter \(response)", "is not stable")
      }
      samples += signal.map(Float.init)
    }
    return set(sampleRate: try sampleRate(), length: length, samples: samples)
  }

  /// Delays of each direction and ear, from a row for all or one for each measurement.
  private func delays(count: Int, emitters: Int) throws(FileError) -> [Float] {
    let rows = count * emitters
    guard variables["Data.Delay"] != nil else { return [Float](repeating: 0, count: rows * 2) }
    let sizes = [2, count * 2, emitters * 2, rows * 2]
    let given = try values("Data.Delay", counts: sizes)
    guard given.allSatisfy({ abs($0) < 1e5 }) else {
      throw fault("Data.Delay", "over 100000 samples")
    }
    let dimensions = variables["Data.Delay"]?.dimensions ?? []
    let perEmitter = dimensions.contains("E") ? emitters : 1
    let perRow = 2 * perEmitter
    let isCommon = given.count == perRow
    guard isCommon || given.count == count * perRow else {
      throw fault("Data.Delay", "\(given.count) values for \(rows) directions")
    }
    // The standard has receivers before emitters.
    let emitterFirst = (dimensions.firstIndex(of: "E") ?? 9) < (dimensions.firstIndex(of: "R") ?? 0)
    return (0..<rows * 2).map { index in
      let (row, ear) = index.quotientAndRemainder(dividingBy: 2)
      let (measurement, emitter) = row.quotientAndRemainder(dividingBy: emitters)
      let e = perEmitter == 1 ? 0 : emitter
      return given[
        (isCommon ? 0 : measurement * perRow) + (emitterFirst ? e * 2 + ear : ear * perEmitter + e)]
    }
  }
}
