import StagecoachCore
import StagecoachFormats

/// Why no exchange answers a request: the recorded requests that are most like it, and what differs.
struct ReplayDiagnosis {
  /// The number of recorded requests that are shown.
  private static let limit = 3

  let text: String

  /// - Parameter live: The request without its secrets.
  init(_ live: LiveRequest, _ exchanges: [ReplayedExchange], title: String?, _ state: ReplayState) {
    var lines = ["no exchange of \"\(title ?? "the scenario")\" answers \(live.method) \(live.url)"]
    let ranked = exchanges.map { (exchange: $0, differences: $0.comparison.differences(live)) }.sorted {
      (Self.weight($0.differences), $0.exchange.position) < (
        Self.weight($1.differences), $1.exchange.position
      )
    }
    for (exchange, differences) in ranked.prefix(Self.limit) {
      let request = exchange.comparison.recorded
      lines.append("  \(exchange.recorded.id)  \(request.method) \(request.url)")
      if differences.isEmpty, let refusal = state.refusal(of: exchange, of: exchanges) {
        lines.append("      equal, but \(Self.text(of: refusal))")
      }
      for difference in differences { lines.append("      \(difference.text)") }
      if let rules = Self.rules(for: live, exchange) { lines.append("      it would answer with \(rules)") }
    }
    if ranked.count > Self.limit { lines.append("  and \(ranked.count - Self.limit) others") }
    text = lines.map(Format.oneLine).joined(separator: "\n")
  }

  /// The rules with which an exchange would answer a request, to be pasted into the manifest; `nil` if there are none.
  private static func rules(for live: LiveRequest, _ exchange: ReplayedExchange) -> String? {
    let rules = RuleInference.rules(for: live, recorded: exchange.comparison.recorded)
    let match = rules.compactMap { try? MatchRule($0, of: exchange.recorded.id, in: "match") }
    guard !rules.isEmpty, match.count == rules.count, exchange.comparison.accepts(live, with: match) else {
      return nil
    }
    let object = JSONObject(rules.map { JSONObject.Member(key: $0.place, value: $0.condition) })
    let text = String(decoding: JSONValue.object(object).serialized(), as: UTF8.self)
    return #""match": \#(text)"#
  }

  /// Differences of the method and the path count more than those of a parameter.
  private static func weight(_ differences: [(part: MessagePart, text: String)]) -> Int {
    differences.reduce(0) { sum, difference in
      switch difference.part {
      case .path: sum + 10
      case .method: sum + 5
      default: sum + 1
      }
    }
  }

  private static func text(of refusal: ReplayState.Refusal) -> String {
    switch refusal {
    case .isUsedUp(let requests):
      let list = requests.map { "#\($0)" }.joined(separator: ", ")
      return "it was used by request \(list)"
    case .requires(let state):
      let value = state.value.map { "\"\($0)\"" } ?? "not set"
      return "it requires that the state \(state.name) is \(value)"
    case .isAfter(let exchange): return "exchange \(exchange.recorded.id) has to come before it"
    }
  }
}
