import HTTPTypes
import Stagecoach

@testable import StagecoachFixtures

/// A way to write a name with a value into an exchange, in one format and place.
struct SecretPlacement: Sendable {
  let title: String
  /// Whether the name must be one of an element, an attribute or a variable.
  var needsPlainName = false
  /// Returns `nil` if the place cannot hold the value.
  let make: @Sendable (_ name: String, _ value: String) -> Scenario.Exchange?

  static let all: [SecretPlacement] = [
    SecretPlacement(title: "query") { exchange(target: "/a?x=1&\(form($0))=\(form($1))&lang=de") },
    SecretPlacement(title: "fragment of a location") { name, value in
      exchange(
        reply: "",
        "text/plain",
        fields: [("Location", "https://b.example/cb#\(form(name))=\(form(value))&x=1")]
      )
    },
    SecretPlacement(title: "form") {
      post("application/x-www-form-urlencoded", "x=1&\(form($0))=\(form($1))&lang=de")
    },
    SecretPlacement(title: "form without a type") { post(nil, "x=1&\(form($0))=\(form($1))") },
    SecretPlacement(title: "JSON of a request") {
      post("application/json", "{\"x\": 1, \(json($0)): \(json($1))}")
    },
    SecretPlacement(title: "JSON") {
      exchange(reply: "{\(json($0)):\(json($1)),\"tz\":\"UTC\"}", "application/json")
    },
    SecretPlacement(title: "nested JSON") {
      exchange(
        reply: "{\"data\": [{\"a\": {\(json($0)): \(json($1))}, \"n\": 12.50}]}",
        "application/problem+json"
      )
    },
    SecretPlacement(title: "lines of JSON") {
      exchange(reply: "{\"x\":1}\n{\(json($0)):\(json($1))}\n", "application/x-ndjson")
    },
    SecretPlacement(title: "JSON in a string") {
      exchange(reply: "{\"payload\": \(json("{\(json($0)): \(json($1))}"))}", "application/json")
    },
    SecretPlacement(title: "JSON in a form") {
      post("application/x-www-form-urlencoded", "payload=\(form("{\(json($0)): \(json($1))}"))")
    },
    SecretPlacement(title: "JSON in Base64") {
      exchange(
        reply: "{\"data\": \(json(EncodedSecret.base64("{\(json($0)): \(json($1)), \"a\": 1}")))}",
        "application/json"
      )
    },
    SecretPlacement(title: "pair in JSON") {
      exchange(reply: "[{\"name\": \(json($0)), \"value\": \(json($1))}]", "application/json")
    },
    SecretPlacement(title: "list in JSON") {
      exchange(
        reply: "{\"headers\": [[\(json($0)), \(json($1))], [\"Accept\", \"*/*\"]]}",
        "application/json"
      )
    },
    SecretPlacement(title: "event") {
      exchange(reply: "event: m\ndata: {\(json($0)): \(json($1))}\n\n", "text/event-stream")
    },
    SecretPlacement(title: "XML", needsPlainName: true) {
      exchange(reply: "<r><x>1</x><\($0)>\(markup($1))</\($0)></r>", "application/xml")
    },
    SecretPlacement(title: "XML with a prefix", needsPlainName: true) {
      exchange(reply: "<a:r xmlns:a=\"u\"><a:\($0)>\(markup($1))</a:\($0)></a:r>", "application/soap+xml")
    },
    SecretPlacement(title: "attribute", needsPlainName: true) {
      exchange(reply: "<r><u \($0)=\"\(markup($1))\" tz=\"UTC\"/></r>", "text/xml")
    },
    SecretPlacement(title: "setting") {
      exchange(reply: "<c><add key=\"\(markup($0))\" value=\"\(markup($1))\"/></c>", "application/xml")
    },
    SecretPlacement(title: "property list") {
      exchange(
        reply: "<plist><dict><key>\(markup($0))</key><string>\(markup($1))</string></dict></plist>",
        "application/x-plist"
      )
    },
    SecretPlacement(title: "XML-RPC") {
      exchange(
        reply:
          "<struct><member><name>\(markup($0))</name><value><string>\(markup($1))</string></value></member></struct>",
        "text/xml"
      )
    },
    SecretPlacement(title: "input") {
      exchange(
        reply:
          "<!DOCTYPE html><form><input type=\"hidden\" name=\"\(markup($0))\" value=\"\(markup($1))\"></form>",
        "text/html"
      )
    },
    SecretPlacement(title: "script") { name, value in
      guard !value.contains(where: { "\"\\<\n".contains($0) }) else { return nil }
      return exchange(
        reply: "<html><script>var c = {\"\(name)\": \"\(value)\"};</script></html>",
        "text/html"
      )
    },
    SecretPlacement(title: "link in a page") {
      exchange(reply: "<html><a href=\"/a?\(form($0))=\(form($1))&amp;x=1\">x</a></html>", "text/html")
    },
    SecretPlacement(title: "part") { name, value in
      guard !name.contains(where: { "\"\\".contains($0) }) else { return nil }
      return post(
        "multipart/form-data; boundary=bb",
        "--bb\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n--bb\r\n"
          + "Content-Disposition: form-data; name=\"x\"\r\n\r\n1\r\n--bb--\r\n"
      )
    },
    SecretPlacement(title: "environment", needsPlainName: true) { name, value in
      guard isWord(value) else { return nil }
      return exchange(reply: "TZ=UTC\n\(name)=\(value)\nLANG=de\n", "text/plain")
    },
    SecretPlacement(title: "YAML", needsPlainName: true) { name, value in
      guard isWord(value) else { return nil }
      return exchange(reply: "tz: UTC\n\(name): \(value)\nlang: de\n", "application/yaml")
    },
    SecretPlacement(title: "running text", needsPlainName: true) { name, value in
      guard isWord(value) else { return nil }
      return exchange(reply: "{\"log\": \"called with \(name)=\(value) today\"}", "application/json")
    },
    SecretPlacement(title: "field of a request") { name, value in
      guard let name = HTTPField.Name(name), isWord(value) else { return nil }
      return exchange(target: "/a", fields: [(name.rawName, value)])
    },
    SecretPlacement(title: "field") { name, value in
      guard let name = HTTPField.Name(name), isWord(value) else { return nil }
      return exchange(reply: "", "text/plain", fields: [(name.rawName, value)])
    },
  ]

  // MARK: Writing

  private static func form(_ text: String) -> String { EncodedSecret.form(text) }
  private static func markup(_ text: String) -> String { EncodedSecret.markup(text) }
  private static func json(_ text: String) -> String { "\"\(EncodedSecret.json(text))\"" }
  private static func isWord(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0.isAlphanumeric || "-_.~".utf8.contains($0) }
  }

  private static func fields(_ fields: [(String, String)]) -> HTTPFields {
    HTTPFields(
      fields.compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }
    )
  }

  private static func exchange(target: String, fields list: [(String, String)] = []) -> Scenario.Exchange {
    var request = Scenario.Request("GET", "https://a.example\(target)")
    request.fields = fields(list)
    return Scenario.Exchange(id: "01", request: request, reply: Scenario.Reply(Scenario.Outcome(.complete)))
  }

  private static func post(_ type: String?, _ content: String) -> Scenario.Exchange {
    var request = Scenario.Request("POST", "https://a.example/a")
    request.body = Scenario.Body(Bytes(Array(content.utf8)), type: type)
    return Scenario.Exchange(id: "01", request: request, reply: Scenario.Reply(Scenario.Outcome(.complete)))
  }

  private static func exchange(
    reply content: String,
    _ type: String,
    fields list: [(String, String)] = []
  ) -> Scenario.Exchange {
    let head = HTTPResponse(status: .ok, headerFields: fields(list + [("Content-Type", type)]))
    let body = Scenario.Body(Bytes(Array(content.utf8)), type: type)
    return Scenario.Exchange(
      id: "01",
      request: Scenario.Request("GET", "https://a.example/a"),
      reply: Scenario.Reply(Scenario.Head(head), body: body)
    )
  }
}

extension Scenario.Exchange {
  /// The paths of all leaves that are not in other leaves, with their types.
  var shape: [String] {
    placedMessages.flatMap { place, message in
      MessageTree(message).parts.flatMap { part in
        part.tree.nodes.indices.compactMap { index in
          LeafPlace(part.tree, index).map { "\(place).\(part.name) \($0.path) \($0.leaf.type)" }
        }
      }
    }
  }

  /// All texts.
  var allText: String {
    placedMessages.flatMap { $0.message.texts() }.map { String(decoding: $0.text, as: UTF8.self) }
      .joined(separator: "\n")
  }
}
