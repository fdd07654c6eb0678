import Files
import Geometry
import Glibc
import HeadTracking
import TestSupport
import Testing

@Suite struct HeadLogTests {
  struct Layout: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let milliseconds: Int64
    let attitude: Quaternion
    let yaw: Double
  }

  static let half = 0.5.squareRoot()

  static let layouts = [
    Layout(
      testDescription: "AWARE",
      text: """
        timestamp,device_id,roll,pitch,yaw,quaternionX,quaternionY,quaternionZ,quaternionW
        1790000000123,a,0,0,-0.5,0.6,0,0,-0.8
        """,
      milliseconds: 1_790_000_000_123, attitude: Quaternion(x: 0.6, y: 0, z: 0, w: -0.8), yaw: -0.5),
    Layout(
      testDescription: "Sensor Logger",
      text: """
        time,seconds_elapsed,roll,quaternionY,quaternionZ,quaternionW,devicelocation,pitch,quaternionX
        1790000000123000000,0.1,0,0,0.70710678118654752,0.70710678118654752,right,0,0
        """,
      milliseconds: 1_790_000_000_123, attitude: Quaternion(x: 0, y: 0, z: half, w: half),
      yaw: .pi / 2),
    Layout(
      testDescription: "yaw alone", text: "yaw,timestamp\n3.141592653589793,1790000000123\n",
      milliseconds: 1_790_000_000_123, attitude: Quaternion(x: 0, y: 0, z: 1, w: 0), yaw: .pi),
    Layout(
      testDescription: "yaw and pitch",
      text: "pitch,yaw,timestamp\n1.5707963267948966,0,1790000000123\n",
      milliseconds: 1_790_000_000_123, attitude: Quaternion(x: half, y: 0, z: 0, w: half), yaw: 0),
    Layout(
      testDescription: "rounded quaternion",
      text:
        "timestamp,quaternionX,quaternionY,quaternionZ,quaternionW\n1790000000123,0,0,0,0.999\n",
      milliseconds: 1_790_000_000_123, attitude: .identity, yaw: 0),
  ]

  @Test(arguments: layouts) func readsByColumnNames(_ layout: Layout) throws {
    let folder = TemporaryFolder()
    let frames = try HeadLog.frames(path: folder.file("head.csv", layout.text))
    let frame = try #require(frames.first)
    #expect(frames.count == 1)
    #expect(frame.time == Timestamp(milliseconds: layout.milliseconds))
    let (a, b) = (frame.attitude, layout.attitude)
    #expect(abs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) > 1 - 1e-12)
    #expect(abs(frame.yaw - layout.yaw) < 1e-12)
  }

  static let quaternion = "timestamp,quaternionX,quaternionY,quaternionZ,quaternionW\n"

  @Test(arguments: [
    ("", "the file is empty"),
    ("timestamp,yaw\n", "no frames"),
    ("yaw\n0\n", "line 1: there is no column timestamp or time"),
    ("timestamp,pitch\n1,0\n", "line 1: there is no column quaternionX or yaw"),
    (
      "timestamp,quaternionX,quaternionY,quaternionW\n1,0,0,1\n",
      "line 1: there is no column quaternionZ"
    ),
    (quaternion + "1,nan,0,0,1\n", "line 2, column quaternionX: \"nan\" is not a finite number"),
    (quaternion + "1,0,0,,1\n", "line 2, column quaternionZ: \"\" is not a finite number"),
    (
      quaternion + "1,0,0,0,1\n2,0,0,0,0\n",
      "line 3, column quaternionW: \"0\" ends a quaternion that is not of length 1"
    ),
    (
      quaternion + "1,1,1,1,2.5\n",
      "line 2, column quaternionW: \"2.5\" ends a quaternion that is not of length 1"
    ),
    (
      quaternion + "1,1e300,0,0,0\n",
      "line 2, column quaternionW: \"0\" ends a quaternion that is not of length 1"
    ),
    ("timestamp,yaw\n1,inf\n", "line 2, column yaw: \"inf\" is not a finite number"),
    ("timestamp,yaw\n1,\n", "line 2, column yaw: \"\" is not a finite number"),
    (
      "timestamp,yaw\n1,90\n",
      "line 2, column yaw: \"90\" is more than a full turn; angles are in radians"
    ),
    (
      "timestamp,yaw\n1790000000020,0\n1790000000020,0\n1790000000019,0\n",
      "line 4, column timestamp: \"1790000000019\" is earlier than the frame before"
    ),
    ("timestamp,yaw\nnoon,0\n", "line 2, column timestamp: \"noon\" is not a time"),
    ("timestamp,yaw\n1,0\n2\n", "line 3: 1 columns where the header has 2"),
  ]) func namesTheFault(_ text: String, _ fault: String) {
    let folder = TemporaryFolder()
    let path = folder.file("head.csv", text)
    let error = #expect(throws: FileError.self) { try HeadLog.frames(path: path) }
    #expect(error?.description == "\(path): \(fault)")
  }

  @Test func theFrameBeforeAFaultIsRead() throws {
    let folder = TemporaryFolder()
    var log = try HeadLog(path: folder.file("head.csv", "timestamp,yaw\n1,0.5\n2,x\n"))
    #expect(try log.next()?.yaw == 0.5)
    var fault: FileError?
    do { _ = try log.next() } catch { fault = error }
    #expect(fault?.place == "line 3, column yaw")
  }
}
