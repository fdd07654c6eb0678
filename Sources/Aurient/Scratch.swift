import Files
public import HRTF
import SpatialAudio
public func scratchImpulse(_ sofa: String, _ rate: Int, _ d: SphericalDirection, _ out: String)
  throws
{
  let cache = HRTFCache()
  try OpenALConfiguration.prepare(cache: cache)
  let name = try cache.name(for: sofa)
  let r = try ImpulseResponse(dataSet: name, sampleRate: rate, direction: d)
  let w = try SoundFileWriter(path: out, sampleRate: rate, channelCount: 2, expectedFrames: 256)
  try r.samples.withUnsafeBufferPointer { try w.write($0) }
  try w.commit()
}
