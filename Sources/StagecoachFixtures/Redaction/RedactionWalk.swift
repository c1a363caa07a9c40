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

  /// What the names and the shapes of the leaves of a message say; nothing of those that are harmless.
  typealias Verdicts = [MessageTree.LeafKey: Verdict]

  enum Verdict: Sendable {
    /// The leaf is a secret by its name: the one for the placeholder.
    case named(String)
    /// The leaf is a secret by its look.
    case shaped(String)
    /// There are secrets in its text, or below escapes, or placeholders.
    case contains([SecretShapes.Finding])
    /// The leaf stays because the options say so.
    case kept(isSecret: Bool)
  }

  let judge: SecretJudge
  let detector: (@Sendable (String) -> [String])?
  let context: SecretJudge.Context
  /// Finds the secrets that are known; `nil` while they are learned.
  let finder: SecretFinder?
  var book: SecretBook
  /// `request` or `reply`; `nil` where made-up values are not listed.
  var side: String?
  /// The made-up values that the message has.
  var listed: [Scenario.RedactedLeaf] = []
  /// Whether a value is replaced by as many octets.
  var keepsLengths = false
  /// What an earlier walk has found.
  var known: Verdicts?
  private(set) var verdicts: Verdicts = [:]

  init(
    _ options: RedactionOptions,
    _ judge: SecretJudge,
    _ context: SecretJudge.Context,
    _ book: SecretBook,
    _ finder: SecretFinder?
  ) {
    (detector, self.judge, self.context) = (options.detector, judge, context)
    (self.book, self.finder) = (book, finder)
  }

  /// Returns what a leaf is; `nil` if it is harmless.
  fileprivate func verdict(
    of place: LeafPlace,
    part: MessageTree.Part,
    number: Int,
    fieldName: String?
  ) -> Verdict? {
    if let known { return known.isEmpty ? nil : known[MessageTree.LeafKey(place, part: number)] }
    var verdict: Verdict?
    if let name = judge.secretName(of: place, part: part, fieldName: fieldName, in: context) {
      verdict = .named(Placeholder.name(from: name))
    } else if place.leaf.type == .text, SecretShapes.mayHave(place.leaf.value[...]) {
      let findings = SecretShapes.all(in: place.leaf.value)
      verdict =
        SecretShapes.whole(place.leaf.value, findings).map { .shaped($0.placeholderName) }
        ?? .contains(findings)
    }
    if let found = verdict, judge.keeps(place, fieldName: fieldName) {
      verdict = if case .contains = found { .kept(isSecret: false) } else { .kept(isSecret: true) }
    }
    if let verdict { verdicts[MessageTree.LeafKey(place, part: number)] = verdict }
    return verdict
  }

  /// Reads all parts of a message.
  func result(_ message: RedactableMessage, _ trees: MessageTree) -> Result {
    var result = Result(message: message)
    for (number, part) in trees.parts.enumerated() {
      var texts = PartWalk(self, part, number: number, fieldName: message.fieldName(of: part.place))
      let text = texts.text()
      guard finder != nil else { continue }
      result.listed += texts.listed
      result.summary.add(texts.summary)
      if let text { result.message.set(text, part.place) }
    }
    return result
  }
}

/// A walk over one text of a message.
private struct PartWalk {
  let walk: RedactionWalk
  let part: MessageTree.Part
  /// The position of the part in the message.
  let number: Int
  let fieldName: String?
  /// The name of the part, for lists.
  let name: String
  var listed: [Scenario.RedactedLeaf] = []
  var summary = RedactionSummary()
  /// The paths of the made-up values that the text has, and their names.
  private var known: [String: String] = [:]

  init(_ walk: RedactionWalk, _ part: MessageTree.Part, number: Int, fieldName: String?) {
    (self.walk, self.part, self.number, self.fieldName) = (walk, part, number, fieldName)
    let name = walk.side.map { "\($0).\(part.name)" } ?? part.name
    self.name = name
    keepsLengths = part.name == "body" && (walk.keepsLengths || !part.tree.isText)
    guard walk.side != nil, !walk.listed.isEmpty else { return }
    known = walk.listed.names(in: name)
  }

  /// Whether the text is content of which no part may get another length.
  private let keepsLengths: Bool

  private var isLearning: Bool { walk.finder == nil }

  /// Returns the text without secrets; `nil` if nothing was replaced.
  mutating func text() -> [UInt8]? {
    // The closures do not outlive the call: `changed` calls them one after the other.
    var copy = self
    let text = part.tree.changed({ copy.change($0) }, gap: { copy.text(of: $0, in: $1, nil) })
    self = copy
    return text
  }

