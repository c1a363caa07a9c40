import Foundation
import HTTPTypes
import Stagecoach
import StagecoachResilience
import Testing

@testable import StagecoachTransfers

/// Domains, codes and keys of errors (2.7, 2.16).
@Suite struct NSErrorBridgingTests {
  private static let url = NSURLErrorDomain
  private static let response = "com.alamofire.error.serialization.response"
  private static let request = "com.alamofire.error.serialization.request"

  private struct OtherFailure: StageFailure {
    var description: String { "other.failure" }
  }

  /// Every kind of error.
  private static let table: [(ExchangeError.Kind, String, Int)] =
    [
      (.invalidRequest, url, -1000), (.requestSerialization, request, -1016), (.requestBody, url, -1021),
      (.bodyNotReplayable, url, -1021), (.nameResolution, url, -1003), (.connectionRefused, url, -1004),
      (.connectionFailed, url, -1004), (.proxyRefused, url, -1004), (.connectionReset, url, -1005),
      (.incompleteBody, url, -1005),
      (.tls(.untrusted), url, -1202), (.tls(.hostMismatch), url, -1202), (.tls(.expired), url, -1201),
      (.tls(.pinMismatch), url, -1202), (.tls(.refused), url, -1202), (.tls(.alert), url, -1200),
      (.tls(.identity), url, -1200),
      (.tls(.handshake), url, -1200), (.timeout(.pool), url, -1001), (.timeout(.connect), url, -1001),
      (.timeout(.head), url, -1001), (.timeout(.idle), url, -1001), (.timeout(.attempt), url, -1001),
      (.timeout(.total), url, -1001), (.limit(.requestHead), url, -1103), (.limit(.responseHead), url, -1103),
      (.limit(.body), url, -1103), (.limit(.decodedBody), url, -1103), (.limit(.structure), url, -1103),
      (.limit(.queue), url, -1008), (.protocolViolation, url, -1011), (.contentCoding(.unknown), url, -1016),
      (.contentCoding(.malformed), url, -1015), (.contentCoding(.checksum), url, -1015),
      (.contentCoding(.truncated), url, -1015),
      (.contentCoding(.coder), url, -1015), (.status, response, -1011), (.mediaType, response, -1016),
      (.validation, response, -1011), (.serialization, NSCocoaErrorDomain, 3840),
      (.bodyAlreadyRead, url, -1), (.bodyCancelled, url, -999), (.shutdown, url, -999),
      (.circuitOpen, url, -1008), (.policy, url, -1), (.file, request, -1000), (.unsupported, url, -1002),
      (.transport, url, -1), (.stage, url, -1),
    ] + redirects + [
      (.authentication(.cancelled), url, -1012), (.authentication(.refreshFailed), url, -1013),
      (.authentication(.serverNotAuthentic), url, -1013), (.stageFailure(OtherFailure()), url, -1),
    ]

  private static let redirects: [(ExchangeError.Kind, String, Int)] = [
    (.redirect(.tooMany), url, -1007), (.redirect(.insecure), url, -1022),
    (.redirect(.ambiguousLocation), url, -1010), (.redirect(.invalidLocation), url, -1010),
    (.redirect(.locationTooLong), url, -1010), (.redirect(.unsupportedScheme), url, -1002),
    (.redirect(.userInformation), url, -1010),
  ]

  @Test func everyKindHasADomainAndACode() {
    for (kind, domain, code) in Self.table {
      let error = NSError(bridging: ExchangeError(kind, "why"))
      #expect(error.domain == domain, "\(kind)")
      #expect(error.code == code, "\(kind)")
      #expect(error.localizedDescription == "why")
    }
    // Each kind is there, and once.
    #expect(Set(Self.table.map { Self.word($0.0) }).count == 31)
    #expect(Set(Self.table.map(\.0)).count == Self.table.count)
  }

  /// Does not compile if there is a kind that the table may lack.
  private static func word(_ kind: ExchangeError.Kind) -> String {
    switch kind {
    case .invalidRequest, .requestSerialization, .requestBody, .bodyNotReplayable, .nameResolution,
      .connectionRefused, .connectionFailed, .proxyRefused, .connectionReset, .protocolViolation,
      .incompleteBody, .status,
      .mediaType, .validation, .serialization, .bodyAlreadyRead, .bodyCancelled, .shutdown,
      .policy, .file, .unsupported, .transport, .stage:
      "\(kind)"
    case .tls: "tls"
    case .timeout: "timeout"
    case .limit(.queue): "queue"
    case .limit: "limit"
    case .contentCoding(.unknown): "coding"
    case .contentCoding: "contentCoding"
    case .stageFailure(let failure): failure is OtherFailure ? "other" : "known"
    }
  }

