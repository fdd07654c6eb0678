import Glibc

/// A data set of OpenAL for sources at one distance, or at all.
public struct DistanceDataSet: Equatable, Sendable {
  /// The name under which OpenAL lists it.
  public var name: String
  /// Metres from the head's centre at which it was measured or for which it was made; nil if it is for
  /// all.
  public var distance: Double?
  /// The name that the data sets of a file have in common.
  let base: String

  /// A data set for one distance, or for all.
  public init(name: String, distance: Double? = nil) {
    self.name = name
    self.distance = distance
    base = name
  }

  /// All distances of a file in one data set.
  init(allOf base: String) {
    name = base + "-all"
    self.base = base
  }

  /// One of several of a file: its name tells which, of how many, and the distance in millimetres.
  init(_ base: String, index: Int, count: Int, distance: Double) {
    let millimetres = Int((distance * 1000).rounded())
    self.base = base
    name = "\(base)-\(index + 1)of\(count)-\(millimetres)mm"
    self.distance = Double(millimetres) / 1000
  }

  /// Those of a name in a folder, the nearest first; none if one is missing.
  static func stored(_ base: String, in folder: String) -> [DistanceDataSet] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var found: [(index: Int, count: Int, dataSet: DistanceDataSet)] = []
    while let item = readdir(listing) {
      let file = withUnsafeBytes(of: item.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard file.hasPrefix(base + "-"), file.hasSuffix("mm.mhr") else { continue }
      let numbers = file.dropFirst(base.count + 1).dropLast(6).split { !$0.isNumber }.map {
        Int($0)
      }
      guard numbers.count == 3, let index = numbers[0], let count = numbers[1],
        let millimetres = numbers[2]
      else { continue }
      let dataSet = DistanceDataSet(
        base, index: index - 1, count: count, distance: Double(millimetres) / 1000)
      if dataSet.name + ".mhr" == file { found.append((index, count, dataSet)) }
    }
    found.sort { $0.index < $1.index }
    guard found.indices.allSatisfy({ found[$0].index == $0 + 1 && found[$0].count == found.count })
    else { return [] }
    return found.map(\.dataSet)
  }
}
