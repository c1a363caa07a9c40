import HTTPTypes
import StagecoachCore

/// Finds the exchanges of an older recording that those of a new one stand for.
struct ScenarioAlignment {
  /// What two recordings of one exchange have in common.
  struct Signature: Sendable, Hashable {
    /// The method and the path.
    let key: [UInt8]
    /// The method and the path, without the values of the query.
    fileprivate let keyWithoutValues: [UInt8]
    private let content: [UInt8]
    private let status: Int?
    private let outcome: Scenario.Outcome.Kind
    /// The secrets of the request.
    private let identities: [String: Placeholder]

    /// Secrets count by their names alone, and volatile texts by their forms.
    init(_ exchange: Scenario.Exchange, in scenario: Scenario) {
      let (_, path) = scenario.parts(of: exchange.request.target)
      let line = Array("\(exchange.request.method) \(path)".utf8)
      key = VolatileText.normalized(Placeholder.withoutNumbers(line))
      let tree = TextTree(target: key)
      keyWithoutValues = tree.rewritten { $0.isIn("query") ? .value([]) : .none }
      content = VolatileText.normalized(Placeholder.withoutNumbers(exchange.neutralContent))
      status = exchange.reply.head?.response.status.code
      outcome = exchange.reply.outcome.kind
      identities = IdentityMap(ofRequest: exchange).placeholders
    }

    /// What two exchanges with one key have in common: the content counts most, then the names of the secrets.
    fileprivate func likeness(_ other: Signature) -> Int {
      (content == other.content ? 4 : 0) + (identities == other.identities ? 2 : 0)
        + (status == other.status && outcome == other.outcome ? 1 : 0)
    }

    fileprivate func isLike(_ other: Signature) -> Bool {
      content == other.content && status == other.status && outcome == other.outcome
    }
  }

  /// The position of the old exchange for each new one.
  private(set) var positions: [Int?]

  /// Of the old exchanges with one method and path, one with an equal content and status is taken first, then the first
  /// that is left.
  ///
  /// - Parameter ignoresParameters: Whether those that are left may differ in the values of their queries.
  init(old: [Signature], new: [Signature], ignoresParameters: Bool = false) {
    positions = Array(repeating: nil, count: new.count)
    var left: [[UInt8]: [Int]] = [:]
    for (position, signature) in old.enumerated() { left[signature.key, default: []].append(position) }
    for likeness in (0...7).reversed() {
      for (index, signature) in new.enumerated() where positions[index] == nil {
        guard
          let found = left[signature.key]?.firstIndex(where: { old[$0].likeness(signature) == likeness })
        else { continue }
        positions[index] = left[signature.key]?.remove(at: found)
      }
    }
    guard ignoresParameters else { return }
    var others = Dictionary(grouping: left.values.joined().sorted(by: >)) { old[$0].keyWithoutValues }
    for (index, signature) in new.enumerated() where positions[index] == nil {
      positions[index] = others[signature.keyWithoutValues]?.popLast()
    }
  }
}

extension ScenarioAlignment {
  /// Finds the old exchanges of those alone about which there is no doubt: as many are alike in the one recording as in the
  /// other, but for the numbers of their secrets.
  init(certain old: [Signature], _ new: [Signature]) {
    positions = Array(repeating: nil, count: new.count)
    let keys = Dictionary(grouping: old.indices) { old[$0].key }
    for (key, indices) in Dictionary(grouping: new.indices, by: { new[$0].key }) {
      var before = keys[key] ?? []
      var now = indices
      while let first = now.first {
        let alike = now.filter { new[$0].isLike(new[first]) }
        let older = before.filter { old[$0].isLike(new[first]) }
        if alike.count == older.count {
          for (index, position) in zip(alike, older) { positions[index] = position }
        }
        now.removeAll { alike.contains($0) }
        before.removeAll { older.contains($0) }
      }
    }
  }
}

extension Scenario.Exchange {
  /// The content of the request with placeholders in place of made-up values.
  fileprivate var neutralContent: [UInt8] {
    let names = redacted.names(in: "request.body")
    var message = request.message
    message.target = nil
    guard !names.isEmpty, let body = MessageTree(message).parts.first(where: { $0.name == "body" }) else {
      return request.body?.bytes.array ?? []
    }
    return body.tree.rewritten { place in
      guard let name = names[place.path], let placeholder = Placeholder(identifier: name) else {
        return .inside
      }
      return .value(Array(placeholder.text.utf8))
    }
  }
}

extension Placeholder {
  /// Returns a text with the number 1 in all placeholders.
  static func withoutNumbers(_ text: [UInt8]) -> [UInt8] {
    var (result, end): ([UInt8], Int) = ([], 0)
    for (range, placeholder) in all(in: text) {
      result += text[end..<range.lowerBound] + Array(Placeholder(name: placeholder.name, number: 1).text.utf8)
      end = range.upperBound
    }
    return result + text[end...]
  }
}