  // MARK: Leaves

  private mutating func change(_ place: LeafPlace) -> TextTree.Change {
    let leaf = place.leaf
    if !known.isEmpty, let name = known[place.path] {
      if let placeholder = Placeholder(identifier: name) { walk.book.note(placeholder) }
      listed.append(Scenario.RedactedLeaf(self.name, place.path, name))
      return .none
    }
    if let placeholder = Placeholder(exactly: leaf.value) {
      walk.book.note(placeholder)
      return .none
    }
    var (findings, isKept): ([SecretShapes.Finding]?, Bool) = (nil, false)
    switch walk.verdict(of: place, part: part, number: number, fieldName: fieldName) {
    case .named(let name), .shaped(let name): return whole(place, name)
    case .contains(let found): findings = found
    case .kept(let isSecret):
      (findings, isKept) = ([], true)
      if isSecret { noteKept(place) }
    case nil: break
    }
    if leaf.type == .boolean || leaf.type == .null { return .none }
    if let placeholder = walk.book.placeholder(ofKnown: leaf.value) {
      return replacement(of: place, placeholder)
    }
    if leaf.inner != nil { return .inside }
    guard leaf.type == .text, !isLearning || findings != nil || walk.detector != nil else { return .none }
    let text = text(of: leaf.value[...], in: place, findings ?? [], isKept: isKept)
    return text.map(TextTree.Change.value) ?? .none
  }

  /// Notes a secret that stays because the options say so, unless it is one elsewhere.
  private mutating func noteKept(_ place: LeafPlace) {
    guard !isLearning, walk.book.placeholder(ofKnown: place.leaf.value) == nil else { return }
    summary.kept.append("\(name) \(place.path)")
  }

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
      listed.append(Scenario.RedactedLeaf(name, place.path, placeholder.identifier))
    }
    summary.replaced.append(
      RedactionSummary.Entry(placeholder.identifier, "\(name) \(place.path)", kind ?? "text")
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
  /// - Parameters:
  ///   - place: The leaf that has the text; `nil` if none has.
  ///   - findings: The secrets in it by their look; `nil` if they were not searched for.
  ///   - isKept: Whether only what is a secret elsewhere is one.
  private mutating func text(
    of text: ArraySlice<UInt8>,
    in place: LeafPlace?,
    _ findings: [SecretShapes.Finding]?,
    isKept: Bool = false
  ) -> [UInt8]? {
    guard let finder = walk.finder else {
      if findings != nil || walk.detector != nil || SecretShapes.mayHave(text) {
        learn(Array(text), findings, isKept: isKept)
      }
      return nil
    }
    guard finder.mayMatch(text) else { return nil }
    let text = Array(text)
    var matches = finder.matches(in: text)
    guard !matches.isEmpty else { return nil }
    let path = place.map { "\(name) \($0.path)" } ?? name
    for index in matches.indices {
      let placeholder = walk.book.secrets[matches[index].secret].placeholder
      if keepsLengths {
        matches[index].replacement = Self.filler(placeholder, matches[index].range.count)
      }
      summary.replaced.append(RedactionSummary.Entry(placeholder.identifier, path, "in a text"))
    }
    return SecretFinder.replace(matches, in: text)
  }

  private func learn(_ text: [UInt8], _ findings: [SecretShapes.Finding]?, isKept: Bool) {
    for found in Placeholder.all(in: text) { walk.book.note(found.placeholder) }
    learnShapes(of: text, findings ?? SecretShapes.all(in: text))
    if let view = TextView(unescaping: text) {
      learnShapes(of: view.octets, isKept ? [] : SecretShapes.all(in: view.octets))
    }
  }

  private func learnShapes(of text: [UInt8], _ findings: [SecretShapes.Finding]) {
    for finding in findings {
      let value = Array(text[finding.range])
      guard Placeholder.all(in: value).isEmpty else { continue }
      _ = walk.book.placeholder(for: value, named: finding.kind.placeholderName, standing: .everywhere)
    }
    guard let detector = walk.detector else { return }
    for secret in detector(String(decoding: text, as: UTF8.self)) where !secret.isEmpty {
      let name = SecretKind.custom.placeholderName
      _ = walk.book.placeholder(for: Array(secret.utf8), named: name, standing: .everywhere)
    }
  }

  /// The placeholder in a number of octets.
  private static func filler(_ placeholder: Placeholder, _ count: Int) -> [UInt8] {
    let text = Array(placeholder.text.utf8)
    return Array(text.prefix(count))
      + [UInt8](repeating: UInt8(ascii: "-"), count: max(0, count - text.count))
  }
}

extension RedactionWalk: HidesContent {}
