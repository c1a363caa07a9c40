#if AsyncHTTPClient
  import HTTPTypes
  import Stagecoach

  extension Fault {
    /// Errors: their kinds, their details and their texts.
    static let errors: [Fault] = [
      .failure(
        "all errors are of one kind",
        noticedBy: ["104a": "it fails as transport", "104c": "it fails as transport"]
      ) {
        error,
        _ in error.changed { $0.kind = .transport }
      },
      .failure("errors are those of the engine", noticedBy: ["104a": "it fails as stage"]) { error, _ in
        EngineError(text: error.message)
      },
      .failure(
        "a refused connection is reported as connectionFailed",
        noticedBy: ["104b": "it fails as connectionFailed"]
      ) {
        error,
        _ in error.changed { if $0.kind == .connectionRefused { $0.kind = .connectionFailed } }
      },
      .failure(
        "a refusal by a proxy is reported as connectionFailed",
        noticedBy: ["092k": "it fails as connectionFailed", "092n": "it fails as connectionFailed"]
      ) {
        error,
        _ in error.changed { if $0.kind == .proxyRefused { $0.kind = .connectionFailed } }
      },
      .failure(
        "the error of a proxy does not name it",
        noticedBy: [
          "092k": "does not name the proxy", "092m": "does not name the proxy",
          "092n": "does not name the proxy",
        ]
      ) {
        error,
        _ in error.changed { $0.message = $0.message.replacing("127.0.0.1", with: "there") }
      },
      .failure(
        "the status of a refusal by a proxy is not named",
        noticedBy: ["092k": "does not name CONNECT and 407"]
      ) {
        error,
        _ in error.changed { $0.message = $0.message.replacing("407", with: "an error") }
      },
      .failure("the reply of a SOCKS proxy is a number", noticedBy: ["092n": "the reply 1 is told as"]) {
        error,
        _ in
        error.changed { error in
          guard let colon = error.message.firstRange(of: ": "), error.message.contains("SOCKS") else {
            return
          }
          error.message = String(error.message[..<colon.lowerBound])
        }
      },
      .failure(
        "a client key that does not match is reported as a failed handshake",
        noticedBy: ["106j": "it fails as tls.handshake"]
      ) {
        error,
        _ in error.changed { if $0.kind == .tls(.identity) { $0.kind = .tls(.handshake) } }
      },
      .failure(
        "the text of an error names the sources of the engine",
        noticedBy: ["105a": "names the sources"]
      ) {
        error,
        _ in error.changed { $0.underlying = EngineError(text: "failed at /src/tls_record.cc:491") }
      },
      .failure(
        "an unreachable address is reported as connectionRefused",
        noticedBy: ["104h": "it fails as connectionRefused"]
      ) {
        error,
        _ in
        error.changed { if $0.kind == .connectionFailed { $0.kind = .connectionRefused } }
      },
      .failure(
        "a reset before the head is reported as incompleteBody",
        noticedBy: ["104c": "it fails as incompleteBody"]
      ) {
        error,
        _ in
        error.changed { if $0.kind == .connectionReset { $0.kind = .incompleteBody } }
      },
      .failure(
        "a closed connection is reported as protocolViolation",
        noticedBy: ["044": "nothing: expected a failure"]
      ) {
        error,
        _ in error.changed { if $0.kind == .connectionReset { $0.kind = .protocolViolation } }
      },
      .failure(
        "requestMayHaveBeenSent is always missing",
        noticedBy: ["104b": "nothing was sent", "104c": "the request was sent"]
      ) {
        error,
        _ in error.changed { $0.requestMayHaveBeenSent = nil }
      },
      .failure(
        "requestMayHaveBeenSent is always false",
        noticedBy: ["104c": "the request was sent", "097b": "was sent"]
      ) {
        error,
        _ in error.changed { $0.requestMayHaveBeenSent = false }
      },
      .failure(
        "requestMayHaveBeenSent is always true",
        noticedBy: ["104a": "nothing was sent", "104b": "nothing was sent", "105a": "may have been sent"]
      ) { error, _ in error.changed { $0.requestMayHaveBeenSent = true } },
      .failure(
        "connectionWasReused is always missing",
        noticedBy: ["085c": "connectionWasReused is nil"]
      ) {
        error,
        _ in error.changed { $0.connectionWasReused = nil }
      },
      .failure(
        "connectionWasReused is always false",
        noticedBy: ["085c": "connectionWasReused is false, expected true"]
      ) {
        error,
        _ in error.changed { $0.connectionWasReused = false }
      },
      .failure(
        "connectionWasReused is always true",
        noticedBy: ["085c": "connectionWasReused is true, expected false"]
      ) {
        error,
        _ in error.changed { $0.connectionWasReused = true }
      },
      .failure(
        "an error has no message",
        noticedBy: ["042": "the failure says nothing", "104f": "the failure says nothing"]
      ) {
        error,
        _ in error.changed { $0.message = "" }
      },
      .failure("the text of an error contains the query", noticedBy: ["104f": "shows a secret"]) {
        error,
        request in
        error.changed { $0.message += " (\(request.head.path ?? ""))" }
      },
      .failure("the text of an error contains a credential", noticedBy: ["104f": "shows a secret"]) {
        error,
        request in
        error.changed { $0.message += " (\(request.fields[.authorization] ?? ""))" }
      },
      .failure("the cause of an error contains the query", noticedBy: ["104f": "shows a secret"]) {
        error,
        request in
        error.changed { $0.underlying = EngineError(text: request.head.path ?? "") }
      },
      .failure("the text of an error does not name the host", noticedBy: ["105a": "the host is not named"]) {
        error,
        request in
        error.changed { error in
          let host = request.head.authority?.split(separator: ":").first ?? ""
          error.message = error.message.replacing(host, with: "the host")
          error.stage = "AsyncHTTPClient"
        }
      },
      .failure(
        "all TLS errors have one reason",
        noticedBy: ["105a": "it fails as tls.handshake", "105b": "tls.handshake"]
      ) {
        error,
        _ in
        error.changed { if case .tls = $0.kind { $0.kind = .tls(.handshake) } }
      },
      .failure(
        "a TLS error is reported as connectionFailed",
        noticedBy: ["104e": "it fails as connectionFailed"]
      ) {
        error,
        _ in
        error.changed { if case .tls = $0.kind { $0.kind = .connectionFailed } }
      },
      .failure(
        "a limit is reported as protocolViolation",
        noticedBy: ["051": "expected a failure", "052": "expected"]
      ) {
        error,
        _ in error.changed { if case .limit = $0.kind { $0.kind = .protocolViolation } }
      },
      .failure(
        "the error of a head that is too large does not name the limit",
        noticedBy: ["051": "the failure does not name its limit"]
      ) {
        error,
        _ in error.changed { if case .limit = $0.kind { $0.limit = nil } }
      },
      .failure(
        "the error of a timeout does not name the limit",
        noticedBy: ["097b": "the limit that the failure names is missing"]
      ) {
        error,
        _ in error.changed { $0.limit = nil }
      },
      .failure(
        "a head timeout is reported as an idle timeout",
        noticedBy: ["097b": "it fails as timeout.idle"]
      ) {
        error,
        _ in
        error.changed { if $0.kind == .timeout(.head) { $0.kind = .timeout(.idle) } }
      },
      .failure(
        "a connect timeout is reported as a head timeout",
        noticedBy: ["097a": "it fails as timeout.head"]
      ) { error, _ in
        error.changed { if $0.kind == .timeout(.connect) { $0.kind = .timeout(.head) } }
      },
      .failure(
        "a pool timeout is reported as a connect timeout",
        noticedBy: ["097d": "it fails as timeout.connect"]
      ) {
        error,
        _ in error.changed { if $0.kind == .timeout(.pool) { $0.kind = .timeout(.connect) } }
      },
      .failure("a shutdown is reported as connectionReset", noticedBy: ["093": "ended with connectionReset"])
      {
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
