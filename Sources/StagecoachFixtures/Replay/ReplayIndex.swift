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
  /// What stands for the secrets of the scenario.
  let identities: SecretBindings.Identities
  private var byKey: [Key: [ReplayMatch]] = [:]
  /// Those with rules for the method or the path, or with secrets in it.
  private var general: [ReplayMatch] = []

  /// - Throws: ``ScenarioError`` if a rule is malformed.
  init(_ scenario: Scenario) throws {
    // Many exchanges have the same request.
    var known: [Scenario.Request: [ReplayedExchange]] = [:]
    var identities = SecretBindings.Identities()
    exchanges = try scenario.exchanges.indices.map { index in
      let recorded = scenario.exchanges[index]
      let equal = known[recorded.request]?.first { $0.recorded.redacted == recorded.redacted }
      let exchange = try ReplayedExchange(at: index, in: scenario, secrets: equal?.comparison.secrets)
      if let secrets = exchange.comparison.secrets, equal == nil {
        known[recorded.request, default: []].append(exchange)
        identities.add(secrets)
      }
      if let secrets = exchange.reply.secrets { identities.add(secrets) }
      return exchange
    }
    self.identities = identities
    for exchange in exchanges {
      if exchange.comparison.findsOtherPaths {
        general.append(ReplayMatch(exchange: exchange))
      } else {
        byKey[Key(exchange.comparison.recorded), default: []].append(ReplayMatch(exchange: exchange))
      }
    }
  }

  /// The exchanges whose request a request is equal to, in their order.
  func matches(for live: LiveRequest) -> [ReplayMatch] {
    let known = byKey[Key(live)] ?? []
    // Mostly there is one, which needs no other array.
    if general.isEmpty, known.count == 1, known[0].exchange.comparison.secrets == nil,
      known[0].exchange.comparison.accepts(live)
    {
      return known
    }
    var aligned: AlignedRequests?
    func match(_ match: ReplayMatch) -> ReplayMatch? {
      let comparison = match.exchange.comparison
      guard let secrets = comparison.secrets else { return comparison.accepts(live) ? match : nil }
      guard comparison.hasOrigin(of: live) else { return nil }
      let requests = aligned ?? AlignedRequests(live)
      aligned = requests
      let request = requests.aligned(with: secrets)
      guard comparison.accepts(request, live) else { return nil }
      return ReplayMatch(exchange: match.exchange, fields: request.request.fields, values: request.values)
    }
    let found = known.compactMap(match)
    guard !general.isEmpty else { return found }
    return (found + general.compactMap(match)).sorted { $0.exchange.position < $1.exchange.position }
  }
}
