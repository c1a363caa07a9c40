#if AsyncHTTPClient
  import HTTPTypes
  import Stagecoach

  extension Fault {
    /// Failures: their kinds, what they tell, and their texts.
    static let errors: [Fault] = [
      .failure(
        "all failures are of one kind",
        noticedBy: ["104a": "it fails as transport", "104c": "it fails as transport"]
      ) {
        error,
        _ in error.changed { $0.kind = .transport }
      },
      .failure("failures are errors of the engine", noticedBy: ["104a": "it fails as stage"]) { error, _ in
        EngineError(text: error.message)
      },
      .failure(
        "a refused connection is one that could not be made",
        noticedBy: ["104b": "it fails as connectionFailed"]
      ) {
        error,
        _ in error.changed { if $0.kind == .connectionRefused { $0.kind = .connectionFailed } }
      },
      .failure("an unreachable address refuses", noticedBy: ["104h": "it fails as connectionRefused"]) {
        error,
        _ in
        error.changed { if $0.kind == .connectionFailed { $0.kind = .connectionRefused } }
      },
      .failure("a reset is an incomplete body", noticedBy: ["104c": "it fails as incompleteBody"]) {
        error,
        _ in
        error.changed { if $0.kind == .connectionReset { $0.kind = .incompleteBody } }
      },
      .failure(
        "a connection that closes breaks the protocol",
        noticedBy: ["044": "nothing: expected is a failure"]
      ) {
        error,
        _ in error.changed { if $0.kind == .connectionReset { $0.kind = .protocolViolation } }
      },
      .failure(
        "what was sent is not told",
        noticedBy: ["104b": "nothing was sent", "104c": "the request was sent"]
      ) {
        error,
        _ in error.changed { $0.requestMayHaveBeenSent = nil }
      },
      .failure(
        "nothing is ever said to have been sent",
        noticedBy: ["104c": "the request was sent", "097b": "was sent"]
      ) {
        error,
        _ in error.changed { $0.requestMayHaveBeenSent = false }
      },
      .failure(
        "all is said to have been sent",
        noticedBy: ["104a": "nothing was sent", "104b": "nothing was sent", "105a": "may have been sent"]
      ) { error, _ in error.changed { $0.requestMayHaveBeenSent = true } },
      .failure(
        "whether a connection was used before is not told",
        noticedBy: ["085c": "connectionWasReused is nil"]
      ) {
        error,
        _ in error.changed { $0.connectionWasReused = nil }
      },
      .failure(
        "a failure tells that its connection was new",
        noticedBy: ["085c": "connectionWasReused is false, expected is true"]
      ) {
        error,
        _ in error.changed { $0.connectionWasReused = false }
      },
      .failure(
        "a failure tells that its connection was used before",
        noticedBy: ["085c": "connectionWasReused is true, expected is false"]
      ) {
        error,
        _ in error.changed { $0.connectionWasReused = true }
      },
      .failure(
        "a failure says nothing",
        noticedBy: ["042": "the failure says nothing", "104f": "the failure says nothing"]
      ) {
        error,
        _ in error.changed { $0.message = "" }
      },
      .failure("a query stands in the text of a failure", noticedBy: ["104f": "shows a secret"]) {
        error,
        request in
        error.changed { $0.message += " (\(request.head.path ?? ""))" }
      },
      .failure("a field stands in the text of a failure", noticedBy: ["104f": "shows a secret"]) {
        error,
        request in
        error.changed { $0.message += " (\(request.fields[.authorization] ?? ""))" }
      },
      .failure("the cause of a failure holds the request", noticedBy: ["104f": "shows a secret"]) {
        error,
        request in
        error.changed { $0.underlying = EngineError(text: request.head.path ?? "") }
      },
      .failure("a failure does not name the host", noticedBy: ["105a": "the host is not named"]) {
        error,
        request in
        error.changed { error in
          let host = request.head.authority?.split(separator: ":").first ?? ""
          error.message = error.message.replacing(host, with: "the host")
          error.stage = "AsyncHTTPClient"
        }
      },
      .failure(
        "all failures of TLS have one reason",
        noticedBy: ["105a": "it fails as tls.handshake", "105b": "tls.handshake"]
      ) {
        error,
        _ in
        error.changed { if case .tls = $0.kind { $0.kind = .tls(.handshake) } }
      },
      .failure("a failure of TLS is one of connecting", noticedBy: ["104e": "it fails as connectionFailed"]) {
        error,
        _ in
        error.changed { if case .tls = $0.kind { $0.kind = .connectionFailed } }
      },
      .failure(
        "a limit is told as a broken protocol",
        noticedBy: ["051": "expected is a failure", "052": "expected is"]
      ) {
        error,
        _ in error.changed { if case .limit = $0.kind { $0.kind = .protocolViolation } }
      },
      .failure(
        "a head beyond the limit does not name that",
        noticedBy: ["051": "the failure does not name its limit"]
      ) {
        error,
        _ in error.changed { if case .limit = $0.kind { $0.limit = nil } }
      },
      .failure(
        "a timeout does not name its limit",
        noticedBy: ["097b": "the limit that the failure names is missing"]
      ) {
        error,
        _ in error.changed { $0.limit = nil }
      },
      .failure("a timeout of the head is one of a pause", noticedBy: ["097b": "it fails as timeout.idle"]) {
        error,
        _ in
        error.changed { if $0.kind == .timeout(.head) { $0.kind = .timeout(.idle) } }
      },
      .failure("a timeout of connecting is one of the head", noticedBy: ["097a": "it fails as timeout.head"])
      { error, _ in
        error.changed { if $0.kind == .timeout(.connect) { $0.kind = .timeout(.head) } }
      },
      .failure(
        "a wait for a connection is one of connecting",
        noticedBy: ["097d": "it fails as timeout.connect"]
      ) {
        error,
        _ in error.changed { if $0.kind == .timeout(.pool) { $0.kind = .timeout(.connect) } }
      },
      .failure("a shutdown is told as a reset", noticedBy: ["093": "ended with connectionReset"]) {
        error,
        _ in
        error.changed { if $0.kind == .shutdown { $0.kind = .connectionReset } }
      },
    ]
  }

  /// What an engine throws.
  private struct EngineError: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }

  extension ExchangeError {
    fileprivate func changed(_ change: (inout ExchangeError) -> Void) -> ExchangeError {
      var copy = self
      change(&copy)
      return copy
    }
  }
#endif
