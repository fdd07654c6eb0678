public import Compass
public import Files
import Geometry

/// Draws a calibration: readings as they came and as corrected, seen along each axis, with the circle of
/// the sphere that corrected ones should lie on. Drawn by gnuplot as SVG.
public struct CalibrationPlot {
  private let drawing: Drawing

  /// A plot of a calibration that is yet to come.
  ///
  /// - Throws: `FileError` if the file cannot be made or gnuplot is not installed.
  public init(path: String) throws(FileError) {
    drawing = try Drawing(path: path)
  }

  /// Draws it and moves the file to its place.
  ///
  /// - Throws: `FileError` if gnuplot fails, or the file cannot be written.
  public func draw(
    _ samples: FieldSamples, _ calibration: MagnetometerCalibration
  ) throws(FileError) {
    try drawing.draw(script(samples, calibration))
    try drawing.commit()
  }

  private func script(_ samples: FieldSamples, _ calibration: MagnetometerCalibration) -> String {
    let rows = samples.samples.map { sample in
      let (raw, field) = (sample.field, calibration.corrected(sample.field))
      return "\(raw.x),\(raw.y),\(raw.z),\(field.x),\(field.y),\(field.z)"
    }
    let views = [("x", 1, "y", 2), ("x", 1, "z", 3), ("y", 2, "z", 3)].map { view in
      let (across, first, up, second) = view
      return """
        set xlabel '\(across) / µT'; set ylabel '\(up) / µT'
        plot $readings using \(first):\(second) with points pointtype 7 pointsize 0.3 \
        linecolor '#b0b0b0' title 'raw', \
        $readings using \(first + 3):\(second + 3) with points pointtype 7 pointsize 0.3 \
        linecolor '#d03020' title 'corrected', \
        strength * cos(t), strength * sin(t) with lines linecolor '#000000' title 'field'
        """
    }
    return """
      set terminal svg size 1400,520 font 'sans-serif,13' background '#ffffff'
      set encoding utf8
      set datafile separator ','
      $readings << END
      \(rows.joined(separator: "\n"))
      END
      strength = \(calibration.strength)
      set parametric; set trange [0:2*pi]; set samples 200
      set size ratio -1; set grid linecolor '#dddddd'; set key outside bottom center horizontal
      set multiplot layout 1,3
      \(views.joined(separator: "\n"))
      unset multiplot

      """
  }
}
