import HRTF

extension CommandOption {
  /// What is changed of a measured set: the options of all commands that read one.
  static let fitting = [
    CommandOption(
      "equalize", "NAME", choices: HRTFFitting.Equalization.allCases.map(\.rawValue),
      help: "divide all responses by the diffuse-field or the free-field one; else none"),
    CommandOption(
      "head-circumference", "CM",
      help: "scale interaural times to a head of this circumference, 45 to 70"),
    CommandOption(
      "fix-mirror", help: "if left and right of the set are exchanged, turn them back"),
  ]
}

extension Arguments {
  /// What the options of `CommandOption.fitting` say, in place of `given`.
  func fitting(insteadOf given: HRTFFitting = HRTFFitting()) throws(UsageError) -> HRTFFitting {
    var fitting = given
    if let name = string("equalize") {
      guard let equalization = HRTFFitting.Equalization(rawValue: name) else {
        throw bad("equalize", "\"\(name)\" is not none, diffuse-field or free-field")
      }
      fitting.equalization = equalization
    }
    fitting.headCircumference =
      try number("head-circumference", in: HRTFFitting.headCircumferences)
      ?? given.headCircumference
    if flag("fix-mirror") { fitting.isMirrorFixed = true }
    return fitting
  }

  /// Says that left and right of a set are exchanged.
  func warnOfMirror(_ title: String, isMirrored: Bool) {
    guard isMirrored else { return }
    printError("aurient: \(title): left and right are mirrored; --fix-mirror turns them back")
  }
}
