import ListeningTest
import Testing

@Test func kindsHaveTheNamesOfTheFormat() {
  #expect(
    ListeningTestKind.allCases.map(\.rawValue) == [
      "localisation", "minimum-audible-angle", "abx", "preference", "walk",
    ])
}
