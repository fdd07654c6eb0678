public import Files
import Geometry
import Glibc
import Navigation

/// Draws a scene for people: a map of the walk with where the head pointed, and over time the
/// bearing of each beacon in the world and relative to the head.
///
/// A beacon that stays put in the world has a smooth bearing while its relative bearing mirrors every
/// turn of the head. Drawn by gnuplot as SVG.
public struct ScenePlot {
  /// A moment of the scene.
  private struct Sample {
    var time: Double
    var place: GeodeticCoordinate
    var heading: PresentationHeading?
    var geometry: [BeaconGeometry]
  }

  private let drawing: Drawing
  private let beacons: [Beacon]
  /// The beacons' names as gnuplot takes them.
  private let names: [String]
  private let start: Timestamp
  private var samples: [Sample] = []

  /// Seconds between the moments that are drawn.
  private let interval: Double
  /// Seconds between the arrows on the map.
  private static let arrowInterval = 5.0

  /// A plot of a renderer's scene.
  ///
  /// - Throws: `FileError` if the file cannot be made or gnuplot is not installed.
  public init(path: String, of renderer: OfflineRenderer) throws(FileError) {
    drawing = try Drawing(path: path)
    let scene = renderer.scene
    beacons = scene.beacons.map(\.beacon)
    names = beacons.indices.map { Gnuplot.quoted(scene.name($0)) }
    start = renderer.start
    // A drawing of a long walk has no room for more.
    interval = max(0.1, renderer.end.seconds(since: renderer.start) / 4000)
  }

  /// Takes in the scene's present moment.
  public mutating func append(_ scene: BeaconScene) {
    let time = scene.time.seconds(since: start)
    guard samples.last.map({ time >= $0.time + interval }) ?? true,
      let place = scene.user.location
    else { return }
    samples.append(
      Sample(
        time: time, place: place, heading: scene.heading,
        geometry: scene.beacons.map(\.geometry)))
  }

  /// Draws it, so that `commit` has only to move the file.
  ///
  /// - Throws: `FileError` if gnuplot fails, or the file cannot be written.
  public func finish() throws(FileError) { try drawing.draw(script) }

  /// Moves the file to its place.
  ///
  /// - Throws: `FileError` if it cannot be moved.
  public func commit() throws(FileError) { try drawing.commit() }

  private var script: String {
    let origin = samples.first?.place ?? GeodeticCoordinate(latitude: 0, longitude: 0)
    return """
      set terminal svg noenhanced size 1000,1150 font 'sans-serif,13' background '#ffffff'
      set encoding utf8
      set datafile separator ','
      \(data(origin: origin))
      set multiplot
      set grid linecolor '#dddddd'
      set key outside right top
      set size 1,0.54; set origin 0,0.46
      set title 'Walk, and where the listener faces every \(Int(Self.arrowInterval)) s'
      set xlabel 'east / m'; set ylabel 'north / m'
      set size ratio -1
      \(labels(origin: origin))
      plot $walk using 1:2 with lines linewidth 2 linecolor '#888888' title 'walk', \\
        $arrows using 1:2:3:4 with vectors head filled size screen 0.008,20 \\
        linewidth 1.5 linecolor '#0060c0' title 'heading', \\
        $beacons using 1:2 with points pointtype 7 pointsize 1.5 linecolor '#d03020' title 'beacon'
      unset label
      set size noratio
      set size 1,0.23; set origin 0,0.23
      set title 'In the world: bearing of the beacon and heading of the listener'
      set xlabel ''; set ylabel 'degrees from north'
      set xrange [0:\(max(samples.last?.time ?? 0, interval))]
      set yrange [0:360]; set ytics 90
      plot $time using 1:2 with points pointtype 7 pointsize 0.15 linecolor '#0060c0' \\
        title 'heading'\(curves(first: 3))
      set origin 0,0
      set title 'At the ears: bearing relative to the listener, positive to the right'
      set xlabel 'time / s'; set ylabel 'degrees'
      set yrange [-180:180]
      plot \(curves(first: 3 + beacons.count).dropFirst(2))
      unset multiplot

      """
  }

  /// One curve a beacon, from a column of `$time` on.
  private func curves(first: Int) -> String {
    let colours = ["#d03020", "#208040", "#a060c0", "#c08000", "#008090"]
    return beacons.indices.map { index in
      ", $time using 1:\(first + index) with points pointtype 7 pointsize 0.15 linecolor "
        + "'\(colours[index % colours.count])' title \(names[index])"
    }.joined()
  }

  /// The data blocks of the script.
  private func data(origin: GeodeticCoordinate) -> String {
    var walk = "$walk << END\n"
    var arrows = "$arrows << END\n"
    var time = "$time << END\n"
    let reach = arrowLength(origin: origin)
    var nextArrow = 0.0
    for sample in samples {
      let (east, north) = metres(from: origin, to: sample.place)
      walk += "\(east),\(north)\n"
      if let heading = sample.heading, sample.time >= nextArrow {
        let angle = radians(degrees: heading.degrees)
        arrows += "\(east),\(north),\(reach * sin(angle)),\(reach * cos(angle))\n"
        nextArrow = sample.time + Self.arrowInterval
      }
      let row =
        [sample.time, sample.heading?.degrees] + sample.geometry.map(\.bearing)
        + sample.geometry.map(\.relative)
      time += row.map { $0.map { "\($0)" } ?? "" }.joined(separator: ",") + "\n"
    }
    var places = "$beacons << END\n"
    for beacon in beacons {
      let (east, north) = metres(from: origin, to: beacon.coordinate)
      places += "\(east),\(north)\n"
    }
    return [walk, arrows, time, places].map { $0 + "END\n" }.joined()
  }

  /// The beacons' names on the map.
  private func labels(origin: GeodeticCoordinate) -> String {
    beacons.indices.map { index in
      let (east, north) = metres(from: origin, to: beacons[index].coordinate)
      return "set label \(names[index]) at \(east),\(north) center offset 0,1"
    }.joined(separator: "; ")
  }

  /// Arrows a twentieth as long as the walk is wide.
  private func arrowLength(origin: GeodeticCoordinate) -> Double {
    max(2, (samples.map { origin.geodesic(to: $0.place).distance }.max() ?? 0) / 20)
  }
}

/// A place as metres east and north of another.
private func metres(
  from origin: GeodeticCoordinate, to place: GeodeticCoordinate
) -> (east: Double, north: Double) {
  let way = origin.geodesic(to: place)
  let angle = radians(degrees: way.bearing)
  return (way.distance * sin(angle), way.distance * cos(angle))
}
