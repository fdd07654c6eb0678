import Geometry

/// A few hypotheses about the offset and how likely each is.
///
/// At each moment of measurement every hypothesis splits by what may have happened since the last: the
/// head stays as it was, begins a glance or ends one; the phone's bias stays or is another; the course is
/// right or astray. Each is weighed by how well it foretold what was measured; those that say the same are merged, and the
/// likeliest eight kept. This is a Gaussian-sum filter (H. W. Sorenson and D. L. Alspach, "Recursive
/// Bayesian estimation using Gaussian sums", Automatica 7, 465–479, 1971) of a system that switches
/// between models (Y. Bar-Shalom, X. R. Li and T. Kirubarajan, *Estimation with Applications to Tracking
/// and Navigation*, Wiley, 2001, chapter 11).
struct OffsetBank: Sendable {
  /// What was measured at one moment: differences of references from the yaw, degrees.
  struct Evidence {
    var phone: Double?
    var course: Double?
    /// Degrees by which the course may lag behind.
    var lag = 0.0
  }

  /// How likely each change since the last measurement is.
  struct Odds {
    var glance: Double
    var glanceEnd: Double
    var phoneJump: Double
    /// That all hypotheses are wrong.
    var mistake: Double
  }

  private static let size = 8
  /// Hypotheses less likely than this are dropped.
  private static let negligible = 1e-9
  /// Degrees within which hypotheses speak of the same offset.
  private static let neighbourhood = 30.0

  private var hypotheses = InlineArray<8, OffsetHypothesis>(repeating: OffsetHypothesis())
  private var count = 0

  /// A bank that knows nothing but that heads mostly look ahead and phones mostly point ahead.
  init() {
    typealias Model = CalibrationModel
    count = 4
    for index in 0..<count {
      let (isGlancing, isAstray) = (index & 1 != 0, index & 2 != 0)
      hypotheses[index] = OffsetHypothesis(isGlancing: isGlancing, isPhoneAstray: isAstray)
      hypotheses[index].weight =
        (isGlancing ? Model.initialGlance : 1 - Model.initialGlance)
        * (isAstray ? Model.phoneAstray : 1 - Model.phoneAstray)
    }
  }

  /// Lets time pass.
  mutating func predict(seconds: Double) {
    for index in 0..<count { hypotheses[index].predict(seconds: seconds) }
  }

  /// Takes what was measured.
  mutating func update(_ evidence: Evidence, _ odds: Odds) {
    var candidates = Candidates(evidence, odds)
    for index in 0..<count {
      let hypothesis = hypotheses[index]
      let end = hypothesis.isGlancing ? odds.glanceEnd * (1 - odds.glance) : 0
      candidates.add(hypothesis, share: 1 - odds.glance - end)
      candidates.add(hypothesis.turned(toGlance: true), share: odds.glance)
      if hypothesis.isGlancing { candidates.add(hypothesis.turned(toGlance: false), share: end) }
    }
    candidates.add(OffsetHypothesis(), share: odds.mistake)
    keepLikeliest(&candidates)
  }

  private mutating func keepLikeliest(_ candidates: inout Candidates) {
    count = 0
    var total = 0.0
    while let candidate = candidates.takeLikeliest() {
      guard total == 0 || candidate.weight > Self.negligible * total else { break }
      var isMerged = false
      for index in 0..<count where !isMerged { isMerged = hypotheses[index].merge(candidate) }
      if !isMerged {
        guard count < Self.size else { continue }
        hypotheses[count] = candidate
        count += 1
      }
      total += candidate.weight
    }
    guard total > 0 else {
      self = OffsetBank()
      return
    }
    for index in 0..<count { hypotheses[index].weight /= total }
  }

  /// The mean offset of the hypotheses near the likeliest one, degrees.
  var estimate: Double {
    var best = 0
    for index in 1..<max(1, count) where hypotheses[index].weight > hypotheses[best].weight {
      best = index
    }
    let centre = hypotheses[best].offset
    var (sum, weight) = (0.0, 0.0)
    for index in 0..<count {
      let way = signedDegrees(hypotheses[index].offset - centre)
      guard abs(way) < Self.neighbourhood else { continue }
      sum += hypotheses[index].weight * way
      weight += hypotheses[index].weight
    }
    return signedDegrees(centre + sum / weight)
  }

