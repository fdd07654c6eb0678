import Aurient
public import CAurient
import Files
import HRTF

/// See `aurient.h`.
@c @implementation
public func aurient_convert_sofa(
  _ sofaPath: UnsafePointer<CChar>!, _ mhrPath: UnsafePointer<CChar>!,
  _ equalization: aurient_equalization, _ headCircumference: Double
) -> aurient_status {
  call {
    let path = try text(sofaPath, "sofa_path")
    let output = try text(mhrPath, "mhr_path")
    let fitting = HRTFFitting(
      equalization: try equalize(equalization),
      headCircumference: headCircumference == 0
        ? nil
        : try number(headCircumference, "head_circumference", in: HRTFFitting.headCircumferences))
    let file = try HRTFCatalogue().measurement(path)
    let responses = try file.responses.fitted(fitting, path: file.path)
    guard responses.shells.count == 1 else {
      throw FileError(
        .unsupported, file: file.path,
        "has \(responses.shells.count) distances, which one data set does not hold")
    }
    let dataSet = OpenALDataSet(converting: responses)
    try OutputFile.write(dataSet.attenuated(by: max(1, dataSet.peak)).minPHR02, to: output)
  }
}

private func equalize(
  _ equalization: aurient_equalization
) throws(Fault) -> HRTFFitting.Equalization {
  switch equalization {
  case AURIENT_EQUALIZE_NONE: return .none
  case AURIENT_EQUALIZE_DIFFUSE_FIELD: return .diffuseField
  case AURIENT_EQUALIZE_FREE_FIELD: return .freeField
  default: throw .invalid("equalization \(equalization.rawValue) is none")
  }
}

/// See `aurient.h`.
@c @implementation
public func aurient_verify_sofa(
  _ sofaPath: UnsafePointer<CChar>!, _ fidelity: UnsafeMutablePointer<aurient_fidelity>!,
  _ progress: aurient_progress!, _ context: UnsafeMutableRawPointer!
) -> aurient_status {
  call {
    let path = try text(sofaPath, "sofa_path")
    var result = aurient_fidelity()
    try give(result, to: fidelity)
    var progress = Progress(progress, context)
    let verification = try HRTFVerification(path) { fraction in try progress.tell(fraction) }
    result.direction_count = UInt64(verification.rows.count)
    let spectral = verification.spectralDistortion
    (result.spectral_distortion_mean, result.spectral_distortion_p95) = (
      spectral.mean, spectral.percentile95
    )
    let time = verification.timeError
    (result.time_error_mean, result.time_error_p95) = (time.mean, time.percentile95)
    let level = verification.levelError
    (result.level_error_mean, result.level_error_p95) = (level.mean, level.percentile95)
    result.is_mirrored = verification.isMirrored ? 1 : 0
    try give(result, to: fidelity)
  }
}
