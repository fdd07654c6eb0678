import Testing

@testable import ListeningTest

/// What makes a square Latin and balanced, by E. J. Williams's definition (1949).
@Suite struct LatinSquareTests {
  @Test(arguments: 2...11) func isBalanced(count: Int) {
    let rows = LatinSquare.rows(count)
    #expect(rows.count == (count % 2 == 0 ? count : 2 * count))
    for place in 0..<count {
      let column = rows.map { $0[place] }
      for condition in 0..<count {
        #expect(column.count { $0 == condition } == rows.count / count)
      }
    }
    var successions: [[Int]: Int] = [:]
    for row in rows {
      #expect(row.sorted() == Array(0..<count))
      for place in 1..<count { successions[[row[place - 1], row[place]], default: 0] += 1 }
    }
    #expect(successions.count == count * (count - 1))
    #expect(Set(successions.values) == [rows.count / count])
  }

  @Test func ofOneIsOneRow() { #expect(LatinSquare.rows(1) == [[0]]) }
}
