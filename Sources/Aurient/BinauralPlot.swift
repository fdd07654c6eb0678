public import Files
import Glibc
public import HRTF

/// Draws how a set is rendered, or how two sets differ: interaural time and level of both around the
/// horizontal plane, and the spectral distortion over the sphere. Drawn by gnuplot as SVG.
public struct BinauralPlot {
  /// A direction, with what is measured or first, and what is rendered or second.
  private struct Row {
    var direction: SphericalDirection
    /// µs.
    var times: [Double]
    /// dB.
    var levels: [Double]
    /// dB, mean of both ears.
    var distortion: Double
  }

  private let drawing: Drawing

  /// A plot of what is yet to come.
  ///
  /// - Throws: `FileError` if the file cannot be made or gnuplot is not installed.
  public init(path: String) throws(FileError) {
    drawing = try Drawing(path: path)
  }

  /// Draws a verification and moves the file to its place.
  ///
  /// - Throws: `FileError` if gnuplot fails, or the file cannot be written.
  public func draw(_ verification: HRTFVerification) throws(FileError) {
    let rows = verification.rows.map { row in
      Row(
        direction: row.direction,
        times: [row.difference.measuredITD, row.difference.renderedITD],
        levels: [row.difference.measuredILD, row.difference.renderedILD],
        distortion: (row.spectralDistortion[0] + row.spectralDistortion[1]) / 2)
    }
    let title = verification.path.split(separator: "/").last.map(String.init) ?? ""
    try draw(script(rows, title: title, names: ["measured", "rendered"]))
  }

  /// Draws a comparison of two sets of these names and moves the file to its place.
  ///
  /// - Throws: `FileError` if gnuplot fails, or the file cannot be written.
  public func draw(_ comparison: HRTFComparison, names: [String]) throws(FileError) {
    let rows = comparison.rows.map { row in
      Row(
        direction: row.direction, times: row.times, levels: row.levels,
        distortion: (row.spectralDistortion[0] + row.spectralDistortion[1]) / 2)
    }
    let names = names.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    try draw(script(rows, title: names.joined(separator: ", "), names: names))
  }

  private func draw(_ script: String) throws(FileError) {
    try drawing.draw(script)
    try drawing.commit()
  }

  /// The directions of the elevation that is nearest to the horizontal plane, by azimuth.
  private func plane(_ rows: [Row]) -> [Row] {
    let nearest = rows.map { abs($0.direction.elevation) }.min() ?? 0
    return rows.filter { abs($0.direction.elevation) <= nearest + 0.5 }
      .sorted { $0.direction.azimuth < $1.direction.azimuth }
  }

  private func script(_ rows: [Row], title: String, names: [String]) -> String {
    let plane = plane(rows).map { row in
      "\(row.direction.azimuth),\(row.times[0]),\(row.times[1]),\(row.levels[0]),\(row.levels[1])"
    }
    let sphere = rows.map { row in
      "\(row.direction.azimuth),\(row.direction.elevation),\(row.distortion)"
    }
    let titles = names.map { Gnuplot.quoted($0) }
    return """
      set terminal svg size 1000,1100 font 'sans-serif,13' background '#ffffff'
      set encoding utf8
      set datafile separator ','
      $plane << END
      \(plane.joined(separator: "\n"))
      END
      $sphere << END
      \(sphere.joined(separator: "\n"))
      END
      set multiplot title \(Gnuplot.quoted(title)) noenhanced
      set grid linecolor '#dddddd'
      set xrange [0:360]; set xtics 30
      set xlabel 'azimuth / degrees, counterclockwise'
      set key outside right top
      set size 1,0.31; set origin 0,0.65
      set title 'Interaural time difference, horizontal plane (negative: left leads)'
      set ylabel 'ITD / µs'
      plot $plane using 1:2 with lines linewidth 3 linecolor '#b0b0b0' title \(titles[0]) noenhanced, \\
        $plane using 1:3 with points pointtype 7 pointsize 0.3 linecolor '#d03020' title \(titles[1]) noenhanced
      set origin 0,0.34
      set title 'Interaural level difference, horizontal plane (positive: left louder)'
      set ylabel 'ILD / dB'
      plot $plane using 1:4 with lines linewidth 3 linecolor '#b0b0b0' title \(titles[0]) noenhanced, \\
        $plane using 1:5 with points pointtype 7 pointsize 0.3 linecolor '#d03020' title \(titles[1]) noenhanced
      set size 1,0.34; set origin 0,0
      set title 'Log-spectral distortion, mean of both ears'
      set ylabel 'elevation / degrees'; set yrange [-90:90]; set ytics 30
      set cblabel 'dB'; set cbrange [0:*]
      set palette defined (0 '#f0f0f0', 1 '#f0c040', 2 '#d03020', 3 '#601010')
      plot $sphere using 1:2:3 with points pointtype 7 pointsize 0.6 palette notitle
      unset multiplot

      """
  }
}
