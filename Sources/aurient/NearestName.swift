/// The name that a mistyped word was meant to be: the nearest one at most two slips away, and fewer
/// for short words; nil if there is none.
func nearestName(to word: String, in names: [String]) -> String? {
  names.map { (name: $0, slips: editDistance(word, $0)) }
    .filter { $0.slips <= min(2, max(1, $0.name.count / 3)) }
    .min { $0.slips < $1.slips }?.name
}

/// The number of letters inserted, deleted, replaced or swapped with their neighbour that turns one
/// word into the other.
///
/// F. J. Damerau, "A technique for computer detection and correction of spelling errors", Comm. ACM
/// 7 (1964).
func editDistance(_ left: String, _ right: String) -> Int {
  let (left, right) = (Array(left), Array(right))
  var distances = [[Int]](
    repeating: [Int](repeating: 0, count: right.count + 1), count: left.count + 1)
  for i in 0...left.count {
    for j in 0...right.count {
      guard i > 0, j > 0 else {
        distances[i][j] = i + j
        continue
      }
      let replaced = distances[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
      distances[i][j] = min(replaced, distances[i - 1][j] + 1, distances[i][j - 1] + 1)
      if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
        distances[i][j] = min(distances[i][j], distances[i - 2][j - 2] + 1)
      }
    }
  }
  return distances[left.count][right.count]
}
