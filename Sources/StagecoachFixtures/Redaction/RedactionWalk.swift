import StagecoachFormats

/// A walk over the leaves of one message: it learns the secrets, or replaces them.
final class RedactionWalk {
  /// A message without secrets.
  struct Result {
    var message: RedactableMessage
    /// The leaves with made-up values.
    var listed: [Scenario.RedactedLeaf] = []
    /// What was replaced and kept.
    var summary = RedactionSummary()
  }

  let judge: SecretJudge
  let detector: (@Sendable (String) -> [String])?
  let context: SecretJudge.Context
  /// `request` or `reply`; `nil` where made-up values are not listed.
  let side: String?
  /// The made-up values that the message has.
  let listed: [Scenario.RedactedLeaf]
  /// Whether a value is replaced by as many octets.
  let keepsLengths: Bool
  /// Finds the secrets that are known; `nil` while they are learned.
  let finder: SecretFinder?
  var book: SecretBook

  init(
    judge: SecretJudge,
    detector: (@Sendable (String) -> [String])?,
    context: SecretJudge.Context,
    side: String?,
    listed: [Scenario.RedactedLeaf],
    keepsLengths: Bool,
    finder: SecretFinder?,
    book: SecretBook
  ) {
    (self.judge, self.detector, self.context) = (judge, detector, context)
    (self.side, self.listed, self.keepsLengths) = (side, listed, keepsLengths)
    (self.finder, self.book) = (finder, book)
  }

  /// Reads all parts of a message.
  func result(_ message: RedactableMessage, _ trees: MessageTree) -> Result {
    var result = Result(message: message)
    for part in trees.parts {
      var texts = PartWalk(walk: self, part: part, fieldName: message.fieldName(of: part.place))
      let text = texts.text()
      guard finder != nil else { continue }
      result.listed += texts.listed
      result.summary.add(texts.summary)
      if text != part.tree.text { result.message.set(text, part.place) }
    }
    return result
  }
}

/// A walk over one text of a message.
private struct PartWalk {
  let walk: RedactionWalk
  let part: MessageTree.Part
  let fieldName: String?
  var listed: [Scenario.RedactedLeaf] = []
  var summary = RedactionSummary()
  /// The paths of the made-up values that the text has, and their names.
  private let known: [String: String]
  /// Whether the text is content of which no part may get another length.
  private let keepsLengths: Bool

  init(walk: RedactionWalk, part: MessageTree.Part, fieldName: String?) {
    self.walk = walk
    self.part = part
    self.fieldName = fieldName
    let name = walk.side.map { "\($0).\(part.name)" }
    known = Dictionary(walk.listed.filter { $0.part == name }.map { ($0.path, $0.name) }) { first, _ in first
    }
    listed = walk.listed.filter { $0.part == name }
    keepsLengths = part.name == "body" && (walk.keepsLengths || !part.tree.isText)
  }

  private var isLearning: Bool { walk.finder == nil }

  mutating func text() -> [UInt8] {
    // The closures do not outlive the call: `rewritten` calls them one after the other.
    var copy = self
    let text = part.tree.rewritten({ copy.change($0) }, gap: { copy.text(of: Array($0)) })
    self = copy
    return text
  }

  // MARK: Leaves

  private mutating func change(_ place: LeafPlace) -> TextTree.Change {
    let leaf = place.leaf
    if !known.isEmpty, let name = known[place.path] {
      if let placeholder = Placeholder(identifier: name) { walk.book.note(placeholder) }
      return .none
    }
    if let placeholder = Placeholder(exactly: leaf.value) {
      walk.book.note(placeholder)
      return .none
    }
    let isKept = walk.judge.keeps(place, fieldName: fieldName)
    if let name = walk.judge.secretName(of: place, part: part, fieldName: fieldName, in: walk.context) {
      if !isKept { return whole(place, Placeholder.name(from: name)) }
      noteKept(place)
    } else if leaf.type == .text, let shape = SecretShapes.whole(leaf.value) {
      if !isKept { return whole(place, shape.placeholderName) }
      noteKept(place)
    }
    if leaf.type == .boolean || leaf.type == .null { return .none }
    if let placeholder = walk.book.placeholder(ofKnown: leaf.value) {
      return replacement(of: place, placeholder)
    }
    if leaf.inner != nil { return .inside }
    guard leaf.type == .text else { return .none }
    return text(of: leaf.value, isKept: isKept).map(TextTree.Change.value) ?? .none
  }

  /// Notes a secret that stays because the options say so, unless it is one elsewhere.
  private mutating func noteKept(_ place: LeafPlace) {
    guard !isLearning, walk.book.placeholder(ofKnown: place.leaf.value) == nil else { return }
    summary.kept.append("\(partName) \(place.path)")
  }

  private var partName: String { walk.side.map { "\($0).\(part.name)" } ?? part.name }

