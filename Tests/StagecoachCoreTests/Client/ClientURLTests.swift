import HTTPTypes
import Stagecoach
import Testing

@Suite struct ClientURLTests {
  private static func sent(_ reference: String, base: String?) async throws -> String {
    let transport = HandlerTransport { _ in Response(.ok) }
    _ = try await Client(over: transport, base: base).send(.get(reference))
    let head = try #require(transport.requests.first?.head)
    return "\(head.scheme ?? "-")://\(head.authority ?? "-")\(head.path ?? "-")"
  }

  @Test(arguments: [
    ("foo", "http://example.com/v1/foo"), ("foo?bar=baz", "http://example.com/v1/foo?bar=baz"),
    ("/foo", "http://example.com/foo"), ("foo/", "http://example.com/v1/foo/"),
    ("/foo/", "http://example.com/foo/"), ("http://example2.com/", "http://example2.com/"),
    ("http://example2.com", "http://example2.com/"), ("../foo", "http://example.com/foo"),
    ("./foo", "http://example.com/v1/foo"), ("?a=b", "http://example.com/v1/?a=b"),
    ("//other.com/x", "http://other.com/x"), ("", "http://example.com/v1/"),
    ("foo bar", "http://example.com/v1/foo%20bar"), ("foo#part", "http://example.com/v1/foo"),
    ("HTTPS://Other.COM:443/x", "https://other.com/x"), ("ä", "http://example.com/v1/%C3%A4"),
  ])
  func relativeReferencesResolveAgainstTheBase(reference: String, url: String) async throws {
    #expect(try await Self.sent(reference, base: "http://example.com/v1/") == url)
    #expect(try await Self.sent(reference, base: "http://example.com/v1") == url)
  }

  @Test(arguments: [
    ("http://example.com", "http://example.com/", "http://example.com/foo"),
    ("http://example.com/v1", "http://example.com/v1/", "http://example.com/v1/foo"),
    ("http://example.com/v1?key=1", "http://example.com/v1/?key=1", "http://example.com/v1/foo"),
    ("http://example.com/v1#f", "http://example.com/v1/#f", "http://example.com/v1/foo"),
  ])
  func theBaseEndsInASlash(base: String, stored: String, foo: String) async throws {
    let client = try Client(over: HandlerTransport { _ in Response(.ok) }, base: base)
    #expect(client.base?.description == stored)
    #expect(try await Self.sent("foo", base: base) == foo)
  }

  @Test(arguments: [
    "", "foo", "/foo", "//h/foo", "?a", "h/foo", "localhost:8080/x", "ftp://h/", "http://", "http:///x",
  ])
  func withoutABaseOnlyAbsoluteReferencesAreSent(reference: String) async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(over: transport)
    let error = try await #require(throws: ExchangeError.self) { _ = try await client.send(.get(reference)) }
    #expect(error.kind == .invalidRequest)
    #expect(error.stage == "Client")
    #expect(error.underlying is URIError)
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: [
    "foo:bar", "http://user:pass@h/", "http://h:99999/", "http://a b/", "http:\\\\h\\x",
    "http://h/\u{0}a/../../@",
  ])
  func aReferenceThatCannotBeSentIsRefusedWhateverTheBase(reference: String) async throws {
    let client = try Client(over: HandlerTransport { _ in Response(.ok) }, base: "http://example.com/v1/")
    do {
      let response = try await client.send(.get(reference))
      // What is sent in its place must be harmless.
      #expect(response.request?.head.path?.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } == true)
    } catch let error as ExchangeError {
      #expect(error.kind == .invalidRequest)
      #expect(!"\(error)".contains("pass@"))
    }
  }

  @Test(arguments: ["", "foo", "/v1", "ftp://h/", "http://u:p@h/", "http://", "http://h:0x/"])
  func refusesAMalformedBase(base: String) throws {
    let error = try #require(throws: ExchangeError.self) {
      _ = try Client(over: HandlerTransport { _ in Response(.ok) }, base: base)
    }
    #expect(error.kind == .invalidRequest)
    #expect(error.message.hasPrefix("invalid base URL: "))
    #expect(error.underlying is URIError)
  }
}
