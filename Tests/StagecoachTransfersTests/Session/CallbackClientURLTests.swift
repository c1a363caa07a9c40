import HTTPTypes
import Stagecoach
import StagecoachTransfers
import TestSupport
import Testing

/// Base URLs (2.1) and pins (C2).
@Suite struct CallbackClientURLTests {
  private static func sent(_ reference: String, base: String?) async throws -> String {
    let transport = HandlerTransport { _ in Response(.ok) }
    let api = try CallbackClient { try Client(over: transport, base: base) }
    let log = HandlerLog<JSONValue>()
    api.get(reference, success: log.success, failure: log.failure)
    _ = try await log.value()
    let head = try #require(transport.requests.first?.head)
    return "\(head.scheme ?? "-")://\(head.authority ?? "-")\(head.path ?? "-")"
  }

  @Test(arguments: [
    ("foo", "http://example.com/v1/foo"), ("foo?bar=baz", "http://example.com/v1/foo?bar=baz"),
    ("/foo", "http://example.com/foo"), ("foo/", "http://example.com/v1/foo/"),
    ("/foo/", "http://example.com/foo/"), ("http://example2.com/", "http://example2.com/"),
    ("../foo", "http://example.com/foo"), ("./foo", "http://example.com/v1/foo"),
    ("?a=b", "http://example.com/v1/?a=b"), ("//other.com/x", "http://other.com/x"),
    ("", "http://example.com/v1/"), ("foo bar", "http://example.com/v1/foo%20bar"),
  ])
  func resolvesReferencesAgainstTheBase(reference: String, url: String) async throws {
    #expect(try await Self.sent(reference, base: "http://example.com/v1") == url)
    #expect(try await Self.sent(reference, base: "http://example.com/v1/") == url)
  }

  @Test(arguments: [
    ("http://example.com", "http://example.com/"), ("http://example.com/v1", "http://example.com/v1/"),
    ("http://example.com/v1/", "http://example.com/v1/"),
    ("http://example.com/v1?key=1", "http://example.com/v1/?key=1"),
    ("http://example.com/v1#f", "http://example.com/v1/#f"),
  ])
  func basesEndWithASlash(base: String, stored: String) throws {
    let api = try CallbackClient { try Client(over: HandlerTransport { _ in Response(.ok) }, base: base) }
    #expect(api.client.base?.description == stored)
  }

  @Test func withoutABaseReferencesMustBeAbsolute() async throws {
    #expect(try await Self.sent("http://example.com/a", base: nil) == "http://example.com/a")
    for (reference, base) in [("a", nil), ("foo:bar", "http://example.com/v1/")] as [(String, String?)] {
      let error = await #expect(throws: ExchangeError.self) { try await Self.sent(reference, base: base) }
      #expect(error?.kind == .invalidRequest)
    }
  }

  // MARK: Pins

  private static func make(_ base: String?, _ trust: Trust, isDefault: Bool) throws {
    var configuration = Client.Configuration()
    if isDefault {
      configuration.defaults.options.trust = trust
    } else {
      configuration.trust = trust
    }
    _ = try CallbackClient { [configuration] in
      let pipeline = Pipeline(over: HandlerTransport { _ in Response(.ok) }, stages: [])
      return try Client(owning: pipeline, base: base, configuration: configuration)
    }
  }

  @Test(arguments: [true, false])
  func pinsNeedABaseWithTLS(isDefault: Bool) throws {
    let pins: Set<Pin> = [try Pin("sha256/hS5jJ4P+iQUErBkvoWBQOd1T7VOAYlOVegvv1iMzpxA=")]
    var domain = Trust()
    domain.hosts["*.h.example"] = Trust(pins: pins)
    let refused: [(String, Trust)] = [
      ("http://h.example/", Trust(pins: pins)), ("http://h.example/", Trust(pins: [])),
      ("http://api.h.example/v1/", domain),
    ]
    for (base, trust) in refused {
      let error = #expect(throws: ExchangeError.self) {
        try Self.make(base, trust, isDefault: isDefault)
      }
      #expect(error?.kind == .invalidRequest)
      #expect(error?.advice?.contains("https") == true)
    }
    let accepted: [(String?, Trust)] = [
      ("https://h.example/", Trust(pins: pins)), ("http://other.example/", domain), (nil, Trust(pins: pins)),
      ("http://h.example/", Trust()),
    ]
    for (base, trust) in accepted {
      #expect(throws: Never.self) { try Self.make(base, trust, isDefault: isDefault) }
    }
  }
}
