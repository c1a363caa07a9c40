import HTTPTypes
import StagecoachCore

extension VerificationReport.Exchange {
  init(_ interaction: ContractInteraction) {
    self.init(
      id: interaction.id,
      title: interaction.title,
      source: interaction.source,
      comments: interaction.comments,
      file: interaction.file,
      line: interaction.line,
      expected: VerificationReport.Message(start: "", fields: [], body: nil)
    )
    warnings = interaction.warnings
  }

  private init(
    id: String,
    title: String,
    source: String,
    comments: [String],
    file: String?,
    line: Int?,
    expected: VerificationReport.Message
  ) {
    self.id = Format.oneLine(id)
    self.title = Format.oneLine(title)
    self.source = Format.oneLine(source)
    self.comments = comments
    self.file = file
    self.line = line
    self.expected = expected
  }

  mutating func skip(_ reason: String) {
    outcome = .skipped
    warnings.append(reason)
  }

  /// Removes secrets from titles, comments and warnings.
  mutating func redactTexts(_ redactor: Redactor) throws(RedactionError) {
    let (outcome, lack) = (outcome, lack)
    self = Self(
      id: id,
      title: try redactor.redact(text: title),
      source: source,
      comments: try comments.map { (text) throws(RedactionError) in try redactor.redact(text: text) }
        .map(Format.oneLine),
      file: file,
      line: line,
      expected: expected
    ).with(outcome, try warnings.map { (text) throws(RedactionError) in try redactor.redact(text: text) })
    self.lack = lack
    // Its option looks like a secret.
    if let lack { warnings.append(lack) }
  }

  private func with(_ outcome: VerificationReport.Outcome, _ warnings: [String]) -> Self {
    var copy = self
    copy.outcome = outcome
    copy.warnings = warnings.map(Format.oneLine)
    return copy
  }

  /// Sets the outcome that the differences lead to.
  mutating func judge(isPending: Bool) {
    if outcome == .agreed, differences.contains(where: \.isMismatch) { outcome = .broken }
    if isPending, outcome == .broken || outcome == .unanswered { outcome = .pending }
  }
}

extension Verification.Caller {
  /// Which secrets have no value, and how to give it.
  ///
  /// - Parameters:
  ///   - inFields: Whether they are in fields alone, which may be given as a whole.
  ///   - numbered: The names that several secrets have.
  func sentence(lacking secrets: [Placeholder], inFields: Bool, numbered: Set<String>) -> String {
    let names = secrets.map(\.text).joined(separator: ", ")
    let needed = secrets.filter { !SecretJudge.isOneTime($0.name) }.map {
      numbered.contains($0.name) ? $0.identifier : $0.name
    }
    let (field, value) =
      switch self {
      case .code:
        (
          "set the field in Verification.fields",
          needed.map { "redaction.secrets[\"\($0)\"]" }.joined(separator: ", ")
        )
      case .tool:
        ("give the field with --header", needed.map { "--secret \($0)=VALUE" }.joined(separator: " "))
      case .test: ("add the field in a stage of contractSubject()", "contractRedaction()")
      }
    guard !needed.isEmpty else {
      return "the request has \(names), which is made for each request" + (inFields ? ": \(field)" : "")
    }
    return "the request has \(names), of which no value is known: give it with \(value)"
      + (inFields ? ", or \(field)" : "")
  }
}

extension VerificationReport.Message {
  /// The bytes of content that a report holds.
  private static let bodyLimit = 64 << 10

  /// - Throws: ``RedactionError``.
  init(
    _ request: RedactableMessage,
    of interaction: ContractInteraction,
    _ redactor: Redactor
  ) throws(RedactionError) {
    let message = try redactor.redact(request, side: "request", listed: interaction.redacted).message
    start = Format.oneLine("\(message.method ?? "") \(message.target ?? "")")
    fields = FieldLine.lines(of: message.fields)
    body = message.body.flatMap { $0.isEmpty ? nil : Self.text($0) }
  }

  /// - Parameter response: A reply without secrets.
  init(_ response: ComparedResponse) {
    start = response.status.map { Format.status(HTTPResponse.Status(code: $0)) } ?? "any status"
    fields = response.fields
    body = if case .bytes(let bytes) = response.body.content { Self.text(bytes) } else { nil }
  }

  /// The content as text, with line breaks if it is JSON; the size and the first bytes if it is no text.
  private static func text(_ bytes: Bytes) -> String {
    if bytes.count <= bodyLimit,
      let json = try? JSONValue(parsing: bytes.array, limits: JSONComparison.limits)
    {
      return String(decoding: json.serialized(.init(isPretty: true)), as: UTF8.self)
    }
    var prefix = bytes.prefix(bodyLimit)
    var text = String(validating: prefix.array, as: UTF8.self)
    // A character may be cut in two by the limit.
    for _ in 0..<3 where text == nil && bytes.count > bodyLimit {
      prefix = prefix.prefix(prefix.count - 1)
      text = String(validating: prefix.array, as: UTF8.self)
    }
    guard let text else {
      let start = bytes.array.prefix(32).map { CollectionOfOne($0).hexadecimal }
      return "\(bytes.count) bytes: \(start.joined(separator: " "))\(bytes.count > 32 ? " …" : "")"
    }
    return bytes.count > bodyLimit ? "\(text)\n… (\(bytes.count) bytes)" : text
  }
}
