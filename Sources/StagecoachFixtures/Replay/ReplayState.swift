/// What a replay remembers: which exchanges answered, and the states.
struct ReplayState {
  private(set) var uses: [Int]
  private(set) var answered: [Int] = []
  /// The requests that no exchange answered.
  private(set) var unmatched: [String] = []
  private var values: [String: String] = [:]
  private let order: Scenario.Policy.Order

  init(_ scenario: Scenario) {
    uses = Array(repeating: 0, count: scenario.exchanges.count)
    order = scenario.policy.order
  }

  /// Why an exchange that is equal to a request does not answer it.
  enum Refusal {
    case isUsedUp(by: [Int])
    case requires(Scenario.State)
    case isAfter(ReplayedExchange)
  }

  /// Takes the exchange that answers a request: of those that may, the one whose fields are most alike, and then the
  /// first one.
  mutating func take(
    _ candidates: [ReplayedExchange],
    for live: LiveRequest,
    of all: [ReplayedExchange]
  ) -> ReplayedExchange? {
    var best: (exchange: ReplayedExchange, score: Int)?
    var repeated: ReplayedExchange?
    for candidate in candidates {
      switch refusal(of: candidate, of: all) {
      case nil: break
      case .isUsedUp where candidate.recorded.times == .last:
        repeated = candidate
        continue
      default: continue
      }
      let score = candidates.count > 1 ? candidate.comparison.score(live.fields) : 0
      if best.map({ score > $0.score }) ?? true { best = (candidate, score) }
    }
    guard let taken = best?.exchange ?? repeated else { return nil }
    uses[taken.position] += 1
    answered.append(taken.position)
    for state in taken.sets { values[state.name] = state.value }
    return taken
  }

  /// Remembers a request that no exchange answered; the first hundred are enough to see what is wrong.
  mutating func noteUnmatched(_ diagnosis: String) {
    if unmatched.count < 100 { unmatched.append(diagnosis) }
  }

  /// Why an exchange does not answer now; `nil` if it does.
  func refusal(of exchange: ReplayedExchange, of all: [ReplayedExchange]) -> Refusal? {
    if let limit = exchange.limit, uses[exchange.position] >= limit {
      let requests = answered.indices.filter { answered[$0] == exchange.position }
      return .isUsedUp(by: requests.map { $0 + 1 })
    }
    for state in exchange.requires where values[state.name] != state.value {
      return .requires(state)
    }
    guard order != .any else { return nil }
    return all.prefix(exchange.position).first { earlier in
      uses[earlier.position] < earlier.minimum
        && (order == .strict || earlier.comparison.hasOrigin(of: exchange.comparison.recorded))
    }.map(Refusal.isAfter)
  }

  /// The exchanges that were used less often than they say.
  func unused(of all: [ReplayedExchange]) -> [ReplayedExchange] {
    all.filter { uses[$0.position] < $0.minimum }
  }
}