  /// The half-width in degrees about `centre` that holds 95 % of the probability, at most 180.
  func halfWidth(about centre: Double) -> Double {
    var likely = InlineArray<8, OffsetHypothesis.Spread>(repeating: .init())
    var likelyCount = 0
    for index in 0..<count where hypotheses[index].weight > 1e-3 {
      likely[likelyCount] = hypotheses[index].spread(about: centre)
      likelyCount += 1
    }
    var (least, most) = (0.0, 180.0)
    for _ in 0..<12 {
      let width = (least + most) / 2
      var probability = 0.0
      for index in 0..<likelyCount { probability += likely[index].probability(within: width) }
      if probability < 0.95 { least = width } else { most = width }
    }
    return most
  }
}

/// Hypotheses split by what may have happened, each already weighed by what was measured.
private struct Candidates {
  private let evidence: OffsetBank.Evidence
  private let phoneJump: Double
  /// Hypotheses less likely than this before the measurement are not followed.
  private static let negligible = 1e-8
  // Eight hypotheses by three fates of the head, two of the phone and two of the course, and one anew.
  private var items = InlineArray<100, OffsetHypothesis>(repeating: OffsetHypothesis())
  /// Their weights side by side, for the likeliest is sought again and again.
  private var weights = InlineArray<100, Double>(repeating: 0)
  private var count = 0

  init(_ evidence: OffsetBank.Evidence, _ odds: OffsetBank.Odds) {
    self.evidence = evidence
    phoneJump = odds.phoneJump
  }

  /// Adds a hypothesis with that share of its weight, with the phone's bias as it is and another.
  mutating func add(_ hypothesis: OffsetHypothesis, share: Double) {
    guard evidence.phone != nil else { return split(hypothesis, share: share) }
    split(hypothesis, share: share * (1 - phoneJump))
    var jumped = hypothesis
    jumped.forget(.bias, deviation: CalibrationModel.anyDirection)
    split(jumped, share: share * phoneJump)
  }

  /// With the course right and astray.
  private mutating func split(_ hypothesis: OffsetHypothesis, share: Double) {
    var hypothesis = hypothesis
    hypothesis.weight *= share
    guard evidence.course != nil else { return weigh(hypothesis) }
    let odds =
      hypothesis.isCourseAstray
      ? CalibrationModel.courseStaysAstray : CalibrationModel.courseAstray
    let weight = hypothesis.weight
    hypothesis.isCourseAstray = false
    hypothesis.weight = weight * (1 - odds)
    weigh(hypothesis)
    hypothesis.isCourseAstray = true
    hypothesis.weight = weight * odds
    weigh(hypothesis)
  }

  private mutating func weigh(_ hypothesis: OffsetHypothesis) {
    guard hypothesis.weight > Self.negligible else { return }
    var hypothesis = hypothesis
    if let course = evidence.course {
      let astray = hypothesis.isCourseAstray ? CalibrationModel.courseError : 0
      hypothesis.measure(
        course, of: OffsetHypothesis.course,
        variance: squared(CalibrationModel.courseNoise) + squared(evidence.lag) + squared(astray))
    }
    if let phone = evidence.phone {
      hypothesis.measure(
        phone, of: OffsetHypothesis.phone, variance: squared(CalibrationModel.phoneNoise))
    }
    items[count] = hypothesis
    weights[count] = hypothesis.weight
    count += 1
  }

  /// Removes the likeliest and returns it.
  mutating func takeLikeliest() -> OffsetHypothesis? {
    guard count > 0 else { return nil }
    var best = 0
    for index in 1..<max(1, count) where weights[index] > weights[best] { best = index }
    let hypothesis = items[best]
    count -= 1
    items[best] = items[count]
    weights[best] = weights[count]
    return hypothesis
  }
}
