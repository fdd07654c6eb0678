import Navigation
import Testing

struct UserGeometryTests {
  /// Head, course, phone: all eight combinations, and which of them wins.
  @Test(
    arguments: [
      (nil, nil, nil, nil),
      (nil, nil, 3, .init(degrees: 3, source: .phone)),
      (nil, 2, nil, .init(degrees: 2, source: .course)),
      (nil, 2, 3, .init(degrees: 2, source: .course)),
      (1, nil, nil, .init(degrees: 1, source: .head)),
      (1, nil, 3, .init(degrees: 1, source: .head)),
      (1, 2, nil, .init(degrees: 1, source: .head)),
      (1, 2, 3, .init(degrees: 1, source: .head)),
    ] as [(Double?, Double?, Double?, PresentationHeading?)])
  func presentationHeading(
    head: Double?, course: Double?, phone: Double?, expected: PresentationHeading?
  ) {
    let user = UserGeometry(headHeading: head, course: course, phoneHeading: phone)
    #expect(user.presentationHeading == expected)
  }
}
