/// A number to one decimal place, whatever the locale.
func tenths(_ value: Double) -> String { decimal(value, places: 1) }

/// A number to two decimal places, whatever the locale.
func hundredths(_ value: Double) -> String { decimal(value, places: 2) }

private func decimal(_ value: Double, places: Int) -> String {
  guard value.isFinite, abs(value) < 1e12 else { return value == -.infinity ? "-inf" : "\(value)" }
  let scale = places == 1 ? 10 : 100
  let rounded = Int((value * Double(scale)).rounded())
  let fraction = String(abs(rounded) % scale)
  return (rounded < 0 ? "-" : "") + "\(abs(rounded) / scale)."
    + String(repeating: "0", count: places - fraction.count) + fraction
}
