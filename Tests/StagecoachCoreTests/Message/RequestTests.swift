import Foundation
import HTTPTypes
import Stagecoach
import Testing

@Suite struct RequestTests {
  @Test func theVerbsHaveTheirMethods() {
    let requests: [(Request, HTTPRequest.Method)] = [
      (.get("a"), .get), (.head("a"), .head), (.delete("a"), .delete), (.post("a"), .post), (.put("a"), .put),
      (.patch("a"), .patch), (Request(.options, "a"), .options),
    ]
    for (request, method) in requests {
      #expect(request.method == method)
      #expect(request.reference == "a")
      #expect(request.body.isEmpty)
      #expect(request.fields.isEmpty)
      #expect(request.head.scheme == nil && request.head.authority == nil && request.head.path == nil)
      #expect(request.exchange == nil)
      #expect(request.hop == 0 && request.attempt == 1)
    }
    #expect(Request.post("a", body: .bytes("x")).body.bytes == "x")
    #expect(Request.put("a", body: .bytes("x")).body.bytes == "x")
    #expect(Request.patch("a", body: .bytes("x")).body.bytes == "x")
  }

  @Test func fieldsKeepOrderCaseAndDuplicates() throws {
    var request = Request.get("a")
    for (name, value) in [("B-first", "1"), ("accept", "x"), ("b-FIRST", "2"), ("A", "")] {
      try request.addField(name, value)
    }
    #expect(request.fields.map(\.name.rawName) == ["B-first", "accept", "b-FIRST", "A"])
    #expect(request.fields.map(\.value) == ["1", "x", "2", ""])
    #expect(request.fields[values: HTTPField.Name("B-First")!] == ["1", "2"])
  }

  @Test func copiesAreIndependent() {
    let request = Request.get("a")
    let changed = request.with(\.bodyLimit, 7)
    var other = request
    other.fields[.accept] = "x"
    other.method = .put
    #expect(changed.options.bodyLimit == 7)
    #expect(request.options.bodyLimit == RequestOptions.bodyLimit.defaultValue)
    #expect(request.fields.isEmpty)
    #expect(request.method == .get)
  }

  @Test func aFoundationURLIsResolvedWhenTheRequestIsMade() throws {
    let request = try Request(.get, url: #require(URL(string: "HTTPS://User.Example:8443/a%20b?c=d#e")))
    #expect(request.reference == nil)
    #expect(request.head.scheme == "https")
    #expect(request.head.authority == "user.example:8443")
    #expect(request.head.path == "/a%20b?c=d")
  }

  @Test(arguments: ["/relative", "ftp://h/", "file:///etc/passwd", "mailto:a@b"])
  func aURLThatCannotBeSentIsRefused(text: String) throws {
    let url = try #require(URL(string: text))
    let error = try #require(throws: ExchangeError.self) { _ = try Request(.get, url: url) }
    #expect(error.kind == .invalidRequest)
    #expect(error.underlying is URIError)
  }

  @Test(arguments: [
    ("a b", "x"), ("", "x"), (":path", "x"), ("a:", "x"), ("ä", "x"), ("a\r\nb", "x"), ("a", "x\r\ny: z"),
    ("a", "\n"), ("a", "x\rz"), ("a", "\0"),
  ])
  func aFieldThatBreaksTheFramingIsRefused(name: String, value: String) throws {
    var request = Request.get("a")
    let error = try #require(throws: ExchangeError.self) { try request.addField(name, value) }
    #expect(error.kind == .invalidRequest)
    #expect(!error.message.utf8.contains(10) && !error.message.utf8.contains(13))
    #expect(request.fields.isEmpty)
  }
}
