import HTTPTypes
import StagecoachFormats

/// A recorded message with secrets: the leaves in which placeholders and made-up values stand for them.
///
/// A class, for many exchanges may share it.
final class RedactedMessage: Sendable {
  /// A text of a message: fields are told apart by their names and their position among those with the same name.
  enum Part: Sendable, Hashable {
    case target, body
    case field(String, Int)
    case trailer(String, Int)
  }

  /// A leaf that stands for a secret, or has placeholders in it.
  fileprivate struct Hidden: Sendable {
    let value: [UInt8]
    let type: Leaf.ValueType
    let content: Content

    enum Content: Sendable {
      case whole(Placeholder)
      case text(PlaceholderPattern)
    }

    var placeholders: [Placeholder] {
      switch content {
      case .whole(let placeholder): [placeholder]
      case .text(let pattern): pattern.placeholders
      }
    }
  }

  fileprivate struct HiddenText: Sendable {
    let part: Part
    /// The leaves by their paths.
    var leaves: [String: Hidden] = [:]
    /// The last steps of the paths: most leaves of a live message are passed by for having another one.
    var steps: Set<TextTree.Step> = []
    /// The text, if placeholders are outside of its leaves.
    var pattern: PlaceholderPattern?
    /// The leaves of credentials and cookies that are no secrets, such as a user: they belong to the secret beside them.
    var others: [String: [UInt8]] = [:]

    var placeholders: Set<Placeholder> {
      leaves.values.reduce(into: Set(pattern?.placeholders ?? [])) { $0.formUnion($1.placeholders) }
    }
  }

  /// A leaf that stands for a secret, or is of the same credentials, and has no counterpart in a live message.
  struct Fault: Sendable {
    let part: Part
    let path: String
    /// What is wrong, without live values.
    let text: String
  }

  /// A live message with what the recorded one has in place of secrets.
  struct Alignment: Sendable {
    var message: RedactableMessage
    /// The live values of the secrets.
    var values: [(Placeholder, [UInt8])] = []
    var faults: [Fault] = []
  }

  private let message: RedactableMessage
  private let texts: [HiddenText]
  /// The secrets in it.
  let placeholders: Set<Placeholder>
  /// The made-up values in it, which stand for secrets because they are listed.
  let madeUp: [(placeholder: Placeholder, value: [UInt8])]

  /// Reads a message; `nil` if it has no secrets.
  ///
  /// - Parameters:
  ///   - side: `request` or `reply`.
  ///   - listed: The made-up values of the exchange.
  init?(_ message: RedactableMessage, side: String, listed: [Scenario.RedactedLeaf]) {
    self.message = message
    var texts: [HiddenText] = []
    var madeUp: [(placeholder: Placeholder, value: [UInt8])] = []
    for (place, part) in message.parts {
      let name = "\(side).\(part.name)"
      let known = listed.filter { $0.part == name }
      let text = message.text(at: place)
      guard !known.isEmpty || text.mayHavePlaceholders else { continue }
      let paths = Dictionary(known.map { ($0.path, $0.name) }) { first, _ in first }
      if let hidden = Self.read(message.tree(at: place, part), part, paths, &madeUp) { texts.append(hidden) }
    }
    // Cookies may come in one field or in several (RFC 9113 8.2.3), so that all of them belong to one secret.
    if texts.contains(where: { $0.part.fieldName == "cookie" }) {
      for (place, part) in message.parts
      where part.fieldName == "cookie" && !texts.contains(where: { $0.part == part }) {
        texts.append(HiddenText(part: part, others: Self.others(in: message.tree(at: place, part))))
      }
    }
    self.texts = texts
    self.madeUp = madeUp
    placeholders = texts.reduce(into: []) { $0.formUnion($1.placeholders) }
    if placeholders.isEmpty { return nil }
  }

