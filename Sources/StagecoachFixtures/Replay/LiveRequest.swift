import HTTPTypes
import StagecoachCore

/// A request as it is compared: its target in parts, and its content.
struct LiveRequest {
  let method: String
  let scheme: String
  let authority: String
  let path: Substring
  let query: Substring?
  let fields: HTTPFields
  let body: Bytes

  init(method: String, url: String, fields: HTTPFields, body: Bytes) {
    self.method = method
    self.fields = fields
    self.body = body
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let end = url[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "*" } ?? url.endIndex
    scheme = url[..<start].dropLast(3).lowercased()
    authority = url[start..<end].lowercased()
    (path, query) = Self.parts(url[end...])
  }

  init(_ request: Request, body: Bytes) {
    method = request.method.rawValue
    fields = request.fields
    self.body = body
    scheme = request.head.scheme ?? "http"
    authority = request.head.authority ?? ""
    (path, query) = Self.parts(Substring(request.head.path ?? "/"))
  }

  /// - Parameter redactor: Puts the placeholders of the recording in place of secrets.
  init(_ request: Request, body: Bytes, _ redactor: Redactor) throws(RedactionError) {
    let target =
      "\(request.head.scheme ?? "http")://\(request.head.authority ?? "")\(request.head.path ?? "/")"
    let redacted = try redactor.redact(
      RedactableMessage(
        method: request.method.rawValue,
        target: target,
        fields: request.fields,
        body: request.body.isEmpty ? nil : body
      )
    )
    self.init(
      method: request.method.rawValue,
      url: redacted.target ?? target,
      fields: redacted.fields,
      body: redacted.body ?? body
    )
  }

  private static func parts(_ target: Substring) -> (path: Substring, query: Substring?) {
    guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else {
      return (target.isEmpty ? "/" : target, nil)
    }
    let path = target[..<mark]
    return (path.isEmpty ? "/" : path, target[target.utf8.index(after: mark)...])
  }

  var origin: String { "\(scheme)://\(authority)" }

  var url: String { "\(origin)\(path)\(query.map { "?\($0)" } ?? "")" }
}
