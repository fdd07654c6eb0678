public import Files
import Glibc
import HRTF

/// Draws a verification: interaural time and level around the horizontal plane, measured and
/// rendered, and the distortion over the sphere. Drawn by gnuplot as SVG.
public struct HRTFVerificationPlot {
  private let verification: HRTFVerification

  /// A plot of a verification.
  public init(_ verification: HRTFVerification) { self.verification = verification }

  /// Draws it.
  ///
  /// - Throws: `FileError` if gnuplot is not installed or fails, or the file cannot be written.
  public func write(to path: String) throws(FileError) {
    let output = try TextWriter(path: path)
    try Gnuplot.draw(script, to: output, path: path)
    try output.commit()
  }

  /// The elevation that most directions share with the horizontal plane, and those directions.
  private var plane: [HRTFVerification.Row] {
    let nearest = verification.rows.map { abs($0.direction.elevation) }.min() ?? 0
    return verification.rows.filter { abs($0.direction.elevation) <= nearest + 0.5 }
      .sorted { $0.direction.azimuth < $1.direction.azimuth }
  }

  private var script: String {
    let plane = plane.map { row in
      let difference = row.difference
      return "\(row.direction.azimuth),\(difference.measuredITD),\(difference.renderedITD),"
        + "\(difference.measuredILD),\(difference.renderedILD)"
    }
    let sphere = verification.rows.map { row in
      "\(row.direction.azimuth),\(row.direction.elevation),"
        + "\((row.spectralDistortion[0] + row.spectralDistortion[1]) / 2)"
    }
    let title = verification.path.split(separator: "/").last.map(String.init) ?? ""
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
      plot $plane using 1:2 with lines linewidth 3 linecolor '#b0b0b0' title 'measured', \\
        $plane using 1:3 with points pointtype 7 pointsize 0.3 linecolor '#d03020' title 'rendered'
      set origin 0,0.34
      set title 'Interaural level difference, horizontal plane (positive: left louder)'
      set ylabel 'ILD / dB'
      plot $plane using 1:4 with lines linewidth 3 linecolor '#b0b0b0' title 'measured', \\
        $plane using 1:5 with points pointtype 7 pointsize 0.3 linecolor '#d03020' title 'rendered'
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
