import Files
import TestSupport

@testable import ListeningTest

/// Small designs for tests.
enum Designs {
  static let localisation = """
    {"format": "aurient-listening-design", "version": 1, "type": "localisation", "id": "test",
     "title": "T", "instructions": "I", "participants": 2, "seed": 1,
     "hrtfs": [{"id": "KEMAR", "set": "MIT-KEMAR-44100"}],
     "sounds": [{"id": "pink", "file": "SOUND"}],
     "directions": [{"azimuth_deg": 30}, {"azimuth_deg": 330}]}
    """

  static let angle = """
    {"format": "aurient-listening-design", "version": 1, "type": "minimum-audible-angle", "id": "test",
     "title": "T", "instructions": "I", "participants": 2, "seed": 1,
     "hrtfs": [{"id": "KEMAR", "set": "MIT-KEMAR-44100"}],
     "sounds": [{"id": "pink", "file": "SOUND"}],
     "directions": [{"azimuth_deg": 0}, {"azimuth_deg": 180}],
     "staircase": {"steps_deg": [2, 10], "plane": "horizontal"}}
    """

  static let abx = """
    {"format": "aurient-listening-design", "version": 1, "type": "abx", "id": "test",
     "title": "T", "instructions": "I", "participants": 2, "seed": 1,
     "hrtfs": [{"id": "A", "set": "MIT-KEMAR-44100"},
       {"id": "B", "set": "MIT-KEMAR-44100", "equalize": "diffuse-field"}],
     "sounds": [{"id": "pink", "file": "SOUND"}],
     "directions": [{"azimuth_deg": 30}, {"azimuth_deg": 330}]}
    """

  static let preference = """
    {"format": "aurient-listening-design", "version": 1, "type": "preference", "id": "test",
     "title": "T", "instructions": "I", "participants": 2, "seed": 1,
     "hrtfs": [{"id": "A", "set": "MIT-KEMAR-44100"},
       {"id": "B", "set": "MIT-KEMAR-44100", "equalize": "diffuse-field"}],
     "reference": "A",
     "sounds": [{"id": "pink", "file": "SOUND"}],
     "directions": [{"azimuth_deg": 30}, {"azimuth_deg": 330}]}
    """

  static let walk = """
    {"format": "aurient-listening-design", "version": 1, "type": "walk", "id": "test",
     "title": "T", "instructions": "I", "participants": 2, "seed": 1,
     "hrtfs": [{"id": "KEMAR", "set": "MIT-KEMAR-44100"}],
     "scenes": [{"id": "start", "file": "SCENE", "start_s": 20, "duration_s": 2}],
     "response": {"kind": "choice", "text": "?", "options": ["left", "right"]}}
    """

  /// A design's text with a part replaced, its files in place.
  static func text(_ design: String, _ old: String = "", _ new: String = "") -> String {
    var text = design
    if !old.isEmpty { text = text.replacing(old, with: new) }
    return text.replacing("SOUND", with: "\(projectFolder)/Sounds/pink-burst.flac")
      .replacing("SCENE", with: "\(projectFolder)/Examples/walk/scene.json")
  }

  /// A design as read.
  static func design(
    _ design: String, _ old: String = "", _ new: String = ""
  ) throws(FileError) -> ListeningDesign {
    try ListeningDesign(Array(text(design, old, new).utf8), path: "design.json")
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
