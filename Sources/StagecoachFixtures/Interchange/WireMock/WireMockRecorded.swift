import HTTPTypes
import StagecoachCore

/// The recorded request of a mapping whose pattern takes any value in place of its secrets. It is in the metadata, which
/// WireMock keeps and does not read, and tells which secret stands where.
enum WireMockRecorded {
  private static let member = "stagecoach"

  /// The metadata of a mapping; `nil` if the pattern says all.
  ///
  /// - Parameter rules: Those of the request.
  static func metadata(of exchange: Scenario.Exchange, _ rules: [Scenario.Rule], _ live: LiveRequest)
    -> JSONValue?
  {
    let request = exchange.request
    let secrets = RedactedMessage(request.message, side: "request", listed: exchange.redacted)
    guard secrets != nil || !exchange.redacted.isEmpty, request.body?.omission == nil else { return nil }
    // Of rules for one place, the first one counts.
    var match = JSONObject()
    for rule in rules where match[rule.place] == nil { match[rule.place] = rule.condition }
    var recorded: JSONObject = [
      "method": .string(request.method),
      "target": .string("\(live.path)\(live.query.map { "?\($0)" } ?? "")"),
      "fields": .array(request.fields.map { .array([.string($0.name.rawName), .string($0.value)]) }),
      "match": .object(match),
      "redacted": .array(exchange.redacted.map(\.value)),
    ]
    if let body = request.body {
      recorded["body"] = .string(String(decoding: Base64.encode(body.bytes.array), as: UTF8.self))
      recorded["type"] = body.type.map(JSONValue.string)
    }
    return [member: .object(recorded)]
  }

  /// The recorded request with its rules and its made-up values; `nil` if there is none, or if the pattern was changed.
  static func exchange(_ mapping: ManifestNode) -> Scenario.Exchange? {
    guard let recorded = mapping.member("metadata")?.member(member),
      let method = recorded.value["method"]?.stringValue, HTTPRequest.Method(method) != nil,
      let target = recorded.value["target"]?.stringValue, target.hasPrefix("/"),
      let fields = try? recorded.member("fields")?.fields(),
      let redacted = try? recorded.member("redacted")?.elements().map(Scenario.RedactedLeaf.init)
    else { return nil }
    var request = Scenario.Request(method, "{api}\(target)", fields: fields)
    if let text = recorded.value["body"]?.stringValue {
      guard let bytes = Bytes(base64: text) else { return nil }
      request.body = Scenario.Body(bytes, type: recorded.value["type"]?.stringValue).pretty()
    }
    var exchange = Scenario.Exchange(
      id: "",
      request: request,
      reply: Scenario.Reply(Scenario.Outcome(.complete))
    )
    exchange.match = recorded.value["match"]?.objectValue?.members.map { .init($0.key, $0.value) } ?? []
    exchange.redacted = redacted
    let pattern = WireMockPattern(exchange, defaults: [], LiveRequest(url: WireMockReader.origin + target))
    return pattern.value == mapping.value["request"] ? exchange : nil
  }
}

extension LiveRequest {
  init(url: String) { self.init(method: "GET", url: url, fields: [:], body: Bytes()) }
}
