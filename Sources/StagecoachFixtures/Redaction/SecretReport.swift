import HTTPTypes
import StagecoachFormats

/// Finds what may be a secret in exchanges after redaction, by another rule than the one that redacts: whatever looks
/// random and has no known meaning.
///
/// Placeholders and listed made-up values are no findings. One line stands for all places that differ only in the exchange
/// and in positions, and for a value wherever it stands.
package struct SecretReport: Sendable {
  /// A place with a value that may be a secret. It holds no value.
  package struct Finding: Sendable, Hashable {
    /// The part, such as `request.body`.
    package let part: String
    /// The place in the part.
    package let path: String
    /// The name of a pair, which is not in its path.
    let pair: String?
    /// What the value looks like.
    package let kind: String

    /// The place and the kind.
    package var text: String { "\(place)\(pair.map { " (\($0))" } ?? ""): \(kind)" }

    /// The part and the place in it.
    var place: String { path.isEmpty ? part : "\(part) \(path)" }
  }

  private struct Found {
    let finding: Finding
    let value: [UInt8]
  }

  private let judge: SecretJudge

  package init(_ options: RedactionOptions = RedactionOptions()) { judge = SecretJudge(options) }

  // MARK: Reports

  /// Returns a line for each place in some exchanges.
  package func lines(_ exchanges: [Scenario.Exchange]) -> [String] {
    lines(exchanges.flatMap { exchange in found(in: exchange).map { (exchange.id, $0) } })
  }

  /// Returns a line for each place in some messages.
  ///
  /// - Parameter messages: Each with a label, such as `request`, with which the parts begin.
  package func lines(_ messages: [(label: String, message: RedactableMessage)]) -> [String] {
    lines(messages.flatMap { label, message in found(in: message, label, []).map { ("", $0) } })
  }

  private func lines(_ all: [(id: String, found: Found)]) -> [String] {
    var order: [String] = []
    var firsts: [String: (id: String, finding: Finding)] = [:]
    var counts: [String: Int] = [:]
    var places: [[UInt8]: String] = [:]
    for (id, found) in all {
      let finding = found.finding
      let pattern = "\(finding.part) \(Self.pattern(of: finding.path + (finding.pair ?? "")))"
      let place = places[found.value] ?? pattern
      places[found.value] = place
      if firsts[place] == nil {
        firsts[place] = (id, found.finding)
        order.append(place)
      }
      counts[place, default: 0] += 1
    }
    return order.compactMap { place in
      guard let first = firsts[place], let count = counts[place] else { return nil }
      let more = count > 1 ? ", \(count) times" : ""
      return (first.id.isEmpty ? "" : "\(first.id) ") + first.finding.text + more
    }
  }

  /// The path without positions.
  private static func pattern(of path: String) -> String {
    String(path.filter { !$0.isNumber })
  }

  /// Returns the findings in an exchange, each place once.
  package func findings(in exchange: Scenario.Exchange) -> [Finding] {
    var seen: Set<Finding> = []
    return found(in: exchange).map(\.finding).filter { seen.insert($0).inserted }
  }

  private func found(in exchange: Scenario.Exchange) -> [Found] {
    guard exchange.omission == nil else { return [] }
    return exchange.placedMessages.flatMap { found(in: $0.message, $0.place, exchange.redacted) }
  }

  // MARK: Messages

  private func found(in message: RedactableMessage, _ label: String, _ listed: [Scenario.RedactedLeaf])
    -> [Found]
  {
    let trees = MessageTree(message)
    let context = judge.context(of: message, trees)
    let isProgram = context.isProgram
    var result: [Found] = []
    for part in trees.parts {
      let name = "\(label).\(part.name)"
      let known = listed.names(in: name)
      let field = message.fieldName(of: part.place)
      part.tree.forEachLeaf { place in
        let value = place.leaf.value
        if !known.isEmpty, known[place.path] != nil { return false }
        guard !judge.keeps(place, fieldName: field) else { return false }
        let isProgram = part.name == "body" && isProgram
        let placeholders = value.firstOffset(of: Placeholder.start) == nil ? [] : Placeholder.all(in: value)
        let kind =
          placeholders.isEmpty
          ? kind(of: place, part, field, context, isProgram: isProgram)
          : Placeholder(exactly: value) == nil
            ? look(of: value.without(placeholders.map(\.range)), place, field, isProgram: isProgram) : nil
        if kind == nil, Placeholder(exactly: value) != nil { return false }
        let gap = kind == nil ? lookOfGaps(in: place, field, isProgram: isProgram) : nil
        guard let kind = kind ?? gap else { return true }
        let path = place.path
        let pair = place.name.flatMap { path.contains($0.text) || path.isEmpty ? nil : $0.text }
        let finding = Finding(part: name, path: path, pair: pair, kind: kind)
        result.append(Found(finding: finding, value: value))
        return gap != nil
      }
    }
    return result
  }

  /// What stands between the settings of a text looks like: `define('KEY', '...')`.
  private func lookOfGaps(in place: LeafPlace, _ field: String?, isProgram: Bool) -> String? {
    guard !isProgram, let inner = place.leaf.inner, inner.coding == .same,
      place.leaf.value.contains(where: \.isSpace),
      case .parameter = inner.tree.nodes.first?.step
    else { return nil }
    let text = inner.tree.text.without(inner.tree.nodes.compactMap { $0.leaf?.range })
    return look(ofText: text, place, field, isProgram: isProgram)
  }

  /// What a leaf looks like; `nil` if it is harmless, or what is in it is looked at.
  private func kind(
    of place: LeafPlace,
    _ part: MessageTree.Part,
    _ field: String?,
    _ context: SecretJudge.Context,
    isProgram: Bool
  ) -> String? {
    let leaf = place.leaf
    guard leaf.type == .text || leaf.type == .number, !leaf.value.isEmpty else { return nil }
    if let name = judge.secretName(of: place, part: part, fieldName: field, in: context) {
      // What changes with each request gives nothing away once it was sent.
      return SecretJudge.isOneTime(Placeholder.name(from: name)) && !SecretJudge.isKey(leaf.value)
        ? nil : "a value with the name of a secret"
    }
    if CardNumber.range(in: leaf.value, at: 0) == leaf.value.indices { return "a card number" }
    guard leaf.type == .text else { return nil }
    return look(of: leaf.value, place, field, isProgram: isProgram)
  }

  /// What the text of a leaf looks like, without its name.
  private func look(of text: [UInt8], _ place: LeafPlace, _ field: String?, isProgram: Bool) -> String? {
    place.leaf.inner == nil ? look(ofText: text, place, field, isProgram: isProgram) : nil
  }

  private func look(ofText text: [UInt8], _ place: LeafPlace, _ field: String?, isProgram: Bool) -> String? {
    if let shape = SecretShapes.all(in: Array(text.prefix(Self.maxLength))).first { return shape.kind.text }
    guard !isProgram,
      let count = RandomText.firstCount(in: text.prefix(Self.maxLength), isPath: place.isIn("path")),
      !place.isInProgram, !place.hasHarmlessName(field)
    else { return nil }
    return "random, \(count) characters"
  }

  /// How much of a leaf is looked at.
  private static let maxLength = 1 << 16
}

