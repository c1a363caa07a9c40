import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct RequestTemplateTests {
  @Test(
    arguments: [
      ("/users/{id}/files/{name}", ["id": 7, "name": "a/b ü"], "/users/7/files/a%2Fb%20%C3%BC"),
      ("{a}/{a}", ["a": "x"], "x/x"), ("", [:], ""), ("plain?q=1#f", [:], "plain?q=1#f"),
      ("{a}-{b}.json", ["b": true, "a": 2.0], "2-true.json"), ("/{a}", ["a": -0.5], "/-0.5"),
      ("/{a}", ["a": "?#%&=+;,:@[]{}\\"], "/%3F%23%25%26%3D%2B%3B%2C%3A%40%5B%5D%7B%7D%5C"),
      ("/{a}", ["a": "aZ09-._~"], "/aZ09-._~"), ("/{a}", ["a": "..."], "/..."),
      ("/{a}", ["a": "%2e%2e"], "/%252e%252e"), ("/{a}", ["a": "\r\n\0"], "/%0D%0A%00"),
      ("/{a}?q=1", ["a": "b"], "/b?q=1"), ("/%7B{a}%7D", ["a": "b"], "/%7Bb%7D"),
      ("http://h:1/{a}", ["a": "@x"], "http://h:1/%40x"), ("//h/{a}", ["a": "b"], "//h/b"),
      ("{user-id.x_1}", ["user-id.x_1": "http://evil"], "http%3A%2F%2Fevil"),
    ] as [(String, Parameters, String)]
  )
  func expandsTemplates(template: String, values: Parameters, reference: String) throws {
    #expect(try Request(.get, template: template, values).reference == reference)
  }

  @Test(
    arguments: [
      ("/{a}", [:], "{a}"), ("/{a}", ["a": 1, "b": 2], "\"b\""), ("/{a}", ["a": 1, "a": 2], "twice"),
      ("/{a}", ["a": ""], "empty"), ("/{a}", ["a": "."], "dot segment"), ("/{a}", ["a": ".."], "dot segment"),
      ("/{a}", ["a": .null], "{a}"), ("/{a}", ["a": [1]], "{a}"), ("/{a}", ["a": .double(.infinity)], "{a}"),
      ("/{a", ["a": 1], "opening"), ("/a}", ["a": 1], "closing"), ("/{}", [:], "invalid name"),
      ("/{{a}}", ["a": 1], "invalid name"), ("/{+a}", ["a": 1], "invalid name"),
      ("/{é}", ["é": 1], "invalid name"),
      ("/%2{a}", ["a": "e"], "percent"), ("/%{a}", ["a": "2e"], "percent"), ("/%", [:], "percent"),
      ("/?q={a}", ["a": 1], "outside"), ("/#{a}", ["a": 1], "outside"), ("/x?a/{a}", ["a": 1], "outside"),
      ("http://{a}/", ["a": "evil"], "outside"), ("http://h{a}", ["a": ".evil"], "outside"),
      ("//{a}/", ["a": "evil"], "outside"), (" //{a}/", ["a": "evil"], "outside"),
      ("{a}://h/", ["a": "http"], "outside"), ("http://h:{a}/", ["a": 1], "outside"),
      ("\t http://{a}", ["a": 1], "outside"), ("{a}:80/x", ["a": "http"], "outside"),
    ] as [(String, Parameters, String)]
  )
  func refusesAMalformedTemplate(template: String, values: Parameters, word: String) throws {
    let error = try #require(throws: ExchangeError.self) {
      try Request(.get, template: template, values)
    }
    #expect(error.kind == .invalidRequest)
    #expect(error.message.contains(word))
  }

  /// Whatever the value, it is one segment of the path that is sent, and decodes to itself.
  @Test func anyValueIsOneSegment() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(over: transport, base: "http://h/v1/?q")
    var random = SplitMix(state: 8)
    for _ in 0..<300 {
      let scalars = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...(Bool.random(using: &random) ? 0x7F : 0x2FFF), using: &random))
      }
      let value = String(String.UnicodeScalarView(scalars))
      guard value != ".", value != ".." else { continue }
      _ = try await client.send(Request(.get, template: "a/{v}/z", ["v": .string(value)]))
      let path = try #require(transport.requests.last?.head.path)
      #expect(transport.requests.last?.head.authority == "h")
      let segments = path.split(separator: "/", omittingEmptySubsequences: false)
      try #require(segments.count == 5 && segments[1] == "v1" && segments[2] == "a" && segments[4] == "z")
      #expect(Self.decoded(segments[3]) == Array(value.utf8))
    }
  }

  private static func decoded(_ segment: Substring) -> [UInt8] {
    var octets: [UInt8] = []
    var rest = segment.utf8[...]
    while let octet = rest.popFirst() {
      guard octet == UInt8(ascii: "%") else {
        octets.append(octet)
        continue
      }
      octets.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0xFF)
      rest = rest.dropFirst(2)
    }
    return octets
  }

  @Test func fieldsAndBodyAreTaken() throws {
    let request = try Request(.put, template: "/{a}", ["a": 1], fields: [.accept: "x"], body: .bytes("b"))
    #expect(request.method == .put)
    #expect(request.fields[.accept] == "x")
    #expect(request.body.length == 1)
  }
}