  @Test func bridgesDomainsAndCodesOfFoundation() {
    let cancelled = NSError(bridging: CancellationError())
    #expect((cancelled.domain, cancelled.code) == (NSURLErrorDomain, -999))
    #expect(BridgedError.responseDomain == Self.response)
    #expect(BridgedError.requestDomain == Self.request)
    #expect(BridgedError.responseKey == "com.alamofire.serialization.response.error.response")
    #expect(BridgedError.dataKey == "com.alamofire.serialization.response.error.data")
  }

  @Test func bridgesUndecodableText() async throws {
    let transport = HandlerTransport { _ in
      Response(
        .ok,
        fields: [.contentType: "text/plain; charset=utf-8"],
        body: .bytes(Bytes([0xfd, 0xfc, 0xff, 0xfe]))
      )
    }
    let error = await #expect(throws: ExchangeError.self) {
      try await Client(over: transport).value(for: .get("http://h/"), as: .text)
    }
    let bridged = NSError(bridging: try #require(error))
    #expect((bridged.domain, bridged.code) == (Self.response, -1016))
  }

  @Test func bridgesFileErrorsToCocoa() throws {
    var error = ExchangeError(.file, "full")
    error.stage = "FileResponseSerializer"
    #expect(NSError(bridging: error).domain == NSCocoaErrorDomain)
    #expect(NSError(bridging: error).code == 512)
    let expected = try #require(Checksum(.md5, [UInt8](repeating: 0, count: 16)))
    let wrong = ChecksumFailure(expected: expected, actual: expected).error(of: "the file")
    #expect(NSError(bridging: wrong).domain == NSCocoaErrorDomain)
    #expect(NSError(bridging: wrong).code == 259)
  }

  // MARK: User info

  private static func failure(
    _ status: HTTPResponse.Status,
    _ type: String,
    _ body: Bytes = "<p>no</p>"
  ) async throws -> NSError {
    let transport = HandlerTransport { _ in
      Response(status, fields: [.contentType: type, .setCookie: "a=s3cret"], body: .bytes(body))
    }
    let client = try Client(over: transport, base: "http://h.example/v1/")
    let error = await #expect(throws: ExchangeError.self) {
      try await client.value(for: .get("a?page=1&token=s3cret"), as: .jsonValue)
    }
    return NSError(bridging: try #require(error))
  }

  @Test func bridgesAWrongStatusOverAWrongType() async throws {
    let error = try await Self.failure(.notFound, "text/html")
    #expect((error.domain, error.code) == (Self.response, -1011))
    let reason = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect((reason.domain, reason.code) == (Self.response, -1016))
    for error in [error, reason] {
      #expect((error.userInfo[BridgedError.responseKey] as? HTTPResponse)?.status == .notFound)
      #expect(error.userInfo[BridgedError.dataKey] as? Data == Data("<p>no</p>".utf8))
      let url = try #require(error.userInfo[NSURLErrorFailingURLErrorKey] as? URL)
      #expect(url.host() == "h.example")
      #expect(url.path() == "/v1/a")
      #expect(error.localizedRecoverySuggestion?.isEmpty == false)
      #expect(!"\(error.userInfo)".contains("s3cret"))
    }
    #expect(reason.userInfo[NSUnderlyingErrorKey] == nil)
  }

  @Test func bridgesAWrongType() async throws {
    let error = try await Self.failure(.ok, "text/html")
    #expect((error.domain, error.code) == (Self.response, -1016))
    #expect(error.localizedDescription.contains("text/html"))
    #expect(error.userInfo[NSUnderlyingErrorKey] == nil)
  }

  @Test func bridgesMalformedJSONWithItsData() async throws {
    let error = try await Self.failure(.ok, "application/json", "{")
    #expect((error.domain, error.code) == (NSCocoaErrorDomain, 3840))
    #expect(error.userInfo[BridgedError.dataKey] as? Data == Data("{".utf8))
    #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
  }

  @Test func withoutAResponseThereIsNoData() {
    let error = NSError(bridging: ExchangeError.timeout(.head, after: .seconds(1)))
    #expect(error.userInfo[BridgedError.responseKey] == nil)
    #expect(error.userInfo[BridgedError.dataKey] == nil)
    #expect(error.userInfo[NSURLErrorFailingURLErrorKey] == nil)
  }

  @Test func otherErrorsKeepTheirDomain() {
    struct Own: Error, CustomStringConvertible { var description: String { "own text" } }
    let own = NSError(bridging: Own())
    #expect(own.domain.hasSuffix("Own"))
    #expect(own.localizedDescription.contains("own text"))
    let foundation = NSError(domain: "d", code: 7, userInfo: [NSLocalizedDescriptionKey: "why", "key": 1])
    let bridged = NSError(bridging: foundation)
    #expect((bridged.domain, bridged.code) == ("d", 7))
    #expect(bridged.localizedDescription == "why")
    #expect(bridged.userInfo["key"] as? Int == 1)
    let nested = ExchangeError(
      .transport,
      "failed",
      underlying: ExchangeError(.shutdown, "down", underlying: foundation)
    )
    let middle = NSError(bridging: nested).userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(middle?.code == -999)
    #expect((middle?.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == "d")
  }
}