  private static func read(
    _ tree: TextTree,
    _ part: Part,
    _ listed: [String: String],
    _ madeUp: inout [(placeholder: Placeholder, value: [UInt8])]
  ) -> HiddenText? {
    var hidden = HiddenText(part: part)
    func add(_ place: LeafPlace, _ content: Hidden.Content) -> Bool {
      hidden.leaves[place.path] = Hidden(value: place.leaf.value, type: place.leaf.type, content: content)
      hidden.steps.insert(place.node.step)
      return false
    }
    tree.forEachLeaf { place in
      let leaf = place.leaf
      if !listed.isEmpty, let placeholder = listed[place.path].flatMap({ Placeholder(identifier: $0) }) {
        madeUp.append((placeholder, leaf.value))
        return add(place, .whole(placeholder))
      }
      if leaf.type == .text {
        if let placeholder = Placeholder(filling: leaf.value) { return add(place, .whole(placeholder)) }
        if leaf.inner?.tree.gapPattern != nil || leaf.inner == nil,
          let pattern = PlaceholderPattern(leaf.value)
        {
          return add(place, .text(pattern))
        }
      }
      return true
    }
    hidden.pattern = tree.gapPattern
    guard !hidden.leaves.isEmpty || hidden.pattern != nil else { return nil }
    if part.isWhole { hidden.others = others(in: tree, beside: hidden.leaves) }
    return hidden
  }

  /// The leaves beside secrets, except those that a challenge made up.
  private static func others(in tree: TextTree, beside hidden: [String: Hidden] = [:]) -> [String: [UInt8]] {
    var others: [String: [UInt8]] = [:]
    tree.forEachLeaf { place in
      guard hidden[place.path] == nil else { return false }
      if place.leaf.inner == nil, !place.node.step.isOfChallenge { others[place.path] = place.leaf.value }
      return true
    }
    return others
  }

  /// Whether there are secrets in the path of the target.
  var hidesPath: Bool {
    texts.contains { text in
      text.part == .target && (text.pattern != nil || text.leaves.keys.contains { $0.hasPrefix("path") })
    }
  }

  /// The secrets in some of its texts.
  func placeholders(in isIncluded: (Part) -> Bool) -> Set<Placeholder> {
    texts.filter { isIncluded($0.part) }.reduce(into: []) { $0.formUnion($1.placeholders) }
  }

  /// Whether there are secrets in the body.
  var hidesBody: Bool { texts.contains { $0.part == .body } }

  // MARK: Aligning

  /// Returns a live message with the recorded texts in all leaves that stand for secrets, where it has a leaf of the same
  /// type that is not empty. All else stays as it is, so that a comparison finds what differs.
  func aligned(_ live: RedactableMessage) -> Alignment { aligned(LiveTexts(live)) }

  /// - Parameter live: A message whose trees are read once for all recorded ones.
  func aligned(_ live: LiveTexts) -> Alignment {
    var result = Alignment(message: live.message)
    var changed: Set<RedactableMessage.Place> = []
    for text in texts {
      var (found, equal): (Set<String>, Set<String>) = ([], [])
      for place in live.places(of: text.part)
      where found.count < max(text.leaves.count, 1) || equal.count < text.others.count {
        // One field may have the cookies of several recorded ones.
        let isChanged = changed.contains(place)
        let tree = isChanged ? result.message.tree(at: place, text.part) : live.tree(at: place, text.part)
        if let values = text.pattern?.values(in: tree.text) {
          result.message.set(message.text(of: text.part), place)
          result.values += values
          (found, equal) = (Set(text.leaves.keys), Set(text.others.keys))
          break
        }
        let count = found.count
        let aligned = tree.rewritten({ leaf in
          guard text.steps.contains(leaf.node.step) || !text.others.isEmpty else { return .inside }
          let path = leaf.path
          if text.others[path] == leaf.leaf.value { equal.insert(path) }
          guard let hidden = text.leaves[path] else { return .inside }
          guard let values = hidden.values(in: leaf.leaf) else { return .none }
          found.insert(path)
          result.values += values
          return .value(hidden.value)
        })
        guard found.count > count else { continue }
        result.message.set(aligned, place)
        changed.insert(place)
      }
      result.faults += text.faults(found: found, equal: equal)
    }
    return result
  }

