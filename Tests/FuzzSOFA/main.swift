import Geometry
import Glibc

@testable import HRTF

// A fuzz target of libFuzzer (https://llvm.org/docs/LibFuzzer.html). Its inputs are what a reader in a
// child process sends: a reader that a hostile file has taken over may send anything, and nothing but
// this side's checks then stands between that and the renderer.
//
//   FuzzSOFA --seeds FOLDER   writes inputs to begin with
//   FuzzSOFA [OPTIONS] FOLDER fuzzes

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var content = SOFAContent(path: "input")
  var source = Bytes(rest: UnsafeRawBufferPointer(start: data, count: count))
  // Little room, or most time would go into clearing what the input only claims.
  guard content.receive(from: &source, room: 1 << 16) == 0 else { return 0 }
  guard let file = try? SOFAFile(content: content) else { return 0 }
  check(file.responses)
  return 0
}

/// What is sent.
private struct Bytes: SOFARecordSource {
  var rest: UnsafeRawBufferPointer

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard buffer.count <= rest.count else { return false }
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<buffer.count]))
    rest = UnsafeRawBufferPointer(rebasing: rest[buffer.count...])
    return true
  }
}

/// What has passed the checks is a set that the converter can work on.
private func check(_ set: HRIRSet) {
  let count = set.directions.count
  precondition(count > 0 && set.length > 0)
  precondition(set.samples.count == count * 2 * set.length)
  precondition(set.samples.allSatisfy(\.isFinite))
  precondition(set.delays.count == count * 2 && set.delays.allSatisfy { abs($0) < 1e5 })
  precondition((1000...1_000_000).contains(set.sampleRate))
  precondition(
    set.directions.allSatisfy { abs($0.unitVector.length - 1) < 1e-6 && $0.distance > 0 })
  guard count <= 4, set.length <= 256 else { return }
  let model = MinimumPhaseModel(set)
  precondition(model.logMagnitudes.allSatisfy(\.isFinite) && model.onsets.allSatisfy(\.isFinite))
  for fitting in [
    HRTFFitting(equalization: .diffuseField), HRTFFitting(equalization: .freeField),
    HRTFFitting(headCircumference: 57),
  ] {
    guard let fitted = try? set.fitted(fitting, path: "input") else { continue }
    precondition(fitted.samples.allSatisfy(\.isFinite) && fitted.delays.allSatisfy(\.isFinite))
  }
}

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--seeds" {
  writeSeeds(to: CommandLine.arguments[2])
} else {
  var (count, words) = (CommandLine.argc, CommandLine.unsafeArgv)
  exit(runDriver(&count, &words, testOneInput))
}
