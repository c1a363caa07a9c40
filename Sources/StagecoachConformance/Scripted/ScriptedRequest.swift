import HTTPTypes
import StagecoachCore

/// A request of a script.
struct ScriptedRequest: Sendable {
  private let method: HTTPRequest.Method
  private let url: String?
  private let target: String
  private let isRaw: Bool
  private let fields: [(name: String, value: String)]
  private let chunks: [Bytes]?
  private let body: Bytes?
  private let length: Int64?
  private let isOnce: Bool
  private let trailers: HTTPFields?
  private let options: RequestOptions

  init(_ json: JSONValue) throws {
    try json.refuseOthers(than: [
      "method", "url", "target", "raw", "fields", "body", "chunks", "length", "once", "trailers", "options",
    ])
    let name = try json.text("method") ?? "GET"
    guard let method = HTTPRequest.Method(rawValue: name) else {
      throw ScriptError("\(name) is not a method")
    }
    self.method = method
    url = try json.text("url")
    target = try json["target"]?.texts().first ?? "/"
    isRaw = try json.flag("raw") ?? false
    fields = try json["fields"]?.pairs() ?? []
    chunks = try json["chunks"]?.texts().map { Bytes($0) }
    body = try json["body"]?.texts().first.map { Bytes($0) }
    length = try json.number("length").map { Int64($0) }
    isOnce = try json.flag("once") ?? false
    trailers = try json["trailers"].map { json in
      var fields = HTTPFields()
      for pair in try json.pairs() {
        guard let name = HTTPField.Name(pair.name) else {
          throw ScriptError("\(pair.name) is not a field name")
        }
        fields.append(HTTPField(name: name, value: pair.value))
      }
      return fields
    }
    var options = RequestOptions()
    if let json = json["options"] {
      try json.refuseOthers(than: [
        "connectTimeout", "headTimeout", "idleTimeout", "requestHeadLimit", "responseHeadLimit",
      ])
      func duration(_ key: String) throws -> Duration? { try json.number(key).map { .milliseconds($0) } }
      if let time = try duration("connectTimeout") { options.connectTimeout = time }
      if let time = try duration("headTimeout") { options.headTimeout = time }
      if let time = try duration("idleTimeout") { options.idleTimeout = time }
      if let limit = try json.number("requestHeadLimit") { options.requestHeadLimit = limit }
      if let limit = try json.number("responseHeadLimit") { options.responseHeadLimits.bytes = limit }
    }
    self.options = options
  }

  /// The request to a server; throws what making it throws.
  func made(for authority: String) throws -> Request {
    func filled(_ text: String) -> String { text.replacing("{{authority}}", with: authority) }
    var request =
      isRaw
      ? Request(head: HTTPRequest(method: method, scheme: "http", authority: authority, path: target))
      : Request(method, url.map(filled) ?? "http://\(authority)\(target)")
    for field in fields { try request.addField(field.name, filled(field.value)) }
    request.options = options
    if let body { request.body = .bytes(body) }
    if let chunks { request.body = streamed(chunks) }
    return request
  }

  private func streamed(_ chunks: [Bytes]) -> Request.Body {
    let trailers = trailers
    let ending: (@Sendable () -> HTTPFields?)? = trailers.map { fields in { @Sendable in fields } }
    let make: @Sendable () -> AsyncStream<Bytes> = {
      AsyncStream { continuation in
        for chunk in chunks { continuation.yield(chunk) }
        continuation.finish()
      }
    }
    guard isOnce else { return .stream(length: length, trailers: ending, make) }
    return .oneShot(make(), length: length, trailers: ending)
  }
}
