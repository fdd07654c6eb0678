import TestSupport
import Testing

@Suite struct DevicesTests {
  @Test func devices() throws {
    let server = try NullSinkServer([
      .init("first", sampleRate: 48_000), .init("other", sampleRate: 44_100),
    ])
    let before = server.environment.map { "\($0)='\($1)'" }.joined(separator: " ")
    let text = try start("devices", before: before)
    #expect(text.code == 0 && text.error == "")
    #expect(text.output.split(separator: "\n").sorted() == ["  other", "* first"])
    let json = try start("devices --json", before: before)
    #expect(json.code == 0 && json.error == "")
    #expect(json.output.contains("{\"name\": \"first\", \"default\": true}"))
    #expect(json.output.contains("{\"name\": \"other\", \"default\": false}"))
  }

  /// One line and no other, although the libraries of the sound servers have much to say.
  @Test(arguments: [
    "", "HOME= ", "HOME=/nowhere XDG_RUNTIME_DIR=/nowhere ", "ALSOFT_DRIVERS=null ",
  ])
  func noDevice(environment: String) throws {
    let folder = TemporaryFolder()
    // The cache must be somewhere, also without a home.
    let result = try start(
      "devices", before: "\(environment)XDG_CACHE_HOME='\(folder.path)' PULSE_SERVER=unix:/nowhere")
    #expect(result.code == 1)
    #expect(result.output == "")
    #expect(
      result.error
        == "aurient: there is no sound device that can be opened: connect one, or start PulseAudio or "
        + "PipeWire; 'aurient render' writes to a file instead\n")
  }
}
