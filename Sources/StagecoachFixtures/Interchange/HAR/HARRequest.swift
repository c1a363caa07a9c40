import HTTPTypes
import StagecoachCore

/// A request in HAR.
struct HARRequest {
  let value: JSONValue
  /// The content in Base64 if it is not text.
  let binaryContent: String?

  init(_ request: Scenario.Request, url: String) {
    var members: JSONObject = [
      "method": .string(request.method),
      "url": .string(url),
      "httpVersion": .string(request.version.map { "HTTP/\($0)" } ?? ""),
      "cookies": .array(
        request.fields[values: .cookie].flatMap { $0.split(separator: ";") }.map { pair in
          let (name, value) = pair.splitAtEquals
          return ["name": .string(name), "value": .string(value)]
        }
      ),
      "headers": .harFields(request.fields),
      "queryString": Self.query(of: url),
    ]
    var binary: String?
    if let body = request.body, body.omission == nil {
      if let text = Self.text(of: body) {
        let type = body.type ?? request.fields[.contentType] ?? "application/octet-stream"
        members["postData"] = ["mimeType": .string(type), "text": .string(text)]
      } else {
        binary = String(decoding: Base64.encode(body.bytes.array), as: UTF8.self)
      }
    }
    members["headersSize"] = -1
    members["bodySize"] = .number(JSONNumber(request.body.map { $0.omission?.bytes ?? $0.bytes.count } ?? 0))
    value = .object(members)
    binaryContent = binary
  }

  static func text(of body: Scenario.Body) -> String? {
    String(validating: body.bytes.array, as: UTF8.self)
  }

  private static func query(of url: String) -> JSONValue {
    guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    let query = url[url.utf8.index(after: mark)...].prefix { $0 != "#" }
    return .array(
      query.split(separator: "&").map { pair in
        let (name, value) = pair.splitAtEquals
        return ["name": decoded(name), "value": decoded(value)]
      }
    )
  }

  private static func decoded(_ text: String) -> JSONValue {
    .string(String(decoding: text.utf8.percentDecoding(plusIsSpace: true).octets, as: UTF8.self))
  }
}

extension JSONValue {
  /// Fields as HAR writes them.
  static func harFields(_ fields: HTTPFields) -> JSONValue {
    .array(fields.map { ["name": .string($0.name.rawName), "value": .string($0.value)] })
  }
}

extension Substring {
  /// What stands before and after the first `=`, without blanks.
  var splitAtEquals: (String, String) {
    guard let mark = firstIndex(of: "=") else { return (trimmingBlanks, "") }
    return (self[..<mark].trimmingBlanks, self[index(after: mark)...].trimmingBlanks)
  }
}
