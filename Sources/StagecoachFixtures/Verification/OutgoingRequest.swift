import HTTPTypes
import StagecoachCore

/// The request of an interaction as it is sent: with generated values, without placeholders of secrets.
struct OutgoingRequest {
  private(set) var request: Request
  /// What is sent, with the target as the contract has it.
  let message: RedactableMessage
  private let base: String
  private(set) var warnings: [String] = []

  /// - Parameters:
  ///   - base: What stands in front of the target.
  ///   - values: What the handlers of provider states returned.
  ///   - fields: Fields that replace those of the interaction.
  ///   - secrets: Returns the value of a secret.
  /// - Throws: ``GeneratorError``; `ExchangeError` if a field or the method is invalid.
  init(
    _ interaction: ContractInteraction,
    base: String,
    values: JSONObject,
    fields: HTTPFields,
    secrets: (Placeholder) -> [UInt8]?
  ) throws {
    var recorded = interaction.request
    if !interaction.requestGenerators.isEmpty {
      let context = GeneratorContext(side: .provider, providerState: values)
      var missing: Set<String> = []
      let generators = interaction.requestGenerators.filter { rule in
        guard let name = rule.generator.missingState(in: context) else { return true }
        missing.insert(name)
        return false
      }
      try recorded.apply(GeneratorApplication(generators, context: context))
      warnings += missing.sorted().map { name in
        "\(GeneratorError.missingValue(name)): the example of the contract is sent"
      }
    }
    let hidden = RedactedMessage(recorded.message, side: "request", listed: interaction.redacted)
    for placeholder in hidden.placeholders(in: { $0.fieldName != nil }) {
      guard let value = secrets(placeholder), value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
      else { continue }
      throw ExchangeError(
        .invalidRequest,
        "the secret \(placeholder.identifier) for a field has invalid characters"
      )
    }
    var filled = hidden.filled(secrets)
    let target = filled.target ?? recorded.target
    // Always behind the base: no contract leads credentials to another server.
    let isAsterisk = target == "*"
    let url = base + (target.first == "/" || isAsterisk ? target : "/" + target)

    var sent = HTTPFields()
    for field in filled.fields where !Self.isOfConnection(field.name) && !fields.contains(field.name) {
      sent.append(field)
    }
    for field in fields { sent.append(field) }
    filled.fields = sent
    message = filled
    self.base = base
    let method = HTTPRequest.Method(recorded.method)
    guard let method else {
      throw ExchangeError(.invalidRequest, "\"\(Format.oneLine(recorded.method))\" is not a method")
    }
    request = Request(method, isAsterisk ? base : url, fields: sent)
    if isAsterisk {
      // The target of OPTIONS for the whole server is no part of a URL (RFC 9112 3.2.4).
      try request.resolve(against: nil)
      request.head.path = target
    }
    if let body = recorded.body {
      var bytes = filled.body?.array ?? []
      for coding in body.codings { bytes = StoredCoding.encode(bytes, as: coding) ?? bytes }
      request.body = .bytes(Bytes(bytes))
    }
    if recorded.trailers?.isEmpty == false {
      warnings.append("the trailer fields of the request are not sent")
    }
  }

  /// Returns what was sent for a report: with the placeholders and made-up values of the contract, and the URL.
  func shown(for interaction: ContractInteraction) -> RedactableMessage {
    var shown = interaction.redactedRequest?.aligned(message).message ?? message
    let target = shown.target ?? ""
    shown.target = base + (target.first == "/" || target == "*" ? target : "/" + target)
    return shown
  }

  /// Whether a field is for the connection or describes the content, both of which the transport does anew.
  static func isOfConnection(_ name: HTTPField.Name) -> Bool {
    switch name {
    case .contentLength, .transferEncoding, .connection, .upgrade, .trailer, .te: true
    default: ["host", "keep-alive", "proxy-connection"].contains(name.canonicalName)
    }
  }
}

extension Scenario.Request {
  /// Replaces values by generated ones.
  fileprivate mutating func apply(_ application: GeneratorApplication) throws {
    let mark = target.firstIndex(of: "?")
    let compared = ComparedRequest(
      method: method,
      path: String(target[..<(mark ?? target.endIndex)]),
      query: mark.map { ComparedQuery(parsing: target[target.index(after: $0)...]) } ?? .none,
      fields: FieldLine.lines(of: fields),
      body: body.map { ComparedBody(.bytes($0.bytes), mediaType: $0.type.flatMap { MediaType($0) }) }
        ?? .absent
    )
    let generated = try application.request(compared)
    method = generated.method
    if generated.path != compared.path || generated.query != compared.query {
      let pairs = generated.query.parameters.map {
        "\($0.name.percentEncoded(.unreserved))=\($0.value.percentEncoded(.unreserved))"
      }
      target =
        generated.path.percentEncoded(.target) + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }
    if generated.fields != compared.fields {
      fields = [:]
      for line in generated.fields {
        guard let name = HTTPField.Name(line.name), HTTPField.isValidValue(line.value) else {
          throw ExchangeError(
            .invalidRequest,
            "a generated value for the field \(Format.oneLine(line.name)) has invalid characters"
          )
        }
        fields.append(HTTPField(name: name, value: line.value))
      }
    }
    if case .bytes(let bytes) = generated.body.content { body?.bytes = bytes }
  }
}
