import Files
import Glibc
import TestSupport
import Testing

/// Outputs that cannot be written, and renderings that are broken off: no file of any is left.
@Suite struct OutputFaultTests {
  @Test(arguments: [
    ("-o missing/out.wav", "missing/out.wav: no such file or directory"),
    ("-o folder.wav", "folder.wav: is a directory"),
    ("-o out.wav --trace missing/out.csv", "missing/out.csv: no such file or directory"),
    ("-o out.wav --plot missing/out.svg", "missing/out.svg: no such file or directory"),
    ("-o out.wav --trace folder.wav", "folder.wav: is a directory"),
    ("-o out.wav --plot folder.wav", "folder.wav: is a directory"),
    ("-o out.wav --trace /dev/full", "/dev/full: no space left on device"),
    ("-o out.wav --plot /dev/full", "/dev/full: no space left on device"),
    ("-o out.wav --trace out.csv --plot /dev/full", "/dev/full: no space left on device"),
    ("-o out.wav --plot out.svg --trace /dev/full", "/dev/full: no space left on device"),
    ("-o full.flac --plot out.svg --trace out.csv", "full.flac: No space left on device"),
    ("-o full.ogg --plot out.svg --trace out.csv", "full.ogg: No space left on device"),
    (
      "-o full.wav --plot out.svg --trace out.csv",
      "full.wav: System error : No space left on device."
    ),
  ])
  func rendering(words: String, message: String) throws {
    let walk = try ShortWalk()
    #expect(mkdir(walk.path + "/folder.wav", 0o777) == 0)
    for ending in ["wav", "flac", "ogg"] {
      #expect(symlink("/dev/full", "\(walk.path)/full.\(ending)") == 0)
    }
    let names = walk.folder.names()
    let result = try start("render \(ShortWalk.all) \(words)", in: walk.path)
    #expect(result.code == 1)
    #expect(result.error == "aurient: \(message)\n")
    #expect(result.output == "")
    #expect(walk.folder.names() == names)
  }

  @Test func anEndingThatIsNoSound() throws {
    let walk = try ShortWalk()
    let names = walk.folder.names()
    let result = try start("render \(ShortWalk.all) -o out.mp3", in: walk.path)
    #expect(result.code == 2)
    #expect(result.error == "aurient: out.mp3: the name of a sound ends in .wav, .flac or .ogg\n")
    #expect(walk.folder.names() == names)
  }

  @Test func withoutGnuplotThereIsNoPlot() throws {
    let walk = try ShortWalk()
    let names = walk.folder.names()
    let result = try start(
      "render \(ShortWalk.all) --plot out.svg -o out.wav", in: walk.path,
      before: "PATH=/nonexistent")
    #expect(result.code == 1)
    #expect(result.error == "aurient: out.svg: gnuplot, which draws it, is not installed\n")
    #expect(walk.folder.names() == names)
  }

  @Test func anOldOutputStaysWhenTheNewOneFails() throws {
    let walk = try ShortWalk()
    try walk.write("out.wav", "old".utf8)
    try walk.write("late-head.csv", walk.bytes("head.csv") + Array("1,2\n".utf8))
    let result = try start(
      "render --track walk.gpx --head late-head.csv \(ShortWalk.beacon) -o out.wav", in: walk.path)
    #expect(result.code == 2)
    #expect(try walk.bytes("out.wav") == Array("old".utf8))
  }

  @Test(arguments: [
    ("head replay head.csv -o missing/x.csv", "missing/x.csv: no such file or directory"),
    ("head replay head.csv -o /dev/full", "/dev/full: no space left on device"),
    ("head replay head.csv -o .", ".: is a directory"),
    (
      "hrtf impulse MIT --azimuth 0 --elevation 0 -o missing/x.wav",
      "missing/x.wav: no such file or directory"
    ),
  ])
  func otherCommands(words: String, message: String) throws {
    let walk = try ShortWalk()
    let names = walk.folder.names()
    let result = try start(words, in: walk.path)
    #expect(result.code == 1)
    #expect(result.error == "aurient: \(message)\n")
    #expect(walk.folder.names() == names)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalLeavesNothing(number: Int32) throws {
    let folder = TemporaryFolder()
    let process = try spawn([
      "render", "\(projectFolder)/Examples/walk/scene.json", "-o", folder.path + "/out.wav",
      "--trace", folder.path + "/out.csv", "--plot", folder.path + "/out.svg",
    ])
    // Well into the rendering, of which a debug build needs seconds.
    while folder.names().count < 3 { usleep(1000) }
    usleep(100_000)
    #expect(folder.names().count == 3 && folder.names().allSatisfy { $0.hasPrefix(".aurient-") })
    kill(process, number)
    #expect(end(of: process) == 128 + number)
    #expect(folder.names().isEmpty)
  }

  /// As `nohup` and background jobs of a script have it.
  @Test func aSignalThatIsIgnoredStaysSo() throws {
    let walk = try ShortWalk()
    let result = try start(
      "render \(ShortWalk.all) -o out.wav & job=$!; sleep 0.05; kill -HUP $job; wait $job",
      in: walk.path, before: "trap '' HUP;")
    #expect(result.code == 0)
    #expect(walk.folder.names().contains("out.wav"))
  }
}
