extension Metric {
  /// What it is called, how it is defined, and where that comes from.
  public struct Definition: Sendable {
    /// Its name for people.
    public var title: String
    /// How it is had.
    public var text: String
    /// The paper or standard.
    public var source: String
  }

  /// What it is.
  public var definition: Definition {
    func define(_ title: String, _ text: String, _ source: String) -> Definition {
      Definition(title: title, text: text, source: source)
    }
    let gated = "of trials within 30° of the median plane"
    return switch self {
    case .angularError:
      define(
        "angular error", "Mean great-circle angle between target and response.",
        "Wightman and Kistler, J. Acoust. Soc. Am. 85 (1989)")
    case .lateralRMSError:
      define(
        "lateral RMS error", "Root mean square of response minus target lateral angle.",
        "Middlebrooks, J. Acoust. Soc. Am. 106, 1480 (1999)")
    case .lateralBias:
      define(
        "lateral bias (accuracy)",
        "Mean of response minus target lateral angle; positive to the left.",
        "Majdak, Goupell and Laback, Atten. Percept. Psychophys. 72 (2010)")
    case .lateralPrecision:
      define(
        "lateral precision",
        "Standard deviation (divided by n) of response minus target lateral angle.",
        "Majdak, Goupell and Laback, Atten. Percept. Psychophys. 72 (2010)")
    case .lateralGain:
      define(
        "lateral gain",
        "Slope of the regression of response on target lateral angle; 1 is neither drawn to the middle nor to "
          + "the sides.",
        "Hofman, Van Riswick and Van Opstal, Nat. Neurosci. 1 (1998)")
    case .lateralIntercept:
      define(
        "lateral offset", "Response lateral angle of that regression for a target ahead.",
        "Hofman, Van Riswick and Van Opstal, Nat. Neurosci. 1 (1998)")
    case .lateralCorrelation:
      define(
        "lateral correlation", "Pearson's correlation of response and target lateral angle.",
        "Hofman, Van Riswick and Van Opstal, Nat. Neurosci. 1 (1998)")
    case .polarRMSErrorLocal:
      define(
        "local polar RMS error",
        "Root mean square of the polar errors \(gated), those over 90° left out.",
        "Middlebrooks, J. Acoust. Soc. Am. 106, 1480 (1999)")
    case .polarRMSError:
      define(
        "polar RMS error",
        "Root mean square of all polar errors \(gated), quadrant errors included.",
        "Auditory Modeling Toolbox, localizationerror, rmsPmedian")
    case .polarBias:
      define(
        "polar bias (accuracy)",
        "Circular mean of the polar errors \(gated), those over 90° left out; positive from ahead upwards.",
        "Middlebrooks, J. Acoust. Soc. Am. 106, 1480 (1999); Majdak, Goupell and Laback (2010)")
    case .polarPrecision:
      define(
        "local polar precision",
        "Circular standard deviation √(−2 ln R) of the same polar errors.",
        "Majdak, Goupell and Laback (2010); Mardia and Jupp, Directional Statistics (2000)")
    case .polarGain:
      define(
        "polar gain",
        "Slope of the regression of response on target polar angle over the same trials, each response taken on "
          + "the turn of its target.",
        "Hofman, Van Riswick and Van Opstal (1998); Macpherson and Middlebrooks, J. Acoust. Soc. Am. 108 (2000)"
      )
    case .polarIntercept:
      define(
        "polar offset", "Response polar angle of that regression for a target ahead.",
        "Hofman, Van Riswick and Van Opstal, Nat. Neurosci. 1 (1998)")
    case .polarCorrelation:
      define(
        "polar correlation", "Pearson's correlation of the same response and target polar angles.",
        "Hofman, Van Riswick and Van Opstal, Nat. Neurosci. 1 (1998)")
    case .polarGainFront:
      define(
        "polar gain ahead",
        "Slope of that regression over the targets ahead alone; less than 1 where elevations are drawn to the "
          + "horizon.",
        "Macpherson and Middlebrooks, J. Acoust. Soc. Am. 108, 1834 (2000), who fit each hemisphere by itself"
      )
    case .polarGainRear:
      define(
        "polar gain behind", "The same over the targets behind.",
        "Macpherson and Middlebrooks, J. Acoust. Soc. Am. 108, 1834 (2000)")
    case .quadrantError:
      define(
        "quadrant errors", "Share \(gated) whose polar error is over 90°.",
        "Middlebrooks, J. Acoust. Soc. Am. 106, 1480 (1999)")
    case .weightedQuadrantError:
      define(
        "weighted quadrant errors",
        "Share of trials less than 60° from the median plane whose polar error, times 0.5 cos 2λ + 0.5 of the "
          + "lateral angle λ, is over 45°.",
        "Majdak, Goupell and Laback, Atten. Percept. Psychophys. 72 (2010)")
    case .frontBackConfusion:
      define(
        "front-back confusions",
        "Share of responses on the other side of the frontal plane than their target, which mirrored there would "
          + "be nearer to it, of the targets 15° or more from that plane. Nearer to it, so also along the cone "
          + "around the interaural axis, confusion and small error cannot be told apart; such targets do not "
          + "count.",
        "Wightman and Kistler, J. Acoust. Soc. Am. 85 (1989); Wenzel et al., J. Acoust. Soc. Am. 94 (1993)"
      )
    case .upDownConfusion:
      define(
        "up-down confusions",
        "The same across the horizontal plane, of the targets 15° or more above or below it.",
        "Wenzel et al., J. Acoust. Soc. Am. 94 (1993)")
    case .precisionClass:
      define(
        "class: precision", "Share of responses within 45° of the target.",
        "Poirier-Quinot, Stitt and Katz (2022), doi:10.5772/intechopen.104931")
    case .frontBackClass:
      define(
        "class: front-back",
        "Share not so, but within 45° of the target mirrored front to back.",
        "Poirier-Quinot, Stitt and Katz (2022), doi:10.5772/intechopen.104931")
    case .inConeClass:
      define(
        "class: in cone",
        "Share of neither, but with a lateral angle within 45° of the target's.",
        "Poirier-Quinot, Stitt and Katz (2022), doi:10.5772/intechopen.104931")
    case .offConeClass:
      define(
        "class: off cone", "Share of all other responses.",
        "Poirier-Quinot, Stitt and Katz (2022), doi:10.5772/intechopen.104931")
    case .responseTime:
      define(
        "response time",
        "Mean time from the start of the last playing to the answer, by the audio clock.", "")
    case .staircaseThreshold:
      define(
        "staircase threshold",
        "Mean of the levels at the reversals of all tracks, the first few of each left out. It converges on "
          + "70.7 % right answers for 2 down, 1 up, and on 79.4 % for 3 down, 1 up.",
        "Levitt, J. Acoust. Soc. Am. 49 (1971)")
    case .psychometricThreshold:
      define(
        "psychometric threshold",
        "Level of 75 % right answers of a Weibull function fitted by maximum likelihood, guess rate 0.5, lapse "
          + "rate fixed.",
        "Wichmann and Hill, Percept. Psychophys. 63, 1293 and 1314 (2001)")
    case .psychometricSlope:
      define(
        "psychometric slope", "Exponent β of that function.",
        "Wichmann and Hill, Percept. Psychophys. 63, 1293 and 1314 (2001)")
    case .percentCorrect:
      define("right answers", "Share of right answers.", "")
    case .binomialP:
      define(
        "p against guessing",
        "Chance of as many right answers, or more, by guessing one of two: exact binomial, one-sided.",
        "Meilgaard, Civille and Carr, Sensory Evaluation Techniques; ISO 4120 for tests of this kind"
      )
    case .sensitivity:
      define(
        "d′",
        "Sensitivity of an ABX listener who compares independent observations; 0 where answers are no better "
          + "than guesses.",
        "Macmillan and Creelman, Detection Theory (2005), chapter 9")
    case .ratingMean:
      define("mean rating", "Mean of the ratings.", "ITU-R BS.1534-3")
    case .ratingMedian:
      define("median rating", "Median of the ratings.", "ITU-R BS.1534-3")
    case .choiceShare:
      define("choices", "Share of answers that chose the option.", "")
    }
  }
}
