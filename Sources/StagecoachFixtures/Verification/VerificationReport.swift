/// What a verification found. Secrets in messages are replaced by placeholders.
public struct VerificationReport: Sendable {
  /// The verified exchanges, in order.
  public internal(set) var exchanges: [Exchange] = []

  /// Whether every exchange that counts agreed: those that are neither pending nor skipped. `false` if all are skipped,
  /// since then nothing was verified, and if one was not sent because it needs a secret of which no value is known.
  public var isAgreed: Bool {
    !isUnverified
      && !exchanges.contains { $0.outcome == .broken || $0.outcome == .unanswered || $0.lack != nil }
  }

  /// Whether there are exchanges, and all of them were skipped.
  package var isUnverified: Bool { !exchanges.isEmpty && exchanges.allSatisfy { $0.outcome == .skipped } }

  /// Whether requests were sent and not one was answered.
  public var isUnanswered: Bool {
    !exchanges.contains { $0.reply != nil }
      && exchanges.contains { $0.differences.contains { $0.place == "reply" } }
  }

  /// The result for an exchange.
  @nonexhaustive
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The reply is as expected.
    case agreed
    /// The reply has a mismatch.
    case broken
    /// The reply has a mismatch, or there is none, but the exchange is marked as pending.
    case pending
    /// No complete reply came.
    case unanswered
    /// The request was not sent, for a reason among the warnings.
    case skipped
  }

  /// What a difference means for clients.
  @nonexhaustive
  public enum Drift: String, Sendable, Hashable, CaseIterable {
    /// Clients ignore it: a new member or field.
    case compatible
    /// It may surprise a client: another value, `null`, another order, a value that was never seen.
    case risky
    /// Clients fail: a member or field is missing, or the status, the media type or the type of a value is another one.
    case breaking
  }

  /// A difference between the reply and what is expected.
  public struct Difference: Sendable, Hashable {
    /// The place: `status`, `header NAME`, `body PATH`, `state` or `reply`.
    public let place: String
    /// A sentence, in the wording of Pact.
    public let message: String
    /// The expected value, shortened; `nil` if none is expected.
    public let expected: String?
    /// The actual value, shortened; `nil` if it is missing.
    public let actual: String?
    /// What the difference means for clients.
    public let drift: Drift
    /// Whether the contract is broken by it; otherwise it is only reported.
    public let isMismatch: Bool
  }

  /// The result for an exchange.
  public struct Exchange: Sendable {
    /// The name of the exchange, unique in its source.
    public let id: String
    /// The title, such as `GET /users/42`.
    public let title: String
    /// The scenario or Pact file.
    public let source: String
    /// The result.
    public internal(set) var outcome: Outcome = .agreed
    /// The differences, also of an exchange that agreed.
    public internal(set) var differences: [Difference] = []
    /// Warnings, such as a provider state without a handler.
    public internal(set) var warnings: [String] = []
    package internal(set) var comments: [String] = []
    /// Which secrets are missing, if the request was not sent for that.
    var lack: String?
    package let file: String?
    package let line: Int?
    package internal(set) var request: Message?
    package internal(set) var expected: Message
    package internal(set) var reply: Message?
    package internal(set) var timing: Timing?
  }

  /// A message without secrets.
  package struct Message: Sendable, Hashable {
    /// The method and the URL, or the status.
    package var start: String
    package var fields: [FieldLine]
    /// The start of the content; `nil` if there is none.
    package var body: String?
  }

  /// The times of a reply since its request was sent.
  package struct Timing: Sendable, Hashable {
    package struct Chunk: Sendable, Hashable {
      package var time: Duration
      package var bytes: Int
    }

    /// The time of the request since the first one was sent.
    package var start = Duration.zero
    package var head: Duration
    package var chunks: [Chunk] = []
    package var end: Duration
  }

  /// The number of exchanges with an outcome.
  package func count(_ outcome: Outcome) -> Int { exchanges.count { $0.outcome == outcome } }

  /// The numbers of exchanges by outcome, such as `3 exchanges: 2 agreed, 1 broken`.
  package var summary: String {
    let counts = Outcome.allCases.map { ($0, count($0)) }.filter { $0.1 > 0 }
    let total = "\(exchanges.count) \(exchanges.count == 1 ? "exchange" : "exchanges")"
    guard !counts.isEmpty else { return total }
    let list = counts.map { "\($1) \($0.rawValue)" }.joined(separator: ", ")
    return "\(total): \(list)" + (isUnverified ? ", nothing was verified" : "")
  }
}

extension VerificationReport: CustomStringConvertible {
  /// The report as text.
  public var description: String { TextReport(self).text }
}