extension [UInt8] {
  /// The text with spaces in place of some ranges.
  fileprivate func without(_ ranges: [Range<Int>]) -> [UInt8] {
    var text = self
    for index in ranges.joined() { text[index] = 0x20 }
    return text
  }
}

extension LeafPlace {
  /// The last words of names of what is random and no secret: identifiers, digests, traces, versions, media.
  private static let harmlessWords: Set<String> = [
    "id", "ids", "uid", "uuid", "guid", "hash", "hashes", "sha", "sha1", "sha256", "sha512", "md5",
    "checksum", "crc32c", "digest", "etag", "integrity", "commit", "revision", "rev", "version", "build",
    "fingerprint", "thumbprint", "trace", "traceparent", "tracestate", "span", "correlation", "cursor",
    "next", "previous", "prev", "after", "before", "image", "img", "src", "srcset", "icon", "avatar",
    "thumbnail", "photo", "picture", "logo", "media", "certificate", "certificates", "cert", "certs", "x5c",
    "x5t", "kid", "path", "file", "filename", "class", "style", "d", "points", "ray", "debug", "agent",
    "via", "policy", "nel", "report", "hint", "match", "nonce", "boundary", "xmlns", "location", "publickey",
    "pubkey", "snapshot", "blob", "oid", "sid", "cid", "slug", "title", "description", "transform",
    "viewbox", "v", "h", "ver", "cb", "bust", "fp", "timestamp", "date", "time", "modified", "ed", "by",
    "cache", "pop", "tag", "tags", "model", "url", "uri", "href", "link", "links", "selector", "query",
    "uploadid", "session_state", "ua", "gid", "clientdata", "e", "n", "x", "y", "family", "font",
    "useragent", "platform", "brand", "brands", "schema", "ref", "ei", "ved", "vet", "dyn", "csr", "params",
    "tracking", "continuation", "visitordata", "experiment", "variant", "s256", "samlrequest", "shasum",
    "address", "ulid", "ksuid", "cuid", "lei",
  ]
  /// The words of fields that name a request, a place of a network or a state of a cache.
  private static let harmlessFieldWords: Set<String> = [
    "request", "trace", "correlation", "etag", "digest", "ray", "cache", "served", "amz", "goog", "content",
    "accept", "alt", "timing", "reporting", "origin", "agent", "fetch", "ch", "strict", "security",
    "permissions",
    "feature", "via", "age", "expect", "report", "server", "powered", "cf", "fb", "varnish", "edge", "cdn",
    "msedge", "azure", "guploader", "github", "vercel", "fly", "nf", "client", "sec", "nel", "chrome",
    "baggage", "b3", "traceparent", "tracestate",
  ]

