import Aurient
import Files

/// A drawing in the report: SVG within the page, with a text for those who don't see it.
struct AnalysisPlot {
  /// What it is called, and what it shows, in words.
  var title, description: String
  /// What draws it.
  var script: String

  /// Colours that differ for the colour-blind too (M. Okabe and K. Ito, 2008).
  static let colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"]

  /// The first lines of a script.
  static func head(width: Int, height: Int) -> String {
    """
    set terminal svg size \(width),\(height) font 'sans-serif,13' background '#ffffff'
    set encoding utf8
    set datafile separator ','
    set grid linecolor '#dddddd'

    """
  }

  /// Rows of numbers or quoted texts as gnuplot's data of a name.
  static func data(_ name: String, _ rows: [String]) -> String {
    "$\(name) << END\n" + rows.joined(separator: "\n") + "\nEND\n"
  }

  /// The drawing as a figure of HTML.
  ///
  /// - Parameters:
  ///   - number: Which drawing of the page it is, so that names within are its own.
  ///   - path: The page, for messages.
  /// - Throws: `FileError` if gnuplot fails.
  func figure(_ number: Int, path: String) throws(FileError) -> String {
    var svg = String(decoding: try Gnuplot.drawn(script, path: path), as: UTF8.self)
    // The page is the document; a drawing in it has no declaration.
    guard let start = svg.firstRange(of: "<svg")?.lowerBound else {
      throw FileError(.unwritable, file: path, "gnuplot drew nothing for \"\(title)\"")
    }
    svg = String(svg[start...])
    // Its title would show wherever a mouse rests.
    if let title = svg.firstRange(of: "<title>"), let end = svg.firstRange(of: "</desc>") {
      svg.removeSubrange(title.lowerBound..<end.upperBound)
    }
    for (old, new) in [
      ("id=\"", "id=\"f\(number)-"), ("id='", "id='f\(number)-"), ("href='#", "href='#f\(number)-"),
      ("href=\"#", "href=\"#f\(number)-"), ("url(#", "url(#f\(number)-"),
    ] {
      svg = svg.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
    let label = "f\(number)-description"
    svg = "<svg role=\"img\" aria-labelledby=\"\(label)\"" + svg.dropFirst(4)
    return """
      <figure>
      \(svg)
      <figcaption id="\(label)"><b>\(htmlText(title)).</b> \(htmlText(description))</figcaption>
      </figure>

      """
  }
}

/// A text in HTML.
func htmlText(_ text: String) -> String {
  text.unicodeScalars.reduce(into: "") { result, scalar in
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    default: result.unicodeScalars.append(scalar)
    }
  }
}
