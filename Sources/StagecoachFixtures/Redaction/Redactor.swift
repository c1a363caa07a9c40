import HTTPTypes
import StagecoachFormats
import Synchronization

/// Replaces the secrets of one scenario.
///
/// ``SecretJudge`` tells by its name and its place which leaf of a message is a secret, ``SecretShapes`` by its look. In
/// place of a secret stands a placeholder such as `SECRET-ACCESS_TOKEN-1`, or where its kind cannot hold a text, a made-up
/// value of its kind, which ``Scenario/Exchange/redacted`` lists. All else stays as it is, to the octet.
///
/// A secret that is long and random, or that the options name, is also replaced wherever else it stands, in every
/// ``SecretEncoding``. Any other is replaced only where its name is: elsewhere the same text has another meaning.
///
/// A recording is redacted in two passes, so that a token in a response is also replaced in the requests before it:
///
/// ```text
/// let redactor = Redactor(options)
/// try redactor.learn(messages)
/// let redacted = try messages.map(redactor.redact)
/// ```
///
/// Limits: ``maxPartSize`` for a body, field value or target, and ``maxSecretCount`` secrets. Beyond them nothing is
/// returned. The time is linear in the size of the messages.
package final class Redactor: Sendable {
  /// The maximum size of a body, a field value or a target: 64 MiB.
  package static let maxPartSize = 64 << 20
  /// The maximum number of secrets in a scenario.
  package static let maxSecretCount = 10_000

  private struct State {
    var book: SecretBook
    var finder: SecretFinder?

    mutating func currentFinder() -> SecretFinder {
      let current = finder ?? SecretFinder(book)
      finder = current
      return current
    }
  }

  private let options: RedactionOptions
  private let judge: SecretJudge
  private let state: Mutex<State>

  /// Creates a redactor that knows the secrets of the options alone.
  ///
  /// - Parameter renamed: The placeholders that secrets get in place of those that they would get.
  init(_ options: RedactionOptions = RedactionOptions(), renaming renamed: [Placeholder: Placeholder] = [:]) {
    self.options = options
    judge = SecretJudge(options)
    var book = SecretBook(renamed: renamed)
    for (name, value) in options.secrets.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
      book.add(Array(value.utf8), named: name)
    }
    state = Mutex(State(book: book))
  }

  /// The number of secrets that were found.
  package var secretCount: Int { state.withLock { $0.book.secrets.count } }

  /// The names of the secrets that were found, such as `API_KEY-1`.
  var names: Set<String> { state.withLock { Set($0.book.secrets.map(\.placeholder.identifier)) } }

  /// Returns the name that a secret would have without those of an older recording.
  func firstName(of placeholder: Placeholder) -> Placeholder {
    state.withLock { $0.book.firstName(of: placeholder) }
  }

  /// Learns the secrets and the placeholders of messages, in order.
  package func learn(_ messages: some Sequence<RedactableMessage>) throws(RedactionError) {
    for message in messages { _ = try walk(message, side: nil, listed: [], replaces: false) }
  }

  /// Learns the secrets of a message, and replaces these and all that are known. Made-up values are not listed.
  package func redact(_ message: RedactableMessage) throws(RedactionError) -> RedactableMessage {
    try learn([message])
    return try walk(message, side: nil, listed: [], replaces: true).message
  }

  /// Replaces the secrets that are known in a message of an exchange.
  ///
  /// - Parameters:
  ///   - side: `request` or `reply`.
  ///   - listed: The made-up values that it has.
  func redact(
    _ message: RedactableMessage,
    side: String,
    listed: [Scenario.RedactedLeaf]
  ) throws(RedactionError) -> RedactionWalk.Result {
    try walk(message, side: side, listed: listed, replaces: true)
  }

  /// Returns where secrets remain in messages that were redacted, without the values.
  package func leaks(in messages: [(place: String, message: RedactableMessage)]) -> [SecretLeak] {
    let (finder, secrets) = state.withLock { ($0.currentFinder(), $0.book.secrets) }
    var leaks: [SecretLeak] = []
    for (place, message) in messages {
      for (part, text) in message.texts() {
        let matches = finder.matches(in: text)
        guard !matches.isEmpty else { continue }
        let placeholders = Placeholder.all(in: text).map(\.range)
        for match in matches where !placeholders.contains(where: { $0.overlaps(match.range) }) {
          leaks.append(
            SecretLeak(
              place: "\(place) \(message.name(of: part))",
              offset: match.range.lowerBound,
              placeholder: secrets[match.secret].placeholder.text,
              encoding: match.encoding
            )
          )
        }
      }
    }
    return leaks
  }

  // MARK: Walking

  private func walk(
    _ message: RedactableMessage,
    side: String?,
    listed: [Scenario.RedactedLeaf],
    replaces: Bool
  ) throws(RedactionError) -> RedactionWalk.Result {
    for (_, text) in message.texts() where text.count > Self.maxPartSize {
      throw .tooLarge(limit: Self.maxPartSize)
    }
    let trees = MessageTree(message)
    guard trees.parts.allSatisfy(\.tree.isComplete) else {
      throw .tooManyValues(limit: TextTree.maxNodeCount)
    }
    let context = judge.context(of: message, trees)
    let result = state.withLock { state -> RedactionWalk.Result? in
      let count = state.book.secrets.count
      let finder = replaces ? state.currentFinder() : nil
      // Moved, so that it is not copied with each message.
      var book = SecretBook()
      swap(&book, &state.book)
      let walk = RedactionWalk(
        judge: judge,
        detector: options.detector,
        context: context,
        side: side,
        listed: listed,
        keepsLengths: message.isPartial,
        finder: finder,
        book: book
      )
      book = SecretBook()
      let result = walk.result(message, trees)
      state.book = walk.book
      guard state.book.secrets.count <= Self.maxSecretCount else {
        // Other messages are not to suffer from one.
        state.book.keepFirst(count)
        return nil
      }
      if state.book.secrets.count != count { state.finder = nil }
      return result
    }
    guard let result else { throw .tooManySecrets(limit: Self.maxSecretCount) }
    return result
  }
}

extension Redactor: CustomStringConvertible, CustomReflectable {
  /// The number of secrets, without the values.
  package var description: String { "a redactor that knows \(secretCount) secrets" }

  /// The number of secrets, without the values.
  package var customMirror: Mirror { Mirror(self, children: ["secretCount": secretCount]) }
}