  /// What becomes of a leaf that is a secret.
  private mutating func whole(_ place: LeafPlace, _ name: String) -> TextTree.Change {
    let value = place.leaf.value
    let placeholder = walk.book.placeholder(
      for: value,
      named: name,
      standing: place.leaf.type == .text ? SecretValues.standing(of: value) : .underItsName
    )
    return replacement(of: place, placeholder)
  }

  private mutating func replacement(of place: LeafPlace, _ placeholder: Placeholder) -> TextTree.Change {
    let leaf = place.leaf
    if keepsLengths {
      return isLearning
        ? .none : replaced(place, placeholder, Self.filler(placeholder, leaf.range.count), nil)
    }
    if let token = leaf.inner?.tree, token.isWebToken {
      let text = token.rewritten({ webToken($0, placeholder) })
      return isLearning ? .none : replaced(place, placeholder, text, "JSON Web Token")
    }
    guard !isLearning else { return .none }
    guard let kind = ValueKind(of: leaf.value, leaf.type) else {
      return replaced(place, placeholder, Array(placeholder.text.utf8), nil)
    }
    let value = walk.book.madeUpValue(kind, like: leaf.value, for: placeholder)
    return replaced(place, placeholder, value, kind.rawValue)
  }

  private mutating func replaced(
    _ place: LeafPlace,
    _ placeholder: Placeholder,
    _ value: [UInt8],
    _ kind: String?
  ) -> TextTree.Change {
    if kind != nil, walk.side != nil {
      listed.append(Scenario.RedactedLeaf(partName, place.path, placeholder.identifier))
    }
    summary.replaced.append(
      RedactionSummary.Entry(placeholder.identifier, "\(partName) \(place.path)", kind ?? "text")
    )
    return .value(value)
  }

  /// What becomes of a part of a JSON Web Token (RFC 7519): its signature is replaced; the claims that tell how it is used
  /// stay.
  private mutating func webToken(_ place: LeafPlace, _ placeholder: Placeholder) -> TextTree.Change {
    guard place.outer != nil else {
      if place.node.step == .parameter("header", 0) { return .none }
      let isClaims = place.node.step == .parameter("payload", 0) && place.leaf.inner != nil
      return isClaims ? .inside : .value(Array(placeholder.text.utf8))
    }
    guard place.leaf.type == .text else { return .none }
    if case .member(let name)? = place.steps.last, ["iss", "aud", "alg", "typ"].contains(name) {
      return .none
    }
    let name = walk.judge.secretName(of: place, part: part, fieldName: fieldName, in: walk.context)
    guard let name, !walk.judge.keeps(place, fieldName: fieldName) else {
      return place.leaf.inner == nil ? .none : .inside
    }
    let claim = walk.book.placeholder(
      for: place.leaf.value,
      named: Placeholder.name(from: name),
      standing: .underItsName
    )
    return .value(Array(claim.text.utf8))
  }

  // MARK: Texts

  /// Learns the secrets of a text without syntax, or returns it without them; `nil` if it has none.
  ///
  /// - Parameter isKept: Whether only what is a secret elsewhere is one.
  private mutating func text(of text: [UInt8], isKept: Bool = false) -> [UInt8]? {
    guard let finder = walk.finder else {
      learn(text, isKept: isKept)
      return nil
    }
    let matches = finder.matches(in: text)
    guard !matches.isEmpty else { return nil }
    var found = matches
    if keepsLengths {
      for index in found.indices {
        let placeholder = walk.book.secrets[found[index].secret].placeholder
        found[index].replacement = Self.filler(placeholder, found[index].range.count)
      }
    }
    for match in matches {
      let identifier = walk.book.secrets[match.secret].placeholder.identifier
      summary.replaced.append(RedactionSummary.Entry(identifier, partName, "in a text"))
    }
    return SecretFinder.replace(found, in: text)
  }

  private mutating func learn(_ text: [UInt8], isKept: Bool) {
    for found in Placeholder.all(in: text) { walk.book.note(found.placeholder) }
    if isKept, walk.detector == nil { return }
    for view in TextView.all(of: text, depth: 1) {
      for finding in isKept ? [] : SecretShapes.all(in: view.octets) {
        let value = Array(view.octets[finding.range])
        guard Placeholder.all(in: value).isEmpty else { continue }
        _ = walk.book.placeholder(for: value, named: finding.kind.placeholderName, standing: .everywhere)
      }
      for secret in walk.detector?(String(decoding: view.octets, as: UTF8.self)) ?? [] where !secret.isEmpty {
        _ = walk.book.placeholder(
          for: Array(secret.utf8),
          named: SecretKind.custom.placeholderName,
          standing: .everywhere
        )
      }
    }
  }

  /// The placeholder in a number of octets.
  private static func filler(_ placeholder: Placeholder, _ count: Int) -> [UInt8] {
    let text = Array(placeholder.text.utf8)
    return Array(text.prefix(count))
      + [UInt8](repeating: UInt8(ascii: "-"), count: max(0, count - text.count))
  }
}
