extension Scenario {
  /// Adds the exchanges of a later recording, with new identifiers, behind those that it has.
  mutating func add(_ recorded: Scenario) {
    var ids = Set(exchanges.map(\.id))
    var renamed: [String: String] = [:]
    var number = exchanges.count
    for var exchange in recorded.exchanges {
      var id: String
      repeat {
        number += 1
        id = number < 10 ? "0\(number)" : "\(number)"
      } while !ids.insert(id).inserted
      renamed[exchange.id] = id
      exchange.id = id
      if let cause = exchange.cause {
        exchange.cause = renamed[cause.exchange].map { Cause(cause.kind, of: $0) }
      }
      exchange.request.target = shorten(recorded.url(of: exchange.request.target) ?? exchange.request.target)
      // The names of its files may be taken.
      exchange.request.body?.file = nil
      exchange.reply.body?.file = nil
      exchanges.append(exchange)
    }
  }
}
