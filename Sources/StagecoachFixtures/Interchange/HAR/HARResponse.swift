import HTTPTypes
import StagecoachCore

/// A reply in HAR: a failure before the head has the status 0, as browsers write it.
struct HARResponse {
  let value: JSONValue

  init(_ reply: Scenario.Reply) {
    let head = reply.head
    let fields = head?.response.headerFields ?? [:]
    var members: JSONObject = [
      "status": .number(JSONNumber(head?.response.status.code ?? 0)),
      "statusText": .string(head?.response.status.reasonPhrase ?? ""),
      "httpVersion": .string(head?.version.map { "HTTP/\($0)" } ?? ""),
      "cookies": .array(fields[values: .setCookie].map(Self.cookie)),
      "headers": .harFields(fields),
      "content": Self.content(of: reply.body, fields),
      "redirectURL": .string(fields[.location] ?? ""),
      "headersSize": -1,
      "bodySize": .number(JSONNumber(Self.size(of: reply.body))),
    ]
    if reply.outcome.kind != .complete { members["_error"] = .string(reply.outcome.kind.rawValue) }
    value = .object(members)
  }

  /// The bytes on the connection; -1 if they are not known.
  private static func size(of body: Scenario.Body?) -> Int {
    guard let body else { return 0 }
    return body.codings.isEmpty && body.omission == nil ? body.bytes.count : -1
  }

  private static func content(of body: Scenario.Body?, _ fields: HTTPFields) -> JSONValue {
    let type = body?.type ?? fields[.contentType] ?? ""
    var content: JSONObject = [
      "size": .number(JSONNumber(body.map { $0.omission?.bytes ?? $0.bytes.count } ?? 0)),
      "mimeType": .string(type),
    ]
    guard let body, body.omission == nil else { return .object(content) }
    // Text of another charset stands in UTF-8 in other tools; as octets it comes back as it was.
    let charsets = [type, fields[.contentType] ?? ""].compactMap { MediaType($0)?.charset }
    let isASCII = body.bytes.array.allSatisfy { $0 < 0x80 }
    let isUnicode = charsets.allSatisfy { $0 == .utf8 || $0 == .windows1252 && isASCII }
    if isUnicode, let text = String(validating: body.bytes.array, as: UTF8.self) {
      content["text"] = .string(text)
    } else {
      content["text"] = .string(String(decoding: Base64.encode(body.bytes.array), as: UTF8.self))
      content["encoding"] = "base64"
    }
    return .object(content)
  }

  private static func cookie(_ field: String) -> JSONValue {
    let parts = field.split(separator: ";", omittingEmptySubsequences: false)
    let (name, value) = (parts.first ?? "").splitAtEquals
    var cookie: JSONObject = ["name": .string(name), "value": .string(value)]
    for part in parts.dropFirst() {
      let (key, value) = part.splitAtEquals
      switch key.lowercased() {
      case "path": cookie["path"] = .string(value)
      case "domain": cookie["domain"] = .string(value)
      case "httponly": cookie["httpOnly"] = true
      case "secure": cookie["secure"] = true
      default: break
      }
    }
    return .object(cookie)
  }
}
