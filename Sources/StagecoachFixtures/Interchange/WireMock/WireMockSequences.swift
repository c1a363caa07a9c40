import StagecoachCore

/// The machines of states for WireMock: those of the scenario, and one for each request that is answered in turn.
struct WireMockSequences {
  struct Step {
    let name: String
    let requires: String?
    let sets: String?
  }

  private var steps: [Int: Step] = [:]
  private var lossy: Set<Int> = []

  /// - Parameter patterns: Those of the requests.
  init(_ scenario: Scenario, _ patterns: [JSONValue]) {
    var groups: [JSONValue: [Int]] = [:]
    for (index, exchange) in scenario.exchanges.enumerated() {
      let names = Set((exchange.requires + exchange.sets).map(\.name))
      if !names.isEmpty {
        steps[index] = Self.step(exchange)
        if names.count > 1 || exchange.requires.count > 1 || exchange.sets.count > 1 { lossy.insert(index) }
        continue
      }
      groups[patterns[index], default: []].append(index)
    }
    for group in groups.values where group.count > 1 {
      let name = "sequence \(scenario.exchanges[group[0]].id)"
      for (place, index) in group.enumerated() {
        steps[index] = Step(
          name: name,
          requires: place == 0 ? WireMockReader.initialState : "\(place + 1)",
          // The last one stays.
          sets: place + 1 < group.count ? "\(place + 2)" : nil
        )
      }
    }
  }

  private static func step(_ exchange: Scenario.Exchange) -> Step? {
    guard let name = (exchange.requires.first ?? exchange.sets.first)?.name else { return nil }
    func value(_ states: [Scenario.State]) -> String? {
      states.first { $0.name == name }.map { $0.value ?? WireMockReader.initialState }
    }
    return Step(name: name, requires: value(exchange.requires), sets: value(exchange.sets))
  }

  func step(of index: Int) -> Step? { steps[index] }

  func isLossy(_ index: Int) -> Bool { lossy.contains(index) }
}
