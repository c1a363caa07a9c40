import HTTPTypes
import Stagecoach
import StagecoachResilience
import TestSupport

// What the stages that decide say when they end an exchange.
extension ExchangeErrorTextTests {
  static let policyExamples: [Example] = [
    Example(
      kind: .redirect(.tooMany),
      text: """
        Redirects: more than 1 consecutive redirects [redirect.tooMany]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          response: 302 Found
          limit:    redirectLimit = 1
          after:    0 µs, 2 attempts, 1 redirects
          cause:    GET https://api.example.com/v1/users/7?token=[redacted]&page=2 (302) → \
        GET https://api.example.com/v1/users/7?token=[redacted]&page=2 (302) → \
        https://api.example.com/v1/users/7?token=[redacted]&page=2
          advice:   the server may expect a cookie or a credential that the request does not have; raise \
        options.redirectLimit if a longer chain is expected
        """,
      stages: [Redirects(limit: 1)],
      answer: { request, _ in
        Response(.found, fields: [.location: "https://api.example.com/v1/users/7?token=t0psecret&page=2"])
      }
    ),
    Example(
      kind: .authentication(.cancelled),
      text: """
        Authentication: the challenge handler cancelled the exchange [authentication.cancelled]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          response: 401 Unauthorized
          after:    0 µs
          advice:   check the credential, or the challenge handler
        """,
      stages: [Authentication(handler: Cancelling())],
      answer: { _, _ in Response(.unauthorized, fields: [.wwwAuthenticate: #"Basic realm="users""#]) }
    ),
    Example(
      kind: .circuitOpen,
      text: """
        CircuitBreaker: the circuit of https://api.example.com is open for another 5.28 s [circuitOpen]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          after:    1.5 s
          advice:   the origin failed repeatedly: retry later
        """,
      stages: [
        Stage("Twice") { request, next in
          _ = try? await next(request)
          return try await next(request)
        },
        CircuitBreaker(oneRefusal),
      ],
      answer: failing(.connectionRefused, "nothing listens")
    ),
    Example(
      kind: .limit(.queue),
      text: """
        ConcurrencyLimit: too many requests are waiting for a slot (limit 0) [limit.queue]
          request:  GET https://api.example.com/v1/users/7?token=[redacted]&page=2
          limit:    queueLimit = 0 requests
          after:    0 µs
          advice:   send fewer requests at the same time, or raise the queueLimit of ConcurrencyLimit
        """,
      stages: [
        Stage("Twice") { request, next in
          let first = try await next(request)
          defer { first.body.cancel() }
          return try await next(request)
        },
        ConcurrencyLimit(perOrigin: 1, queueLimit: 0),
      ],
      answer: { _, _ in Response(.ok, body: Response.Body(source: ScriptedSource(chunks: ["1"]))) }
    ),
  ]

  private static let oneRefusal: CircuitBreaker.Settings = {
    var settings = CircuitBreaker.Settings()
    settings.refusedConnections = 1
    return settings
  }()

  private struct Cancelling: ChallengeHandler {
    func decide(on question: ChallengeQuestion) async throws -> ChallengeDecision { .cancel }
  }
}
