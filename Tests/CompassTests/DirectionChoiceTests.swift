import Compass
import Testing

@Suite struct DirectionChoiceTests {
  private struct Report {
    var speed: Double? = nil
    var course: Double? = nil
    var courseAccuracy: Double? = nil
    var heading: Double? = nil
    var headingAccuracy: Double? = nil

    func direction(_ choice: inout DirectionChoice) -> DirectionChoice.Direction? {
      choice.direction(
        speed: speed, course: course, courseAccuracy: courseAccuracy, heading: heading,
        headingAccuracy: headingAccuracy)
    }
  }

  @Test func publishedCases() {
    for (report, expected) in [
      (
        Report(speed: 8, course: 92, courseAccuracy: 4, heading: 10, headingAccuracy: 5),
        .course(92)
      ),
      (
        Report(speed: 0.4, course: -1, courseAccuracy: -1, heading: 88, headingAccuracy: 12),
        .heading(88)
      ),
      (
        Report(speed: 0.4, course: -1, courseAccuracy: -1, heading: 88, headingAccuracy: -1), nil
      ),
      (Report(), nil), (Report(speed: .nan, course: 1, courseAccuracy: .nan), nil),
      (Report(speed: 3, course: 360, courseAccuracy: 15), .course(0)),
      (Report(speed: 3, course: 90, heading: 20, headingAccuracy: 30), .heading(20)),
    ] as [(Report, DirectionChoice.Direction?)] {
      var choice = DirectionChoice()
      #expect(report.direction(&choice) == expected)
    }
  }

  /// Each limit holds until its value is well beyond.
  @Test func hysteresis() {
    var choice = DirectionChoice()
    func isCourse(_ speed: Double, _ accuracy: Double) -> Bool {
      Report(speed: speed, course: 1, courseAccuracy: accuracy).direction(&choice) != nil
    }
    #expect(
      [1.9, 2, 1.9, 1.5, 1.4, 1.9, 2].map { isCourse($0, 5) } == [
        false, true, true, true, false, false, true,
      ])
    #expect(
      [15, 16, 20, 21, 16, 15].map { isCourse(3, $0) } == [
        true, true, true, false, false, true,
      ])
    let headings = [30.0, 40, 41, 35, -1, 30].map { accuracy in
      Report(heading: 7, headingAccuracy: accuracy).direction(&choice) != nil
    }
    #expect(headings == [true, true, false, false, false, true])
  }

  @Test func limitsCanBeSet() {
    var choice = DirectionChoice(
      limits: .init(speed: 0.5, courseAccuracy: 40, headingAccuracy: 5))
    #expect(Report(speed: 0.6, course: 5, courseAccuracy: 40).direction(&choice) == .course(5))
    #expect(Report(heading: 5, headingAccuracy: 6).direction(&choice) == nil)
  }
}