  // MARK: Filling

  /// Returns the message with values in the leaves that stand for secrets, each written as its format asks for. A secret
  /// without a value stays, and a number if the value is none.
  func filled(_ value: (Placeholder) -> [UInt8]?) -> RedactableMessage {
    var result = message
    for (place, part) in message.parts {
      guard let text = texts.first(where: { $0.part == part }) else { continue }
      var filled = message.tree(at: place, part).rewritten({ leaf in
        guard text.steps.contains(leaf.node.step), let hidden = text.leaves[leaf.path] else { return .inside }
        switch hidden.content {
        case .text(let pattern): return .value(pattern.filled(value))
        case .whole(let placeholder):
          guard let octets = value(placeholder), hidden.type != .number || octets.isNumber else {
            return .none
          }
          return .value(octets)
        }
      })
      if text.pattern != nil { filled = PlaceholderPattern(filled)?.filled(value) ?? filled }
      result.set(filled, place)
    }
    return result
  }
}

/// The texts of a live message as trees, which are read when they are first asked for.
final class LiveTexts {
  let message: RedactableMessage
  private struct Key: Hashable {
    let place: RedactableMessage.Place
    let part: RedactedMessage.Part
  }

  private var trees: [Key: TextTree] = [:]
  private let parts: [(place: RedactableMessage.Place, part: RedactedMessage.Part)]

  init(_ message: RedactableMessage) {
    self.message = message
    parts = message.parts
  }

  /// Where the message may have a text. Cookies may come in one field or in several (RFC 9113 8.2.3), and are set in any
  /// order.
  func places(of part: RedactedMessage.Part) -> [RedactableMessage.Place] {
    let name = part.fieldName
    let isOfCookies = name == "cookie" || name == "set-cookie"
    return parts.filter { isOfCookies ? $0.part.fieldName == name : $0.part == part }.map(\.place)
  }

  /// Reads a text as if it were a part.
  func tree(at place: RedactableMessage.Place, _ part: RedactedMessage.Part) -> TextTree {
    let key = Key(place: place, part: part)
    if let tree = trees[key] { return tree }
    let tree = message.tree(at: place, part)
    trees[key] = tree
    return tree
  }
}

extension TextTree.Step {
  /// Whether it is a parameter that a service makes up for a challenge (RFC 7616 3.3).
  fileprivate var isOfChallenge: Bool {
    if case .parameter(let name, _) = self { return ["nonce", "opaque"].contains(name.lowercased()) }
    return false
  }
}

extension RedactedMessage.HiddenText {
  /// The leaves that were not found in a live message.
  fileprivate func faults(found: Set<String>, equal: Set<String>) -> [RedactedMessage.Fault] {
    guard found.count < leaves.count || equal.count < others.count else { return [] }
    let missing = leaves.filter { !found.contains($0.key) }.map { path, leaf in
      let names = leaf.placeholders.map(\.text).joined(separator: ", ")
      return (path, "Expected the secret \(names) but was missing")
    }
    let different = others.filter { !equal.contains($0.key) }.map { path, value in
      (path, "Expected '\(String(decoding: value, as: UTF8.self))' but was another value")
    }
    return (missing + different).sorted { $0.0 < $1.0 }.map {
      RedactedMessage.Fault(part: part, path: $0, text: $1)
    }
  }
}

extension RedactedMessage.Hidden {
  /// Returns the values of its secrets in a live leaf; `nil` if that is of another type, empty, or another text.
  func values(in live: Leaf) -> [(Placeholder, [UInt8])]? {
    guard live.type == type, !live.value.isEmpty else { return nil }
    switch content {
    case .whole(let placeholder): return [(placeholder, live.value)]
    case .text(let pattern): return pattern.values(in: live.value)
    }
  }
}

extension RedactedMessage.Part {
  /// The name of a field, in lower case; `nil` for other parts.
  var fieldName: String? {
    if case .field(let name, _) = self { return name }
    return nil
  }

