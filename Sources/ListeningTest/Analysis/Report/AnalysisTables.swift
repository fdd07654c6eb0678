import Files
import Geometry

/// Tables of an analysis: figures, comparisons and trials.
extension ResultsAnalysis {
  /// All figures, CSV.
  func writeFigures(_ path: String) throws(FileError) {
    let output = try TextWriter(path: path)
    output.append(
      "participant,condition,system,metric,unit,value,low_95,high_95,count,interval_by\n")
    for estimate in estimates {
      let texts = [
        estimate.participant ?? "", estimate.condition ?? "", estimate.system ?? "",
        estimate.metric.rawValue, estimate.metric.unit,
      ]
      output.append(texts.map(csvField).joined(separator: ",") + ",")
      output.append(estimate.value)
      output.append(",")
      output.append(estimate.interval?.lowerBound)
      output.append(",")
      output.append(estimate.interval?.upperBound)
      let method = estimate.interval == nil ? "" : estimate.method.rawValue
      output.append(",\(estimate.count),\(method)\n")
    }
    try output.commit()
  }

  /// Comparisons, CSV.
  func writeComparisons(_ path: String) throws(FileError) {
    let output = try TextWriter(path: path)
    output.append(
      "factor,first,second,metric,participants,difference,low_95,high_95,p,p_holm\n")
    for comparison in comparisons {
      let texts = [
        comparison.factor, comparison.first, comparison.second, comparison.metric.rawValue,
        "\(comparison.count)",
      ]
      output.append(texts.map(csvField).joined(separator: ","))
      for number in [
        comparison.difference, comparison.interval?.lowerBound, comparison.interval?.upperBound,
        comparison.p, comparison.correctedP,
      ] {
        output.append(",")
        output.append(number)
      }
      output.append("\n")
    }
    try output.commit()
  }

  /// Localisation trials with their errors, CSV.
  func writeTrials(_ path: String) throws(FileError) {
    let output = try TextWriter(path: path)
    output.append(
      "participant,condition,trial,target_lateral_deg,target_polar_deg,response_lateral_deg,"
        + "response_polar_deg,lateral_error_deg,polar_error_deg,angular_error_deg,class,"
        + "front_back_confusion,up_down_confusion,response_time_s\n")
    for group in groups {
      for row in group.rows {
        guard let trial = PointingTrial(row) else { continue }
        output.append(
          [group.participant, group.condition, row[.trial]].map(csvField).joined(separator: ","))
        for number in [
          trial.targetAngles.lateral, trial.targetAngles.polar, trial.responseAngles.lateral,
          trial.responseAngles.polar, trial.lateralError, trial.polarError, trial.angle,
        ] {
          output.append(",")
          output.append(number)
        }
        let confusions = [
          trial.canConfuseFrontBack ? "\(trial.confusesFrontBack)" : "",
          trial.canConfuseUpDown ? "\(trial.confusesUpDown)" : "",
        ]
        output.append(
          ",\(trial.errorClass.rawValue),\(confusions.joined(separator: ",")),\(row[.responseTime])\n"
        )
      }
    }
    try output.commit()
  }

  /// Everything, as one JSON object.
  public var json: String {
    func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "null" }
    func text(_ value: String?) -> String { value.map(jsonText) ?? "null" }
    let figures = estimates.map { estimate in
      """
      {"participant": \(text(estimate.participant)), "condition": \(text(estimate.condition)), \
      "system": \(text(estimate.system)), "metric": \(jsonText(estimate.metric.rawValue)), \
      "value": \(number(estimate.value)), "low_95": \(number(estimate.interval?.lowerBound)), \
      "high_95": \(number(estimate.interval?.upperBound)), "count": \(estimate.count), \
      "interval_by": \(text(estimate.interval == nil ? nil : estimate.method.rawValue))}
      """
    }
    let pairs = comparisons.map { comparison in
      """
      {"factor": \(jsonText(comparison.factor)), "first": \(jsonText(comparison.first)), \
      "second": \(jsonText(comparison.second)), "metric": \(jsonText(comparison.metric.rawValue)), \
      "participants": \(comparison.count), "difference": \(comparison.difference), \
      "low_95": \(number(comparison.interval?.lowerBound)), \
      "high_95": \(number(comparison.interval?.upperBound)), "p": \(comparison.p), \
      "p_holm": \(comparison.correctedP)}
      """
    }
    let notes = flags.map { flag in
      """
      {"kind": \(jsonText(flag.kind.rawValue)), "participant": \(jsonText(flag.participant)), \
      "text": \(jsonText(flag.text))}
      """
    }
    let people = collection.sessions.map { session in
      """
      {"participant": \(jsonText(session.participant)), "rows": \(session.rows.count), \
      "is_complete": \(session.isComplete), "is_simulated": \(session.isSimulated)}
      """
    }
    return """
      {"format": "aurient-listening-analysis", "version": 1, "test": \(jsonText(collection.test)), \
      "test_hash": \(jsonText(collection.testHash)), "type": \(jsonText(collection.type.rawValue)), \
      "factors": [\(factors.map(jsonText).joined(separator: ", "))], \
      "resamples": \(options.resamples), "seed": \(options.seed), \
      "median_by": \(jsonText(options.gate.rawValue)), \
      "skipped_reversals": \(options.skippedReversals), "lapse_rate": \(options.lapseRate), \
      "participants": [
      \(people.joined(separator: ",\n"))
      ], "flags": [
      \(notes.joined(separator: ",\n"))
      ], "figures": [
      \(figures.joined(separator: ",\n"))
      ], "comparisons": [
      \(pairs.joined(separator: ",\n"))
      ]}

      """
  }
}
