import Files
import Geometry
import HRTF

/// What a SOFA file holds, for its user.
struct HRTFDescription {
  private let file: SOFAFile
  private let largestGap: Double
  private let isMirrored: Bool?
  private let headRadius: Double?

  init(_ file: SOFAFile) {
    self.file = file
    largestGap = file.responses.largestGap
    isMirrored = file.responses.isMirrored
    shells = file.responses.shells.map(\.distance)
    headRadius = file.responses.headRadius
  }

  private var responses: HRIRSet { file.responses }

  private func range(_ values: [Double]) -> ClosedRange<Double> {
    (values.min() ?? 0)...(values.max() ?? 0)
  }

  private var elevations: ClosedRange<Double> { range(responses.directions.map(\.elevation)) }
  private var distances: ClosedRange<Double> { range(responses.directions.map(\.distance)) }
  private let shells: [Double]
  private var delays: ClosedRange<Double> { range(responses.delays.map(Double.init)) }

  private var hasDelays: Bool { delays != 0...0 }

  private var mirroring: String {
    switch isMirrored {
    case true?: "yes: the ear away from the source leads"
    case false?: "no"
    case nil: "cannot be told"
    }
  }

  private var head: String {
    headRadius.map {
      "radius \(tenths(100 * $0)) cm, circumference \(tenths(200 * .pi * $0)) cm, by its interaural times"
    } ?? "cannot be told"
  }

  /// For people.
  var text: String {
    """
    \(file.path)
      title       \(responses.title)
      convention  \(file.attribute("SOFAConventions")) \(file.attribute("SOFAConventionsVersion"))
      database    \(file.attribute("DatabaseName")), listener \(file.attribute("ListenerShortName"))
      licence     \(file.attribute("License"))
      rate        \(Int(responses.sampleRate)) Hz
      directions  \(responses.directions.count)
      duplicates  \(file.duplicateCount)
      elevations  \(span(elevations)) degrees
      largest gap \(tenths(largestGap)) degrees from the nearest direction
      distances   \(shellText)
      responses   \(responses.length) samples
      delays      \(hasDelays ? "\(span(delays)) samples, in Data.Delay" : "none in Data.Delay")
      mirrored    \(mirroring)
      head        \(head)

    """
  }

  /// For programs: one JSON object.
  var json: String {
    """
    {"file": \(jsonText(file.path)), "title": \(jsonText(responses.title)), \
    "convention": \(jsonText(file.attribute("SOFAConventions"))), \
    "database": \(jsonText(file.attribute("DatabaseName"))), \
    "listener": \(jsonText(file.attribute("ListenerShortName"))), \
    "licence": \(jsonText(file.attribute("License"))), "rate": \(responses.sampleRate), \
    "directions": \(responses.directions.count), "duplicates": \(file.duplicateCount), \
    "largestGap": \(largestGap), "mirrored": \(isMirrored.map(String.init) ?? "null"), \
    "headRadius": \(headRadius.map { "\($0)" } ?? "null"), \
    "length": \(responses.length), \
    "elevation": [\(elevations.lowerBound), \(elevations.upperBound)], \
    "distance": [\(distances.lowerBound), \(distances.upperBound)], \
    "distances": [\(shells.map(\.description).joined(separator: ", "))], \
    "delay": [\(delays.lowerBound), \(delays.upperBound)], "delaysInFile": \(hasDelays)}

    """
  }

  private var shellText: String {
    guard shells.count > 1 else { return span(distances) + " m" }
    return shells.map { span($0...$0) }.joined(separator: ", ") + " m"
  }

  /// `1.4` or `0.5 to 3.25`, rounded to thousandths.
  private func span(_ range: ClosedRange<Double>) -> String {
    let (lowest, highest) = (thousandths(range.lowerBound), thousandths(range.upperBound))
    return lowest == highest ? lowest : "\(lowest) to \(highest)"
  }
}

/// A number rounded to thousandths, whole ones without a point.
func thousandths(_ value: Double) -> String {
  let rounded = (value * 1000).rounded() / 1000
  return Int(exactly: rounded).map(String.init) ?? rounded.description
}
