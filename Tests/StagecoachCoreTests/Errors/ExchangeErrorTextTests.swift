import Foundation
import HTTPTypes
import Stagecoach
import StagecoachResilience
import TestSupport
import Testing

/// The texts that people read, one for each kind, as they come out of a client.
@Suite(.timeLimit(.minutes(1))) struct ExchangeErrorTextTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let kind: ExchangeError.Kind
    let text: String
    var request = Request.get("https://api.example.com/v1/users/7?token=t0psecret&page=2")
    var stages: [any Middleware] = [Validation()]
    var answer: @Sendable (Request, ManualTime) async throws -> Response = { _, _ in Response(.ok) }

    var testDescription: String { kind.description }
  }

  /// A transport that throws after 1.5 s, as a real one does.
  static func failing(
    _ kind: ExchangeError.Kind,
    _ message: String,
    advice: String? = nil,
    underlying: (any Error)? = nil
  ) -> @Sendable (Request, ManualTime) async throws -> Response {
    { _, time in
      time.advance(by: .milliseconds(1500))
      throw ExchangeError(kind, message, advice: advice, underlying: underlying)
    }
  }

  private static func timeout(
    _ phase: ExchangeError.Phase
  ) -> @Sendable (Request, ManualTime) async throws -> Response {
    { _, time in
      time.advance(by: .seconds(10))
      throw ExchangeError.timeout(phase, after: .seconds(10))
    }
  }

  private static func answering(
    _ status: HTTPResponse.Status,
    _ type: String?,
    _ body: Response.Body
  ) -> @Sendable (Request, ManualTime) async throws -> Response {
    { _, time in
      time.advance(by: .milliseconds(20))
      return Response(status, fields: type.map { [.contentType: $0] } ?? [:], body: body)
    }
  }

  static let examples: [Example] =
    transportExamples + timeoutExamples + responseExamples + otherExamples + policyExamples

  private static let transportExamples: [Example] = [
    Example(
      kind: .nameResolution,
      text: """
        HandlerTransport: the name api.example.com could not be resolved [nameResolution]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          after:    1.5 s
          cause:    no such host
          advice:   check the spelling
        """,
      answer: failing(
        .nameResolution,
        "the name api.example.com could not be resolved",
        advice: "check the spelling",
        underlying: Foreign(text: "no such host")
      )
    ),
    plain(.connectionRefused, "check host and port, and that the server is running"),
    plain(.connectionFailed, "check the network, the proxy and the firewall"),
    plain(.proxyRefused, "check the address of the proxy, its name and password, and what it allows"),
    plain(
      .connectionReset,
      "retry if that is safe; if it always fails, the peer may be refusing the request"
    ),
    plain(.protocolViolation, "check the server and any proxy in between: the response is not valid HTTP"),
    plain(.incompleteBody, "send the request again: the body is incomplete"),
    plain(.contentCoding(.malformed), "request content without a coding: Accept-Encoding: identity"),
    plain(.unsupported, "use a transport whose capabilities include it"),
    plain(.transport, "see the cause"), plain(.policy),
    plain(
      .tls(.untrusted),
      "add the issuer to the roots of the transport's trust or of the system"
    ),
    plain(.tls(.hostMismatch), "use a host name that the certificate is valid for"),
    plain(.tls(.expired), "renew the certificate of the peer, or correct the clock of this machine"),
    plain(.tls(.pinMismatch), "find out why the key has changed before you pin the new one"),
    plain(.tls(.refused), "check the evaluation closure of the trust, which refused the certificates"),
    plain(.tls(.identity), "use the private key that belongs to the client certificate"),
    plain(.tls(.alert), "check whether the peer requires a client certificate or another version of TLS"),
    plain(.tls(.handshake), "check that the port serves TLS, in a version that both sides allow"),
    plain(.limit(.responseHead), "raise options.responseHeadLimits if the server is trusted"),
    plain(.limit(.structure), "raise the limit if the peer is trusted"),
    plain(.limit(.decodedBody), "raise options.decodedBodyLimit if a body of this size is expected"),
  ]

  /// What a transport says without an advice of its own.
  private static func plain(_ kind: ExchangeError.Kind, _ advice: String? = nil) -> Example {
    Example(
      kind: kind,
      text: """
        HandlerTransport: it went wrong [\(kind)]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          after:    1.5 s
        """ + (advice.map { "\n  advice:   \($0)" } ?? ""),
      answer: failing(kind, "it went wrong")
    )
  }

  private static let timeoutExamples: [Example] = [
    phase(.pool, "no connection was available within"),
    phase(.connect, "no connection was established within"),
    phase(.head, "no response head arrived within"), phase(.idle, "the body paused for longer than"),
    phase(.total, "the exchange did not finish within"),
    phase(.attempt, "no response to the attempt arrived within", option: "retryPolicy.attemptTimeout"),
  ]

  private static func phase(_ phase: ExchangeError.Phase, _ text: String, option: String? = nil) -> Example {
    let option = option ?? "\(phase.rawValue)Timeout"
    return Example(
      kind: .timeout(phase),
      text: """
        HandlerTransport: \(text) 10 s [timeout.\(phase.rawValue)]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          limit:    \(option) = 10 s
          after:    10 s
          advice:   raise options.\(option) if the peer is expected to take longer
        """,
      answer: timeout(phase)
    )
  }

  private static let responseExamples: [Example] = [
    Example(
      kind: .status,
      text: """
        Validation: unexpected status 404 Not Found (expected 200-299) [status]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          response: 404 Not Found, application/problem+json
          body:     {"title": "no such user"}
          after:    20 ms
          advice:   the body may say why; accept the status with options.expectedContent.statuses
        """,
      answer: answering(.notFound, "application/problem+json", .bytes(#"{"title": "no such user"}"#))
    ),
    Example(
      kind: .mediaType,
      text: """
        Validation: unexpected content type text/html (expected application/json, \
        application/*+json, text/json, text/javascript) [mediaType]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          response: 200 OK, text/html
          body:     <html> <body>
          after:    20 ms
          advice:   if the server mislabels its content, accept the type with options.expectedContent
        """,
      answer: answering(.ok, "text/html", .bytes("<html>\n<body>"))
    ),
    Example(
      kind: .validation,
      text: """
        Validation: stale [validation]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          response: 200 OK, application/json
          body:     1
          after:    20 ms
          advice:   check the predicate of Validation or options.validation that refused the response
        """,
      stages: [Validation({ _ in throw Foreign(text: "stale") })],
      answer: answering(.ok, "application/json", .bytes("1"))
    ),
    Example(
      kind: .serialization,
      text: """
        JSONResponseSerializer<Int>: the body cannot be decoded as Int: at $, not a Int [serialization]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          response: 200 OK, application/json
          body:     "seven"
          after:    20 ms
          advice:   compare the body with what the serializer expects
        """,
      answer: answering(.ok, "application/json", .bytes("\"seven\""))
    ),
    Example(
      kind: .limit(.body),
      text: """
        HandlerTransport: the response body of 5 bytes is larger than the limit of 4 bytes [limit.body]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          response: 200 OK, application/json
          limit:    bodyLimit = 4 bytes
          after:    20 ms
          advice:   raise options.bodyLimit, or read the body as a stream
        """,
      request: Request.get("https://api.example.com/v1/users/7?token=t0psecret&page=2").with(
        \.bodyLimit,
        4
      ),
      answer: answering(.ok, "application/json", .bytes("12345"))
    ),
    Example(
      kind: .bodyAlreadyRead,
      text: """
        HandlerTransport: the response body has already been read (a body can be read only once) [bodyAlreadyRead]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          response: 200 OK
          body:     1
          after:    0 µs
          advice:   collect the body and keep the bytes if they are needed twice
        """,
      stages: [
        Stage("Reader") { request, next in
          let response = try await next(request)
          _ = try await read(response.body)
          return response
        }
      ],
      answer: { _, _ in Response(.ok, body: Response.Body(source: ScriptedSource(chunks: ["1"]))) }
    ),
    Example(
      kind: .bodyCancelled,
      text: """
        HandlerTransport: the response body was cancelled before its end [bodyCancelled]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          response: 200 OK
          after:    0 µs
          advice:   read the body before it is cancelled
        """,
      stages: [
        Stage("Canceller") { request, next in
          let response = try await next(request)
          response.body.cancel()
          return response
        }
      ],
      answer: { _, _ in Response(.ok, body: Response.Body(source: ScriptedSource(chunks: ["1"]))) }
    ),
  ]

  private static let otherExamples: [Example] = [
    Example(
      kind: .invalidRequest,
      text: """
        Client: The URI is relative: it must start with http:// or https://, or be resolved against a base. \
        [invalidRequest]
          request:  GET users/7?token=[redacted]
          after:    0 µs
          advice:   use an absolute URL, or set the base URL of the client
        """,
      request: .get("users/7?token=t0psecret")
    ),
    Example(
      kind: .limit(.requestHead),
      text: """
        HandlerTransport: the request head is 223 bytes long (limit 100 bytes) [limit.requestHead]
          request:  GET https://h/
          limit:    requestHeadLimit = 100 bytes
          after:    0 µs
          advice:   send large values in the body, or raise options.requestHeadLimit
        """,
      request: Request(
        .get,
        "https://h/",
        fields: [
          .accept: "*/*", .userAgent: String(repeating: "a", count: 100),
          .acceptLanguage: String(repeating: "b", count: 72),
        ]
      ).with(\.requestHeadLimit, 100)
    ),
    Example(
      kind: .requestSerialization,
      text: """
        Picky: it does not fit [requestSerialization]
          request:  GET picky
          after:    0 µs
          advice:   change the value, or use a serializer that supports it
        """,
      request: .get("picky")
    ),
    Example(
      kind: .requestBody,
      text: """
        HandlerTransport: the request body has only 1 bytes (declared 2) [requestBody]
          request:  POST https://h/
          after:    0 µs
          advice:   declare the actual length, or nil to send the body chunked
        """,
      request: .post("https://h/", body: .oneShot(chunks(["a"]), length: 2)),
      answer: { request, _ in Response(.ok, body: .bytes(try await read(request.body))) }
    ),
    Example(
      kind: .bodyNotReplayable,
      text: """
        HandlerTransport: the request body can be sent only once, and was already sent [bodyNotReplayable]
          request:  POST https://h/
          after:    0 µs
          advice:   create the body with .bytes, .file or .stream, which can be sent again
        """,
      request: .post("https://h/", body: .oneShot(chunks(["a"]), length: nil)),
      answer: { request, _ in
        _ = try await read(request.body)
        return Response(.ok, body: .bytes(try await read(request.body)))
      }
    ),
    Example(
      kind: .file,
      text: """
        HandlerTransport: cannot open /tmp/gone: No such file or directory [file]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          after:    1.5 s
          advice:   check the path, the permissions and the free space
        """,
      answer: failing(.file, "cannot open /tmp/gone: No such file or directory")
    ),
    Example(
      kind: .shutdown,
      text: """
        HandlerTransport: the client was shut down [shutdown]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          after:    1.5 s
          advice:   create a new client
        """,
      answer: failing(.shutdown, "the client was shut down", advice: "create a new client")
    ),
    Example(
      kind: .stage,
      text: """
        Retry: foreign [stage]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          after:    0 µs, 3 attempts, 2 redirects
          advice:   see the cause
        """,
      stages: [
        Stage("Redirects") { request, next in
          var request = request
          request.hop = 2
          return try await next(request)
        },
        Stage("Retry") { request, next in
          for _ in 1...3 { _ = try await next(request) }
          throw Foreign()
        },
      ]
    ),
  ]

  private struct Picky: RequestSerializer {
    func serialize(_ input: Int, into request: inout Request) throws {
      throw Foreign(text: "it does not fit")
    }
  }

  @Test(arguments: examples)
  func saysWhatHappenedAndWhatToDo(example: Example) async throws {
    let time = ManualTime()
    let transport = HandlerTransport { try await example.answer($0, time) }
    let client = try Client(
      Pipeline(over: transport, stages: example.stages),
      configuration: .init(
        defaults: .init(fields: [:]),
        clock: time,
        randomNumberGenerator: SeededRandom(seed: 1)
      )
    )
    let content = example.kind == .requestSerialization ? RequestContent(1, Picky()) : nil
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await client.value(for: example.request, sending: content, as: .json(Int.self))
    }
    #expect(error.kind == example.kind)
    #expect(withoutCause(error.description, of: error) == example.text)
    #expect(error.localizedDescription == error.description)
    #expect(error.errorDescription == error.description)
    #expect(!error.description.contains("t0psecret"))
  }

  /// The text less the words of Foundation, which are not ours to pin.
  private func withoutCause(_ text: String, of error: ExchangeError) -> String {
    guard error.underlying is DecodingError else { return text }
    return text.split(separator: "\n").filter { !$0.hasPrefix("  cause:") }.joined(separator: "\n")
  }

  @Test func aCauseThatTheMessageContainsIsNotRepeated() {
    let error = ExchangeError(.transport, "it failed (no route)", underlying: Foreign(text: "no route"))
    #expect(error.description == "it failed (no route) [transport]\n  advice:   see the cause")
  }

  @Test func everyKindHasAText() {
    let kinds: [ExchangeError.Kind] = [
      .invalidRequest, .requestSerialization, .requestBody, .bodyNotReplayable, .nameResolution,
      .connectionRefused, .connectionFailed, .proxyRefused, .connectionReset, .tls(.untrusted),
      .tls(.hostMismatch),
      .tls(.expired), .tls(.pinMismatch), .tls(.refused), .tls(.identity), .tls(.alert),
      .tls(.handshake), .timeout(.pool),
      .timeout(.connect), .timeout(.head), .timeout(.idle), .timeout(.attempt), .timeout(.total),
      .limit(.requestHead), .limit(.responseHead), .limit(.body), .limit(.decodedBody), .limit(.structure),
      .limit(.queue), .protocolViolation, .incompleteBody, .contentCoding(.malformed), .status, .mediaType,
      .validation, .serialization, .bodyAlreadyRead, .bodyCancelled, .authentication(.cancelled), .shutdown,
      .redirect(.tooMany), .circuitOpen, .policy, .file, .unsupported, .transport, .stage,
    ]
    for kind in kinds { #expect(Self.examples.contains { $0.kind == kind }, "\(kind)") }
  }
}
