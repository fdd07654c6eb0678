internal import CSofa
import Glibc

/// Reads SOFA files by libmysofa: quick, and small enough to be linked, but for responses (FIR) in
/// doubles alone.
enum LibmysofaReader {
  /// The conventions whose variables it reads whole and in the standard's order.
  static let conventions: Set = ["SimpleFreeFieldHRIR", "GeneralFIR", "SimpleHeadphoneIR"]

  /// Reads a file and sends what it holds.
  ///
  /// - Returns: libmysofa's code, 0 if it reads the file.
  static func read(_ path: UnsafePointer<CChar>, to output: ChildOutput) -> Int {
    var status: Int32 = 0
    guard let file = mysofa_load(path, &status) else {
      return status == 0 ? Int(MYSOFA_READ_ERROR) : Int(status)
    }
    var attribute = file.pointee.attributes
    while let item = attribute?.pointee {
      if let name = item.name, let value = item.value {
        output.send(attribute: name, value)
      }
      attribute = item.next
    }
    // It can give an object and a fault at once.
    guard status == 0 else { return Int(status) }
    output.send(size: Int(file.pointee.M), of: "M")
    output.send(size: Int(file.pointee.R), of: "R")
    output.send(size: Int(file.pointee.E), of: "E")
    output.send(size: Int(file.pointee.N), of: "N")
    send(file.pointee.ListenerPosition, "ListenerPosition", to: output)
    send(file.pointee.ListenerView, "ListenerView", to: output)
    send(file.pointee.ListenerUp, "ListenerUp", to: output)
    send(file.pointee.SourcePosition, "SourcePosition", to: output)
    send(file.pointee.EmitterPosition, "EmitterPosition", to: output)
    send(file.pointee.DataIR, "Data.IR", to: output)
    send(file.pointee.DataDelay, "Data.Delay", to: output)
    send(file.pointee.DataSamplingRate, "Data.SamplingRate", to: output)
    return 0
  }

  private static func send(
    _ array: MYSOFA_ARRAY, _ name: UnsafePointer<CChar>, to output: ChildOutput
  ) {
    guard let values = array.values, array.elements > 0 else { return }
    var type: UnsafePointer<CChar>?
    var attribute = array.attributes
    while let item = attribute?.pointee {
      if let key = item.name, strcmp(key, "Type") == 0 { type = UnsafePointer(item.value) }
      attribute = item.next
    }
    let nothing = name + strlen(name)
    output.send(
      variable: name, dimensions: nothing, type: type ?? nothing, values: values,
      count: Int(array.elements))
  }

  /// What a code means, for people.
  static func explanation(_ status: Int) -> String {
    switch status {
    case MYSOFA_INVALID_FORMAT, MYSOFA_UNSUPPORTED_FORMAT:
      "damaged, truncated or of an HDF5 form that is not read"
    case MYSOFA_NO_MEMORY: "needs more memory than there is"
    case MYSOFA_READ_ERROR: "truncated"
    case MYSOFA_INVALID_ATTRIBUTES, MYSOFA_INVALID_DIMENSIONS, MYSOFA_INVALID_DIMENSION_LIST:
      "damaged: its dimensions contradict each other"
    default: "damaged; libmysofa refuses it with code \(status)"
    }
  }
}
