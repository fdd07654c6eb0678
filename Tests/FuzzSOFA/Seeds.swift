import Glibc

@testable import HRTF

/// A small file of each kind of data that is read, as a reader sends it.
private struct Seed {
  var name: String
  var convention: String
  var dataType: String
  /// Measurements, emitters and samples.
  var m = 3
  var e = 1
  var n = 8
  /// Data variables and their dimensions.
  var data: [(name: String, dimensions: String)]

  static let all = [
    Seed(
      name: "fir", convention: "SimpleFreeFieldHRIR", dataType: "FIR",
      data: [("Data.IR", "M,R,N"), ("Data.Delay", "I,R")]),
    Seed(
      name: "fir-e", convention: "GeneralFIR-E", dataType: "FIR-E", m: 2, e: 2,
      data: [("Data.IR", "M,R,N,E"), ("Data.Delay", "M,R,E")]),
    Seed(
      name: "tf", convention: "SimpleFreeFieldHRTF", dataType: "TF", n: 9,
      data: [("Data.Real", "M,R,N"), ("Data.Imag", "M,R,N")]),
    Seed(
      name: "sos", convention: "SimpleFreeFieldHRSOS", dataType: "SOS", n: 6,
      data: [("Data.SOS", "M,R,N"), ("Data.Delay", "M,R")]),
  ]

  func size(_ dimension: Substring) -> Int {
    ["M": m, "R": 2, "E": e, "N": n, "C": 3][dimension] ?? 1
  }

  func write(to output: ChildOutput) {
    output.send(attribute: "SOFAConventions", convention)
    output.send(attribute: "DataType", dataType)
    output.send(attribute: "RoomType", "free field")
    for (name, size) in [("M", m), ("R", 2), ("E", e), ("N", n)] {
      output.send(size: size, of: name)
    }
    send("ListenerPosition", "I,C", "cartesian", [0, 0, 0], output)
    send("ListenerView", "I,C", "cartesian", [1, 0, 0], output)
    send("ListenerUp", "I,C", "cartesian", [0, 0, 1], output)
    send(
      "SourcePosition", "M,C", "spherical",
      (0..<m).flatMap { [Float(90 * $0), 10, 1.5] }, output)
    send(
      "EmitterPosition", "E,C,I", "cartesian", (0..<e).flatMap { [0, Float($0), 0] }, output)
    send("Data.SamplingRate", "I", "", [48_000], output)
    send("N", "N", "", (0..<n).map { Float($0 * 3000) }, output)
    for (name, dimensions) in data {
      let count = dimensions.split(separator: ",").map(size).reduce(1, *)
      let isDelay = name == "Data.Delay"
      // Of filters b0 and a0 are 1.
      send(
        name, dimensions, "",
        (0..<count).map { isDelay ? Float($0 % 2) : ($0 % 3 == 0 ? 1 : 0) }, output)
    }
    output.write(SOFARecord.end.rawValue)
  }

  private func send(
    _ name: String, _ dimensions: String, _ type: String, _ values: [Float], _ output: ChildOutput
  ) {
    output.send(
      variable: name, dimensions: dimensions, type: type, values: values, count: values.count)
  }
}

/// Writes a file a seed into a folder.
func writeSeeds(to folder: String) {
  for seed in Seed.all {
    let descriptor = open("\(folder)/\(seed.name)", O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    guard descriptor >= 0 else {
      perror("\(folder)/\(seed.name)")
      exit(1)
    }
    seed.write(to: ChildOutput(descriptor: descriptor))
    close(descriptor)
  }
}
