import HTTPTypes
import StagecoachCore

/// Finds the exchange of an older recording that a new one stands for.
struct ScenarioAlignment {
  private let old: Scenario
  /// The positions of the exchanges that are not taken, by their method and path.
  private var left: [String: [Int]] = [:]

  init(_ old: Scenario) {
    self.old = old
    for (position, exchange) in old.exchanges.enumerated() {
      left[Self.key(of: exchange, in: old), default: []].append(position)
    }
  }

  /// The position of the old exchange, which is taken: of those with an equal request the first one with the same status.
  mutating func take(_ exchange: Scenario.Exchange, in new: Scenario) -> Int? {
    let key = Self.key(of: exchange, in: new)
    guard let positions = left[key], !positions.isEmpty else { return nil }
    let ranks = positions.map { position -> Int in
      let other = old.exchanges[position]
      let hasBody = Scenario.Body.isEqual(other.request.body, exchange.request.body)
      let hasStatus =
        other.reply.head?.response.status.code == exchange.reply.head?.response.status.code
        && other.reply.outcome.kind == exchange.reply.outcome.kind
      return (hasBody ? 0 : 2) + (hasStatus ? 0 : 1)
    }
    guard let best = ranks.indices.min(by: { ranks[$0] < ranks[$1] }) else { return nil }
    return left[key]?.remove(at: best)
  }

  /// The old exchanges that were not taken, with their positions.
  var rest: [(position: Int, exchange: Scenario.Exchange)] {
    left.values.flatMap(\.self).map { ($0, old.exchanges[$0]) }
  }

  private static func key(of exchange: Scenario.Exchange, in scenario: Scenario) -> String {
    let (_, path) = scenario.parts(of: exchange.request.target)
    return String(
      decoding: VolatileText.normalized(Array("\(exchange.request.method) \(path)".utf8)),
      as: UTF8.self
    )
  }
}
