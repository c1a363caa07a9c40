import StagecoachCore
import StagecoachFormats

/// Why no exchange answers a request: the recorded requests that are most like it, and what differs.
struct ReplayDiagnosis {
  /// The number of recorded requests that are shown.
  private static let limit = 3

  let text: String

  /// - Parameters:
  ///   - live: The request, of which no secret is shown.
  /// - Throws: ``RedactionError`` if it is too large to be searched for secrets.
  init(
    _ live: LiveRequest,
    _ exchanges: [ReplayedExchange],
    title: String?,
    _ state: ReplayState
  ) throws(RedactionError) {
    let requests = AlignedRequests(live)
    let redactor = Redactor()
    let all = exchanges.map { (exchange: $0, differences: $0.comparison.differences(requests)) }
    let ranked = all.sorted {
      (Self.weight($0.differences), $0.exchange.position) < (
        Self.weight($1.differences), $1.exchange.position
      )
    }
    var lines: [String] = []
    var first: LiveRequest?
    for (exchange, differences) in ranked.prefix(Self.limit) {
      let comparison = exchange.comparison
      let aligned = comparison.secrets.map { requests.aligned(with: $0) }
      let listed = exchange.recorded.redacted
      let shown: LiveRequest = try (aligned?.request ?? live).redacted(by: redactor, listed)
      first = first ?? shown
      lines.append("  \(exchange.recorded.id)  \(comparison.recorded.method) \(comparison.recorded.url)")
      let match = ReplayMatch(exchange: exchange, values: aligned?.values ?? [])
      if differences.isEmpty, let refusal = state.refusal(of: match, of: exchanges) {
        lines.append("      equal, but \(Self.text(of: refusal, of: exchange, state))")
      }
      for sentence in comparison.sentences(differences, shown) { lines.append("      \(sentence)") }
      if let rules = Self.rules(for: requests, shown, exchange) {
        lines.append("      it would answer with \(rules)")
      }
    }
    if ranked.count > Self.limit { lines.append("  and \(ranked.count - Self.limit) others") }
    let request: LiveRequest
    if let first { request = first } else { request = try live.redacted(by: redactor) }
    lines.insert(
      "no exchange of \"\(title ?? "the scenario")\" answers \(request.method) \(request.url)",
      at: 0
    )
    text = lines.map(Format.oneLine).joined(separator: "\n")
  }

  /// The rules with which an exchange would answer a request, to be pasted into the manifest; `nil` if there are none.
  private static func rules(
    for requests: AlignedRequests,
    _ shown: LiveRequest,
    _ exchange: ReplayedExchange
  ) -> String? {
    let comparison = exchange.comparison
    let rules = RuleInference.rules(for: shown, recorded: comparison.recorded)
    let match = rules.compactMap { try? MatchRule($0, of: exchange.recorded.id, in: "match") }
    guard !rules.isEmpty, match.count == rules.count,
      comparison.adding(match).differences(requests).isEmpty
    else { return nil }
    let object = JSONObject(rules.map { JSONObject.Member(key: $0.place, value: $0.condition) })
    let text = String(decoding: JSONValue.object(object).serialized(), as: UTF8.self)
    return #""match": \#(text)"#
  }

  /// Differences of the method and the path count more than those of a parameter.
  private static func weight(_ differences: RequestComparison.Differences) -> Int {
    (differences.plain.map(\.part) + differences.mismatches.map(\.part)).reduce(0) { sum, part in
      switch part {
      case .path: sum + 10
      case .method: sum + 5
      default: sum + 1
      }
    }
  }

  private static func text(
    of refusal: ReplayState.Refusal,
    of exchange: ReplayedExchange,
    _ state: ReplayState
  ) -> String {
    switch refusal {
    case .isUsedUp:
      let list = state.requests(answeredBy: exchange).map { "#\($0)" }.joined(separator: ", ")
      return "it was used by request \(list)"
    case .requires(let state):
      let value = state.value.map { "\"\($0)\"" } ?? "not set"
      return "it requires that the state \(state.name) is \(value)"
    case .isOther(let secret): return "it has another secret than \(secret.text)"
    case .isAfter(let exchange): return "exchange \(exchange.recorded.id) has to come before it"
    }
  }
}
