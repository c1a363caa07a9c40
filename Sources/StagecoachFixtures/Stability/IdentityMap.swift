import StagecoachCore

/// The secrets of a recording at their places, by which those of an older recording keep their names.
struct IdentityMap {
  /// The placeholders by their part and path.
  private(set) var placeholders: [String: Placeholder] = [:]

  init(_ exchange: Scenario.Exchange) {
    add(exchange.request.message, "request", exchange.redacted)
    if let reply = exchange.reply.message { add(reply, "reply", exchange.redacted) }
  }

  /// The secrets of the request alone.
  init(ofRequest exchange: Scenario.Exchange) {
    add(exchange.request.message, "request", exchange.redacted)
  }

  private mutating func add(_ message: RedactableMessage, _ side: String, _ list: [Scenario.RedactedLeaf]) {
    for part in MessageTree(message).parts where part.mayHoldIdentities(side, list) {
      let name = "\(side).\(part.name)"
      let listed = list.names(in: name)
      part.tree.forEachLeaf { place in
        if !listed.isEmpty, let identifier = listed[place.path] {
          placeholders["\(name) \(place.path)"] = Placeholder(identifier: identifier)
          return false
        }
        if place.leaf.inner == nil {
          for (number, found) in Placeholder.all(in: place.leaf.value).enumerated() {
            placeholders["\(name) \(place.path) \(number)"] = found.placeholder
          }
        }
        return true
      }
    }
  }
}

extension MessageTree.Part {
  /// Whether it has placeholders or made-up values.
  func mayHoldIdentities(_ side: String, _ list: [Scenario.RedactedLeaf]) -> Bool {
    tree.text.firstOffset(of: Placeholder.start) != nil || list.contains { $0.part == "\(side).\(name)" }
  }
}
