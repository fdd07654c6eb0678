import Files

/// An OSC address that phones send the reading of their compass to.
enum OSCPhoneAddress {
  /// `/phone/heading`, this project's own: from true north, then how far that may be off if known.
  case trueNorth
  /// `/phone/magnetic`: the same from magnetic north.
  case magneticNorth
  /// `/gyrosc/comp` of GyrOSC: from magnetic north.
  case gyrOSC
  /// `/DEVICE/compass` of ZIG SIM, the device named as the user likes: from magnetic north, and
  /// whether the screen faces up.
  case zigSim

  /// The address of these bytes, or nil; upper and lower case are the same.
  static func named(_ bytes: UnsafeRawBufferPointer) -> OSCPhoneAddress? {
    if OSCAddress.isSame(bytes, "/phone/heading") { return .trueNorth }
    if OSCAddress.isSame(bytes, "/phone/magnetic") { return .magneticNorth }
    if OSCAddress.isSame(bytes, "/gyrosc/comp") { return .gyrOSC }
    // The one slash after the first, by hand: the library's searches allocate in debug builds.
    var last = bytes.count - 1
    while last > 1, bytes[last] != UInt8(ascii: "/") { last -= 1 }
    guard last > 1 else { return nil }
    for index in 1..<last where bytes[index] == UInt8(ascii: "/") { return nil }
    guard OSCAddress.isSame(UnsafeRawBufferPointer(rebasing: bytes[last...]), "/compass") else {
      return nil
    }
    return .zigSim
  }

  /// How many arguments there may be; one is needed.
  var mostArguments: Int { self == .gyrOSC ? 1 : 2 }

  /// How many of them are numbers that count. ZIG SIM's second is true or false.
  func usedArguments(of count: Int) -> Int { self == .zigSim ? 1 : count }

  /// The reading, or nil for more than a full turn or an error of more than half of one. A negative
  /// heading or accuracy says that none is valid, as with Core Location.
  func heading(_ numbers: SIMD4<Double>, count: Int, at now: Timestamp) -> PhoneHeading? {
    let accuracy = count > 1 && self != .zigSim ? numbers.y : nil
    guard numbers.x <= 360, accuracy ?? 0 <= 180 else { return nil }
    return PhoneHeading(
      time: now, magneticHeading: self == .trueNorth ? nil : numbers.x,
      trueHeading: self == .trueNorth ? numbers.x : nil, headingAccuracy: accuracy)
  }
}
