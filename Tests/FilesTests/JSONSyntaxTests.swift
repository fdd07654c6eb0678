import Files
import Testing

@Suite struct JSONSyntaxTests {
  @Test(arguments: [
    "{}", "[]", " {\"a\": [1, -2.5e3, true, null, \"\\\"}\"], \"b\": {\"a\": 0}}\n", "3", "\"x\"",
    "[[[]]]",
    "{\"é\": \"\\u00e9\"}",
  ])
  func isJSON(text: String) throws { try JSONSyntax.check(Array(text.utf8), file: "f") }

  @Test(arguments: [
    ("{\"a\": 1,\n\"a\": 2}", "f: line 2: the key \"a\" is there twice"),
    ("{\n\"a\": 1\n\"b\": 2}", "f: line 3: no JSON: expected a comma or }"),
    ("{\"a\": [1, 2,]}", "f: line 1: no JSON: \"\" is no value"),
    ("{\"a\": 1,}", "f: line 1: no JSON: expected a key in quotes"),
    ("{\"a\"\n1}", "f: line 2: no JSON: expected a colon after \"a\""),
    ("{\"a\": \n\nnan}", "f: line 3: no JSON: \"nan\" is no value"),
    ("{\"a\": .5}", "f: line 1: no JSON: \".5\" is no value"),
    ("{\"a\": 1e999}", "f: line 1: 1e999 is too great a number"),
    ("{\"a\": \"b\n\"}", "f: line 1: no JSON: a text that does not end on its line"),
    ("{\"a\": [1,\n", "f: line 2: the JSON ends here, in the middle"),
    ("{\"a\": \"b", "f: line 1: the JSON ends here, in the middle"),
    ("{\"a\": \"b\\", "f: line 1: the JSON ends here, in the middle"),
    ("{}\n{}", "f: line 2: text after the end"), ("hello", "f: not JSON"),
    ("<gpx/>", "f: not JSON"),
    (String(repeating: "[", count: 100_000), "f: line 1: brackets lie too deep"),
  ])
  func isNone(text: String, message: String) {
    let error = #expect(throws: FileError.self) {
      try JSONSyntax.check(Array(text.utf8), file: "f")
    }
    #expect(error?.description == message)
  }
}
