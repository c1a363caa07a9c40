/// What a replay remembers: which exchanges answered, the states, and what stands for secrets.
struct ReplayState {
  private(set) var uses: [Int]
  private(set) var answered: [Int] = []
  /// The requests that no exchange answered.
  private(set) var unmatched: [String] = []
  private var values: [String: String] = [:]
  private var bindings: SecretBindings
  private let order: Scenario.Policy.Order
  /// The first exchange that requests of an origin still have to use, for ``order``; all before it were used.
  private var open: [String: Int] = [:]

  init(_ scenario: Scenario, _ index: ReplayIndex) {
    uses = Array(repeating: 0, count: scenario.exchanges.count)
    order = scenario.policy.order
    bindings = SecretBindings(index.identities)
  }

  /// Why an exchange that is equal to a request does not answer it.
  enum Refusal {
    case isUsedUp
    case requires(Scenario.State)
    case isAfter(ReplayedExchange)
    /// The request has another secret.
    case isOther(Placeholder)
  }

  /// An exchange that answers a request.
  struct Taken {
    let exchange: ReplayedExchange
    /// The live values of the secrets in its reply, as far as requests had them.
    let values: [Placeholder: [UInt8]]
  }

  /// How well an exchange fits a request. Greater is better.
  private struct Score: Comparable {
    /// Of an exchange without its request, only the path is known.
    let isComplete: Bool
    let fields: Int
    /// The number of values that stand for a secret for the first time: a leaf that is equal beats one that may be anything.
    let newSecrets: Int

    static func < (one: Score, other: Score) -> Bool {
      (one.isComplete ? 1 : 0, one.fields, -one.newSecrets)
        < (other.isComplete ? 1 : 0, other.fields, -other.newSecrets)
    }
  }

  /// Takes the exchange that answers a request: of those that may, the one whose fields are most alike, then the one with
  /// the most equal leaves, and then the first one.
  mutating func take(_ candidates: [ReplayMatch], for live: LiveRequest, of all: [ReplayedExchange]) -> Taken?
  {
    var best: (match: ReplayMatch, score: Score)?
    var repeated: ReplayMatch?
    if let exchange = candidates.first?.exchange { advance(to: exchange, of: all) }
    for candidate in candidates {
      let refusal = self.refusal(of: candidate.exchange, of: all)
      let isLast = if case .isUsedUp = refusal { candidate.exchange.recorded.times == .last } else { false }
      guard refusal == nil || isLast, case .fits(let count) = bindings.fit(candidate.values) else { continue }
      guard !isLast else {
        repeated = candidate
        continue
      }
      let score = Score(
        isComplete: !candidate.exchange.comparison.isOmitted,
        fields: candidates.count > 1
          ? candidate.exchange.comparison.score(candidate.fields ?? live.fields) : 0,
        newSecrets: count
      )
      if best.map({ score > $0.score }) ?? true { best = (candidate, score) }
    }
    guard let taken = best?.match ?? repeated else { return nil }
    uses[taken.exchange.position] += 1
    answered.append(taken.exchange.position)
    for state in taken.exchange.sets { values[state.name] = state.value }
    if !taken.values.isEmpty { bindings.bind(taken.values) }
    return Taken(
      exchange: taken.exchange,
      values: taken.exchange.reply.secrets.map { bindings.values(of: $0.placeholders) } ?? [:]
    )
  }

  /// The values that stand for secrets.
  var boundValues: [Placeholder: [UInt8]] { bindings.values }

  /// Remembers a request that no exchange answered; the first hundred are enough to see what is wrong.
  mutating func noteUnmatched(_ diagnosis: String) {
    if unmatched.count < 100 { unmatched.append(diagnosis) }
  }

  /// Why an exchange does not answer a request with some secrets now; `nil` if it does.
  func refusal(of match: ReplayMatch, of all: [ReplayedExchange]) -> Refusal? {
    if case .isOther(let placeholder) = bindings.fit(match.values) { return .isOther(placeholder) }
    return refusal(of: match.exchange, of: all)
  }

  /// Why an exchange does not answer now; `nil` if it does.
  private func refusal(of exchange: ReplayedExchange, of all: [ReplayedExchange]) -> Refusal? {
    if let limit = exchange.limit, uses[exchange.position] >= limit { return .isUsedUp }
    for state in exchange.requires where values[state.name] != state.value {
      return .requires(state)
    }
    guard order != .any, let first = firstOpen(for: exchange, of: all), first < exchange.position else {
      return nil
    }
    return .isAfter(all[first])
  }

  /// Where to look for the first exchange that has to be used before another one.
  private func orderKey(of exchange: ReplayedExchange) -> String {
    order == .strict ? "" : exchange.comparison.recorded.origin
  }

  private func firstOpen(for exchange: ReplayedExchange, of all: [ReplayedExchange]) -> Int? {
    let start = open[orderKey(of: exchange)] ?? 0
    return all[start...].firstIndex { earlier in
      uses[earlier.position] < earlier.minimum
        && (order == .strict || earlier.comparison.hasOrigin(of: exchange.comparison.recorded))
    }
  }

  /// Skips what was used, so that it is not looked at for each exchange of each request.
  private mutating func advance(to exchange: ReplayedExchange, of all: [ReplayedExchange]) {
    guard order != .any else { return }
    open[orderKey(of: exchange)] = firstOpen(for: exchange, of: all) ?? all.count
  }

  /// The numbers of the requests that an exchange answered, from 1.
  func requests(answeredBy exchange: ReplayedExchange) -> [Int] {
    answered.indices.filter { answered[$0] == exchange.position }.map { $0 + 1 }
  }

  /// The exchanges that were used less often than they say.
  func unused(of all: [ReplayedExchange]) -> [ReplayedExchange] {
    all.filter { uses[$0.position] < $0.minimum }
  }
}