  /// Whether the name says that a random value is no secret.
  fileprivate func hasHarmlessName(_ field: String?) -> Bool {
    if let field {
      let words = NameWords(field).words
      if words.contains(where: Self.harmlessFieldWords.contains) { return true }
      if outer == nil, words.last.map(Self.harmlessWords.contains) ?? false { return true }
    }
    guard let name else { return false }
    let words = NameWords(name.text)
    if words.last.map(Self.harmlessWords.contains) ?? false { return true }
    if words.last == "token", words.words.contains(where: NameWords.pages.contains) { return true }
    return Self.harmlessWords.contains(words.letters) || words.words.contains("public")
  }

  /// Whether the leaf is in a style sheet or a drawing of a page, or in a program there without a name that says something.
  var isInProgram: Bool {
    if let element = outer?.element, element == "script" { return (node.step.key?.utf8.count ?? 0) < 4 }
    if let element, ["script", "style", "path", "svg"].contains(element) { return true }
    return outer?.isInProgram ?? false
  }

  /// Whether the leaf is set to a name in a program, in a page or as the content of the message.
  func isSetInProgram(_ context: SecretJudge.Context) -> Bool {
    guard case .parameter = node.step, node.parent < 0 else { return false }
    var text = outer
    while let place = text {
      if place.element == "script" || context.isProgram && place.node.parent < 0 && place.outer == nil {
        return true
      }
      text = place.outer
    }
    return false
  }

  /// The name of the element whose text the leaf is.
  private var element: String? {
    guard case .characters = node.step, node.parent >= 0,
      case .element(let name, _) = tree.nodes[node.parent].step
    else {
      return nil
    }
    return name
  }
}

extension MediaType {
  /// Whether content of the type is a program or a style sheet, with names that a tool made.
  var isProgram: Bool {
    ["javascript", "x-javascript", "ecmascript", "css", "wasm", "sourcemap"].contains(subtype)
  }
}
