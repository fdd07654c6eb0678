import Files
import HRTF

/// What is known of a sound file that has been built: a line of the journal, and of the manifest.
struct StimulusRecord: Sendable {
  /// The file's name without folder and ending, as in `s0001`.
  var name: String
  /// XXH3 of 128 bits of the file.
  var hash: String
  var frameCount: Int
  /// Decibels by which it was changed against the sound through the set.
  var gain: Double
  /// Its level before that, LUFS or dB of full scale; nil where nothing is aligned.
  var level: Double?
  /// Its greatest magnitude, dB of full scale.
  var peak: Double
  /// Where a walk's beacon lay at the end.
  var target: SphericalDirection?
  /// The measured direction that is nearest to the one asked for.
  var measured: SphericalDirection?

  init(
    name: String, hash: String, frameCount: Int, gain: Double, level: Double?, peak: Double,
    target: SphericalDirection?, measured: SphericalDirection?
  ) {
    self.name = name
    self.hash = hash
    self.frameCount = frameCount
    self.gain = gain
    self.level = level
    self.peak = peak
    self.target = target
    self.measured = measured
  }

  /// One line of JSON; numbers read back as they were.
  var json: String {
    func place(_ key: String, _ direction: SphericalDirection?) -> String {
      direction.map { ",\"\(key)\":\(jsonObject($0))" } ?? ""
    }
    return
      "{\"name\":\(jsonText(name)),\"hash\":\"\(hash)\",\"frames\":\(frameCount),\"gain_db\":\(gain)"
      + ",\"level_db\":\(level.map { "\($0)" } ?? "null"),\"peak_dbfs\":\(peak)"
      + place("target", target) + place("measured", measured) + "}"
  }

  init(_ place: JSONPlace) throws(FileError) {
    func direction(_ key: String) throws(FileError) -> SphericalDirection? {
      guard let value = place.optional(key) else { return nil }
      return SphericalDirection(
        azimuth: try value.required("azimuth_deg").number(-360...360),
        elevation: try value.required("elevation_deg").number(-90...90),
        distance: try value.required("distance_m").number(0...1e9))
    }
    name = try place.required("name").identifier()
    hash = try place.required("hash").text()
    frameCount = try place.required("frames").whole(0...1 << 40)
    gain = try place.required("gain_db").number(-1e6...1e6)
    level = try place.nullable("level_db")?.number(-1e6...1e6)
    peak = try place.required("peak_dbfs").number(-1e6...1e6)
    target = try direction("target")
    measured = try direction("measured")
  }
}

/// A direction as test files have it, its azimuth in (−180, 180].
func jsonObject(_ direction: SphericalDirection) -> String {
  "{\"azimuth_deg\":\(short(signed(direction.azimuth))),\"elevation_deg\":\(short(direction.elevation))"
    + ",\"distance_m\":\(short(direction.distance))}"
}
