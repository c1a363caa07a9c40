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
