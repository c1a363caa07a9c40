/// The exchanges of a scenario by method, origin and path.
struct ReplayIndex: Sendable {
  private struct Key: Hashable {
    let method: String
    let scheme: String
    let authority: String
    let path: Substring

    init(_ request: LiveRequest) {
      (method, path) = (request.method, request.path)
      (scheme, authority) = (request.scheme, request.authority)
    }
  }

  /// In the order of the scenario.
  let exchanges: [ReplayedExchange]
  private var byKey: [Key: [ReplayedExchange]] = [:]
  /// Those with rules for the method or the path.
  private var general: [ReplayedExchange] = []

  /// - Throws: ``ScenarioError`` if a rule is malformed.
  init(_ scenario: Scenario) throws {
    exchanges = try scenario.exchanges.indices.map { try ReplayedExchange(at: $0, in: scenario) }
    for exchange in exchanges {
      if exchange.comparison.findsOtherPaths {
        general.append(exchange)
      } else {
        byKey[Key(exchange.comparison.recorded), default: []].append(exchange)
      }
    }
  }

  /// The exchanges whose request a request is equal to, in their order.
  func exchanges(for live: LiveRequest) -> [ReplayedExchange] {
    let known = byKey[Key(live)] ?? []
    // Mostly there is one, which needs no other array.
    let isAccepted = known.count == 1 && known[0].comparison.accepts(live)
    let found = isAccepted ? known : known.filter { $0.comparison.accepts(live) }
    guard !general.isEmpty else { return found }
    return (found + general.filter { $0.comparison.accepts(live) }).sorted { $0.position < $1.position }
  }
}
