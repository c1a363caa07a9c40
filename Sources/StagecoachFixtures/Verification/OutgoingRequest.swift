import HTTPTypes
import StagecoachCore

/// The request of an interaction as it is sent: with generated values, without placeholders of secrets.
struct OutgoingRequest {
  private(set) var request: Request
  /// The URL, for reports.
  let url: String
  private(set) var warnings: [String] = []

  /// - Parameters:
  ///   - base: What stands in front of the target.
  ///   - values: What the handlers of provider states returned.
  ///   - fields: Fields that replace those of the interaction.
  ///   - secrets: The values of placeholders, by name such as `API_TOKEN` or `API_TOKEN#2`.
  /// - Throws: ``GeneratorError``; `ExchangeError` if a field or the method is invalid.
  init(
    _ interaction: ContractInteraction,
    base: String,
    values: JSONObject,
    fields: HTTPFields,
    secrets: [String: String]
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
    var fill = PlaceholderFill(secrets)
    let target = String(decoding: fill.filled(recorded.target, .percentEncoded), as: UTF8.self)
    // Always behind the base: no contract leads credentials to another server.
    let isAsterisk = target == "*"
    url = base + (target.first == "/" || isAsterisk ? target : "/" + target)

    var sent = HTTPFields()
    for field in recorded.fields where !Self.isOfConnection(field.name) && !fields.contains(field.name) {
      let value = fill.filled(field.octets, .none)
      guard HTTPField.isValidValue(value) else {
        throw ExchangeError(.invalidRequest, "the secret for the field \(field.name) has invalid characters")
      }
      sent.append(HTTPField(name: field.name, value: value))
    }
    for field in fields { sent.append(field) }
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
      let type = sent.contentType ?? body.type.flatMap { MediaType($0) }
      var bytes = fill.filled(body.bytes.array, PlaceholderFill.Escape(of: type))
      for coding in body.codings { bytes = StoredCoding.encode(bytes, as: coding) ?? bytes }
      request.body = .bytes(Bytes(bytes))
    }
    if recorded.trailers?.isEmpty == false {
      warnings.append("the trailer fields of the request are not sent")
    }
    for text in fill.missing.sorted() {
      warnings.append(
        "the request holds the placeholder \(text): give its value in Verification.secrets, or the field of "
          + "today with Verification.fields, --header or a stage of contractSubject()"
      )
    }
  }

  /// Whether a field is for the connection or describes the content, both of which the transport does anew.
  private static func isOfConnection(_ name: HTTPField.Name) -> Bool {
    switch name {
    case .contentLength, .transferEncoding, .connection, .upgrade, .trailer, .te: true
    default: ["host", "keep-alive", "proxy-connection"].contains(name.canonicalName)
    }
  }
}

/// Puts values in place of the placeholders of secrets.
struct PlaceholderFill {
  /// How a value is written.
  enum Escape {
    case none, percentEncoded, json

    /// The escape in content of a media type.
    init(of type: MediaType?) {
      self = type?.isJSON == true ? .json : type?.essence == .form ? .percentEncoded : .none
    }

    func written(_ value: String) -> [UInt8] {
      switch self {
      case .none: Array(value.utf8)
      case .percentEncoded: Array(value.percentEncoded(.unreserved).utf8)
      case .json: Array(JSONValue.string(value).serialized().dropFirst().dropLast())
      }
    }
  }

  private let secrets: [String: String]
  /// The placeholders without a value.
  private(set) var missing: Set<String> = []

  init(_ secrets: [String: String]) {
    self.secrets = secrets
  }

  mutating func filled(_ text: String, _ escape: Escape) -> [UInt8] { filled(Array(text.utf8), escape) }

  mutating func filled(_ bytes: [UInt8], _ escape: Escape) -> [UInt8] {
    var (result, end): ([UInt8], Int) = ([], 0)
    for (range, placeholder) in Placeholder.all(in: bytes) {
      let value = secrets["\(placeholder.name)#\(placeholder.number)"] ?? secrets[placeholder.name]
      if value == nil { missing.insert(placeholder.text) }
      result += bytes[end..<range.lowerBound]
      result += escape.written(value ?? placeholder.text)
      end = range.upperBound
    }
    return result + bytes[end...]
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
