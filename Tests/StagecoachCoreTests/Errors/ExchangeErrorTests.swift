import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct ExchangeErrorTests {
  private static let transient: [ExchangeError.Kind] = [
    .nameResolution, .connectionRefused, .connectionFailed, .connectionReset, .incompleteBody,
    .timeout(.pool),
    .timeout(.connect), .timeout(.head), .timeout(.idle),
  ]
  private static let lasting: [ExchangeError.Kind] = [
    .timeout(.total), .invalidRequest, .requestSerialization, .requestBody, .bodyNotReplayable,
    .tls(.expired), .proxyRefused,
    .limit(.body), .protocolViolation, .status, .mediaType, .validation, .serialization, .bodyAlreadyRead,
    .bodyCancelled, .shutdown, .policy, .file, .unsupported, .transport, .stage,
  ]

  @Test func onlySomeKindsAreTransient() {
    for kind in Self.transient { #expect(ExchangeError(kind, "x").isTransient, "\(kind)") }
    for kind in Self.lasting { #expect(!ExchangeError(kind, "x").isTransient, "\(kind)") }
  }

  @Test func onlySomeStatusesAreTransient() {
    let passing = (400..<600).filter { code in
      var error = ExchangeError(.status, "x")
      error.response = HTTPResponse(status: HTTPResponse.Status(code: code))
      return error.isTransient
    }
    #expect(passing == [408, 425, 429, 500, 502, 503, 504])
  }

  @Test func kindsAreComparedWithTheirReason() {
    #expect(ExchangeError.Kind.timeout(.head) != .timeout(.idle))
    #expect(ExchangeError.Kind.tls(.expired).description == "tls.expired")
    #expect(ExchangeError.Kind.limit(.responseHead).description == "limit.responseHead")
    #expect(
      Set((Self.transient + Self.lasting).map(\.description)).count == Self.transient.count
        + Self.lasting.count
    )
  }

  @Test func theDecodedBodyIsOfItsTypeOnly() {
    var error = ExchangeError(.status, "x")
    #expect(error.decoded(as: Int.self) == nil)
    error.decodedBody = 7
    #expect(error.decoded(as: Int.self) == 7)
    #expect(error.decoded(as: String.self) == nil)
  }

  @Test func anErrorOfNoExchangeIsItsMessage() {
    #expect(ExchangeError(.policy, "no").description == "no [policy]")
  }

  /// Characters that start a line somewhere, steer a terminal, or turn the order of the text around.
  @Test(arguments: [
    "\n", "\r", "\r\n", "\t", "\0", "\u{b}", "\u{c}", "\u{1b}", "\u{7f}", "\u{85}", "\u{9b}", "\u{2028}",
    "\u{2029}",
    "\u{202e}", "\u{2066}",
  ])
  func foreignTextCannotForgeLines(control: String) async throws {
    let forged = "x\(control)  response: 200 OK"
    var error = ExchangeError(
      .policy,
      forged,
      advice: forged,
      limit: .init(option: forged, value: forged),
      underlying: Foreign(text: forged)
    )
    error.stage = forged
    error.bodyPrefix = Bytes(forged)
    error.elapsed = .seconds(1)
    error.request = HTTPRequest(method: .get, scheme: "http", authority: "h\(control)", path: "/\(forged)")
    error.response = HTTPResponse(status: .ok, headerFields: [.contentType: forged])
    let lines = error.description.split(omittingEmptySubsequences: false) { $0.isNewline }
    #expect(lines.count == 8)
    for scalar in control.unicodeScalars where scalar != "\n" {
      #expect(!error.description.unicodeScalars.contains(scalar))
    }
    #expect(lines.filter { $0.hasPrefix("  response: 200 OK") }.count == 1)
  }

  @Test func aLongBodyIsShownInPart() {
    var error = ExchangeError(.status, "x")
    error.bodyPrefix = Bytes(String(repeating: "a", count: 300))
    #expect(
      error.description.hasSuffix("  body:     \(String(repeating: "a", count: 256)) … (300 bytes kept)")
    )
    error.bodyPrefix = Bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff, 0xfe, 0])
    #expect(error.description.hasSuffix("  body:     89 50 4e 47 0d 0a 1a 0a 00 ff fe 00 … (binary)"))
    error.bodyPrefix = Bytes(String(repeating: "ä", count: 200))
    #expect(!error.description.contains("\u{fffd}"))
  }

  @Test func theKeptBodyIsBoundedAndDoesNotKeepTheWholeAlive() async throws {
    let body = Bytes(Array("[" + String(repeating: "1,", count: 100_000)).map { $0.asciiValue ?? 0 })
    let transport = HandlerTransport { _ in
      Response(.ok, fields: [.contentType: "application/json"], body: .bytes(body))
    }
    for limit in [0, 1, 1000] {
      let error = try await #require(throws: ExchangeError.self) {
        let request = Request.get("http://h/").with(\.errorBodyLimit, limit)
        _ = try await Client(over: transport).value(for: request, as: .json([Int].self))
      }
      #expect(error.kind == .serialization)
      #expect(error.bodyPrefix == body.prefix(limit))
      let (start, kept) = (
        body.withUnsafeBytes { $0.baseAddress }, error.bodyPrefix.withUnsafeBytes { $0.baseAddress }
      )
      #expect(limit == 0 || start != kept)
    }
  }

  @Test(arguments: [
    (Duration.zero, "0 µs"), (.nanoseconds(1500), "2 µs"), (.microseconds(999), "999 µs"),
    (.milliseconds(1), "1 ms"),
    (.microseconds(1250), "1.3 ms"), (.milliseconds(999), "999 ms"), (.seconds(1), "1 s"),
    (.milliseconds(1500), "1.5 s"), (.milliseconds(1234), "1.23 s"), (.seconds(59), "59 s"),
    (.seconds(60), "60 s"),
    (.milliseconds(90_400), "90 s"), (.seconds(86_400), "86400 s"), (.seconds(-2), "-2 s"),
    (.seconds(Int64.max), "9.223372036854776e+18 s"),
  ])
  func durationsHaveAFittingUnit(duration: Duration, text: String) {
    #expect(ExchangeError.timeout(.head, after: duration).limit?.value == text)
  }
}
