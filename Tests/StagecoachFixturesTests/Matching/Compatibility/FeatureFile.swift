/// The scenarios of a .feature file.
struct FeatureFile {
  struct Step {
    let text: String
    var table: [[String]] = []

    /// The rows of the table by the names of its columns.
    var rows: [[String: String]] {
      guard let names = table.first else { return [] }
      return table.dropFirst().map { row in
        Dictionary(zip(names, row).filter { !$0.1.isEmpty }) { $1 }
      }
    }
  }

  struct Scenario {
    let name: String
    var steps: [Step] = []
  }

  /// The scenarios, with the steps of the background in front.
  private(set) var scenarios: [Scenario] = []

  init(parsing text: String) {
    var background: [Step] = []
    var isBackground = false
    for line in text.split(separator: "\n").map({ $0.trimmingPrefix { $0 == " " } }) {
      if line.hasPrefix("Background:") {
        isBackground = true
      } else if line.hasPrefix("Scenario:") {
        isBackground = false
        scenarios.append(Scenario(name: Self.trim(line.dropFirst(9)), steps: background))
      } else if line.hasPrefix("|") {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map(
          Self.trim
        )
        if isBackground {
          background[background.count - 1].table.append(cells)
        } else {
          let last = scenarios.count - 1
          scenarios[last].steps[scenarios[last].steps.count - 1].table.append(cells)
        }
      } else if let word = ["Given ", "When ", "Then ", "And ", "But "].first(where: { line.hasPrefix($0) }) {
        let step = Step(text: Self.trim(line.dropFirst(word.count)))
        if isBackground {
          background.append(step)
        } else {
          scenarios[scenarios.count - 1].steps.append(step)
        }
      }
    }
  }

  private static func trim(_ text: some StringProtocol) -> String {
    let text = text.drop { $0.isWhitespace }
    return String(text.reversed().drop { $0.isWhitespace }.reversed())
  }
}