  /// Whether a field with a secret counts as a whole: credentials (RFC 9110 11.6.2) and cookies.
  fileprivate var isWhole: Bool { ["authorization", "proxy-authorization", "cookie"].contains(fieldName) }

  /// The name in the list of made-up values.
  fileprivate var name: String {
    switch self {
    case .target: "target"
    case .field: "header"
    case .trailer: "trailer"
    case .body: "body"
    }
  }
}

extension RedactableMessage {
  /// The texts.
  fileprivate var parts: [(place: Place, part: RedactedMessage.Part)] {
    var parts: [(place: Place, part: RedactedMessage.Part)] = []
    if target != nil { parts.append((.target, .target)) }
    var (counts, trailerCounts) = (NameCounts(), NameCounts())
    for index in fields.indices {
      let name = fields[index].name.canonicalName
      parts.append((.field(index), .field(name, counts.next(name))))
    }
    if body != nil { parts.append((.body, .body)) }
    for index in trailers.indices {
      let name = trailers[index].name.canonicalName
      parts.append((.trailer(index), .trailer(name, trailerCounts.next(name))))
    }
    return parts
  }

  fileprivate func text(at place: Place) -> [UInt8] {
    switch place {
    case .target: Array((target ?? "").utf8)
    case .field(let index): fields[index].octets
    case .trailer(let index): trailers[index].octets
    case .body: body?.array ?? []
    }
  }

  fileprivate func text(of part: RedactedMessage.Part) -> [UInt8] {
    parts.first { $0.part == part }.map { text(at: $0.place) } ?? []
  }

  fileprivate func tree(at place: Place, _ part: RedactedMessage.Part) -> TextTree {
    switch (place, part) {
    case (.field(let index), .field(_, let number)): TextTree(field: fields[index], number: number)
    case (.trailer(let index), .trailer(_, let number)): TextTree(field: trailers[index], number: number)
    case (.target, _): TextTree(target: text(at: place))
    default: TextTree(content: text(at: place), mediaType)
    }
  }
}

extension TextTree {
  /// The text as a pattern, if placeholders are outside of its leaves; `nil` if there are none.
  fileprivate var gapPattern: PlaceholderPattern? {
    guard text.firstOffset(of: Placeholder.start) != nil else { return nil }
    var position = 0
    for node in nodes {
      guard let leaf = node.leaf else { continue }
      if hasPlaceholder(position..<leaf.range.lowerBound) { return PlaceholderPattern(text) }
      position = leaf.range.upperBound
    }
    return hasPlaceholder(position..<text.count) ? PlaceholderPattern(text) : nil
  }

  private func hasPlaceholder(_ range: Range<Int>) -> Bool {
    range.count > Placeholder.start.count && !Placeholder.all(in: Array(text[range])).isEmpty
  }
}

extension [UInt8] {
  /// The start of a placeholder, and what can be seen of it in the three ways that Base64 writes it.
  private static let marks =
    [Placeholder.start]
    + (0..<3).map { offset in
      Base64.core(of: Placeholder.start, offset: offset, urlSafe: false)
    }

  /// Whether there may be placeholders, also in Base64.
  fileprivate var mayHavePlaceholders: Bool { Self.marks.contains { firstOffset(of: $0) != nil } }

  /// Whether it is a number of JSON.
  fileprivate var isNumber: Bool {
    if case .number? = try? JSONValue(parsing: self) { return true }
    return false
  }
}

extension Placeholder {
  /// Parses a text that consists of one placeholder, or of one that is filled up with hyphens to keep a length.
  fileprivate init?(filling value: [UInt8]) {
    guard let found = Placeholder.parse(value, at: 0),
      value[found.end...].allSatisfy({ $0 == UInt8(ascii: "-") })
    else { return nil }
    self = found.placeholder
  }
}

extension RedactedMessage: HidesContent {}
extension RedactedMessage.Alignment: HidesContent {}
extension LiveTexts: HidesContent {}
