import StagecoachCore

/// Compares the reply of a provider with the expected one.
///
/// Where the recording has the placeholder of a secret, or a made-up value, any value of the same type is equal. Rules
/// judge the values as they came. What is reported comes from copies without secrets.
struct ReplyComparison {
  private typealias Difference = VerificationReport.Difference

  private static let maxDifferences = 500
  private static let maxValueLength = 2000
  private static let maxMessageLength = 500

  private let interaction: ContractInteraction
  /// The expected reply and the actual one without secrets.
  let shown: (expected: ComparedResponse, actual: ComparedResponse)
  private let mismatches: [Mismatch]

  /// - Throws: ``RedactionError``.
  init(
    _ interaction: ContractInteraction,
    _ actual: ComparedResponse,
    _ redactor: Redactor
  ) throws(RedactionError) {
    self.interaction = interaction
    let comparison = MessageComparison(rules: interaction.rules)
    var found = comparison.mismatches(interaction.expected, actual)
    let aligned = interaction.aligned(actual)
    if aligned != actual { found = comparison.mismatches(interaction.expected, aligned).kept(in: found) }
    shown = (
      try redactor.redact(interaction.expected, of: interaction),
      try redactor.redact(aligned, of: interaction)
    )
    mismatches =
      shown == (interaction.expected, aligned)
      ? found : found.shown(in: comparison.mismatches(shown.expected, shown.actual))
  }

  /// The differences, mismatches first.
  var differences: [VerificationReport.Difference] {
    let changes = scan()
    // An order is told once, not for each element.
    let orders = changes.filter(\.isOrder).map { $0.path + "[" }
    func isOfOrder(_ mismatch: Mismatch) -> Bool {
      mismatch.kind == .body && orders.contains { mismatch.path.hasPrefix($0) }
    }
    var found = mismatches.filter { !isOfOrder($0) }.map(difference)
    found += changes.map { change in
      Difference(
        place: "body \(Format.oneLine(change.path))",
        message: Self.short(Format.oneLine(change.message), to: Self.maxMessageLength),
        expected: change.expected.map(Self.short),
        actual: change.actual.map(Self.short),
        drift: change.drift,
        isMismatch: change.isOrder
      )
    }
    found += fieldChanges
    return Array(found.prefix(Self.maxDifferences))
  }

  private func difference(_ mismatch: Mismatch) -> VerificationReport.Difference {
    let part = mismatch.part.rawValue
    return Difference(
      place: mismatch.path.isEmpty ? part : "\(part) \(Format.oneLine(mismatch.path))",
      message: Self.short(Format.oneLine(message(of: mismatch)), to: Self.maxMessageLength),
      expected: mismatch.expected.map(Self.short),
      actual: mismatch.actual.map(Self.short),
      drift: VerificationReport.Drift(of: mismatch),
      isMismatch: true
    )
  }

  /// What differs: of a recording, which value is the recorded one. A Pact speaks as Pact does.
  private func message(of mismatch: Mismatch) -> String {
    guard interaction.recordedFields != nil, let expected = mismatch.expected, let actual = mismatch.actual
    else {
      return mismatch.message
    }
    let values = "recorded \(Self.short(expected, to: 200)), now \(Self.short(actual, to: 200))"
    if mismatch.isOfEquality { return values }
    return mismatch.message.contains(" to be the same type as ")
      ? "\(mismatch.message) (\(values))" : mismatch.message
  }

  private func scan() -> [DriftScan.Change] {
    guard case .bytes(let expected) = shown.expected.body.content,
      case .bytes(let actual) = shown.actual.body.content
    else { return [] }
    let (wanted, received) = (shown.expected.mediaType, shown.actual.mediaType)
    let format = ContentFormat(wanted, expected.array)
    guard [.json, .xml, .form].contains(format), ContentFormat(received, actual.array) == format else {
      return []
    }
    let trees = (TextTree(content: expected.array, wanted), TextTree(content: actual.array, received))
    return DriftScan(trees.0, trees.1, interaction.rules).changes
  }

  // MARK: Fields

  /// Fields that servers and connections have of their own accord.
  private static let volatileFields: Set<String> = [
    "date", "server", "connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding",
    "age",
    "via", "vary", "etag", "last-modified", "expires", "alt-svc", "x-request-id", "set-cookie", "trailer",
    "accept-ranges", "x-powered-by", "upgrade", "strict-transport-security",
  ]

  /// Fields that the recording has and the reply has not, and the other way round, besides compared ones.
  private var fieldChanges: [VerificationReport.Difference] {
    guard let recorded = interaction.recordedFields else { return [] }
    func names(_ lines: [FieldLine]) -> [String] {
      var seen = Self.volatileFields.union(interaction.expected.fields.map { $0.name.lowercased() })
      return lines.map(\.name).filter { seen.insert($0.lowercased()).inserted }
    }
    let (before, now) = (names(recorded), names(shown.actual.fields))
    let missing = before.filter { name in !now.contains { $0.lowercased() == name.lowercased() } }
    let new = now.filter { name in !before.contains { $0.lowercased() == name.lowercased() } }
    return missing.map { change($0, "The recording has a header '\($0)' that is missing", .risky) }
      + new.map { change($0, "There is a new header '\($0)'", .compatible) }
  }

  private func change(_ name: String, _ message: String, _ drift: VerificationReport.Drift)
    -> VerificationReport.Difference
  {
    Difference(
      place: "header \(name)",
      message: message,
      expected: nil,
      actual: shown.actual.fields.values(of: name).first.map(Self.short),
      drift: drift,
      isMismatch: false
    )
  }

  private static func short(_ text: String, to length: Int) -> String {
    text.utf8.count <= length ? text : String(text.unicodeScalars.prefix(length)) + " …"
  }

  private static func short(_ value: String) -> String { short(value, to: maxValueLength) }
}

extension ComparedResponse {
  fileprivate var mediaType: MediaType? { fields.mediaType ?? body.mediaType }
}

extension Mismatch {
  /// Whether the message says that two values are not equal, and nothing else.
  fileprivate var isOfEquality: Bool {
    kind == .status && message.hasPrefix("expected ") || message.contains(" to be equal to ")
      || message.contains(" using equality ")
  }
}

extension VerificationReport.Drift {
  /// What a mismatch means for clients.
  init(of mismatch: Mismatch) {
    switch mismatch.kind {
    case .status, .bodyContentType: self = .breaking
    case .header:
      self = mismatch.actual == nil || mismatch.path.lowercased() == "content-type" ? .breaking : .risky
    default: self = Self.drift(of: mismatch)
    }
  }

  private static func drift(of mismatch: Mismatch) -> VerificationReport.Drift {
    guard let actual = mismatch.actual else { return mismatch.expected == nil ? .risky : .breaking }
    if mismatch.message.hasSuffix("but was missing") { return .breaking }
    guard let expected = mismatch.expected,
      let wanted = try? JSONValue(parsing: expected, limits: JSONComparison.limits)
    else { return .risky }
    guard let received = try? JSONValue(parsing: actual, limits: JSONComparison.limits) else {
      return .breaking
    }
    switch (wanted, received) {
    case (.null, _), (_, .null): return .risky
    case (.bool, .bool), (.number, .number), (.string, .string): return .risky
    case (.array(let wanted), .array(let received)): return received.count > wanted.count ? .risky : .breaking
    case (.object(let wanted), .object(let received)):
      let keys = Set(received.members.map(\.key))
      return wanted.members.allSatisfy { keys.contains($0.key) } ? .risky : .breaking
    default: return .breaking
    }
  }
}
