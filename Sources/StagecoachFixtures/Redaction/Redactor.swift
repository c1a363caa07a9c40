import HTTPTypes
import StagecoachFormats
import Synchronization

/// Replaces the secrets of one scenario by placeholders such as `{{secret:ACCESS_TOKEN#1}}`.
///
/// Secrets are recognized by the names of fields, cookies, parameters, members, elements and parts, and by their shape.
/// A value has the same placeholder wherever it occurs, in every ``SecretEncoding``. A value that is shorter than 6
/// bytes, or an ordinary word in a cookie or a parameter such as `code`, is only replaced where its name is, because
/// elsewhere the same text has another meaning.
///
/// A recording is redacted in two passes, so that a token in a response is also replaced in the requests before it:
///
/// ```text
/// let redactor = Redactor(options)
/// try redactor.learn(messages)
/// let redacted = try messages.map(redactor.redact)
/// ```
///
/// To match live requests with recorded ones, learn the recorded messages, which contain placeholders, and redact each
/// request. An unknown secret gets the placeholder that was recorded for its name in the same position, if there is
/// only one: first of requests with the same method and path, then of all. Any other gets a new number.
///
/// Limits: ``maxPartSize`` for a body, field value or target, and ``maxSecretCount`` secrets. Beyond them nothing is
/// returned. The time is linear in the size of the messages, times the number of nested encodings, at most three each.
package final class Redactor: Sendable {
  /// The maximum size of a body, a field value or a target: 64 MiB.
  package static let maxPartSize = 64 << 20
  /// The maximum number of secrets in a scenario.
  package static let maxSecretCount = 10_000

  private struct State {
    var store = SecretStore()
    var finder: SecretFinder?

    mutating func currentFinder() -> SecretFinder {
      let current = finder ?? store.finder
      finder = current
      return current
    }
  }

  private let options: RedactionOptions
  private let texts: TextFindings
  private let state = Mutex(State())

  /// Creates a redactor that knows no secrets yet.
  package init(_ options: RedactionOptions = RedactionOptions()) {
    self.options = options
    texts = TextFindings(options)
  }

  /// The number of secrets that were found.
  package var secretCount: Int { state.withLock { $0.store.secrets.count } }

  /// The values of the secrets by the names of their placeholders, such as `ACCESS_TOKEN#1`; of several the last one.
  var values: [String: [UInt8]] {
    state.withLock { state in
      state.store.secrets.reduce(into: [:]) { values, secret in
        values["\(secret.placeholder.name)#\(secret.placeholder.number)"] = secret.value
      }
    }
  }

  /// A search for the secrets that were found.
  package var leakProof: LeakProof { state.withLock { LeakProof($0.store, $0.currentFinder()) } }

  /// Learns the secrets and the placeholders of messages, in order.
  package func learn(_ messages: some Sequence<RedactableMessage>) throws(RedactionError) {
    for message in messages {
      for part in try parts(of: message) { _ = try learn(part, message.exchange) }
    }
  }

  /// Learns the secrets of a message, and replaces these and all that are known.
  package func redact(_ message: RedactableMessage) throws(RedactionError) -> RedactableMessage {
    let parts = try parts(of: message)
    var placeholders: [[Placeholder]] = []
    for part in parts { placeholders.append(try learn(part, message.exchange)) }
    let finder = state.withLock { $0.currentFinder() }
    var result = message
    for (part, placeholders) in zip(parts, placeholders) {
      let text = Self.replace(part, placeholders, finder)
      if text != part.text { result.set(text, part.place) }
    }
    return result
  }

  // MARK: Parts

  private struct Part {
    let place: RedactableMessage.Place
    let text: [UInt8]
    let findings: Findings
  }

  private func parts(of message: RedactableMessage) throws(RedactionError) -> [Part] {
    var parts: [Part] = []
    for (place, text) in message.texts(withBody: options.redactsBodies) {
      guard text.count <= Self.maxPartSize else { throw .tooLarge(limit: Self.maxPartSize) }
      var reader = SiteReader(text, texts.naming)
      var areCredentials = false
      switch place {
      case .target: reader.readTarget()
      case .field(let index):
        let name = message.fields[index].name
        areCredentials = name == .authorization || name == .proxyAuthorization
        reader.readField(name.rawName)
      case .trailer(let index): reader.readField(message.trailers[index].name.rawName)
      case .body: reader.readBody(message.mediaType)
      }
      reader.findings.values += texts.values(in: text, areCredentials: areCredentials)
      parts.append(Part(place: place, text: text, findings: reader.findings))
    }
    return parts
  }

  /// Learns the findings of a part, and returns the placeholders of its sites.
  private func learn(_ part: Part, _ exchange: String?) throws(RedactionError) -> [Placeholder] {
    let placeholders = state.withLock { state -> [Placeholder]? in
      let (secrets, known) = (state.store.secrets.count, state.store.placeholders.count)
      defer {
        if state.store.secrets.count != secrets || state.store.placeholders.count != known {
          state.finder = nil
        }
      }
      state.store.noteAll(in: part.text)
      var placeholders: [Placeholder] = []
      for site in part.findings.sites {
        guard state.store.secrets.count < Self.maxSecretCount else { return nil }
        placeholders.append(state.store.placeholder(for: site, exchange: exchange))
      }
      for value in part.findings.values {
        guard state.store.secrets.count < Self.maxSecretCount else { return nil }
        state.store.learn(value)
      }
      return placeholders
    }
    guard let placeholders else { throw .tooManySecrets(limit: Self.maxSecretCount) }
    return placeholders
  }

  private static func replace(_ part: Part, _ placeholders: [Placeholder], _ finder: SecretFinder) -> [UInt8]
  {
    let sites = zip(part.findings.sites, placeholders).map { site, placeholder in
      let text = site.style == .quoted ? "\"\(placeholder.text)\"" : placeholder.text
      return SecretFinder.Match(range: site.range, secret: -1, encoding: .raw, replacement: Array(text.utf8))
    }
    let matches = finder.matches(in: part.text, and: sites)
    return SecretFinder.replace(matches, in: part.text)
  }
}

extension Redactor: CustomStringConvertible, CustomReflectable {
  /// The number of secrets, without the values.
  package var description: String { "a redactor that knows \(secretCount) secrets" }

  /// The number of secrets, without the values.
  package var customMirror: Mirror { Mirror(self, children: ["secretCount": secretCount]) }
}

extension RedactableMessage {
  /// A text of a message.
  enum Place: Sendable { case target, field(Int), trailer(Int), body }

  /// The texts of the message, in order.
  func texts(withBody: Bool) -> [(place: Place, text: [UInt8])] {
    var texts: [(place: Place, text: [UInt8])] = []
    if let target { texts.append((.target, Array(target.utf8))) }
    for index in fields.indices { texts.append((.field(index), fields[index].octets)) }
    if withBody, let body { texts.append((.body, [UInt8](body))) }
    for index in trailers.indices { texts.append((.trailer(index), trailers[index].octets)) }
    return texts
  }

  mutating func set(_ text: [UInt8], _ place: Place) {
    switch place {
    case .target: target = String(decoding: text, as: UTF8.self)
    case .field(let index): fields[index] = HTTPField(name: fields[index].name, value: text)
    case .trailer(let index): trailers[index] = HTTPField(name: trailers[index].name, value: text)
    case .body: body = Bytes(text)
    }
  }
}
