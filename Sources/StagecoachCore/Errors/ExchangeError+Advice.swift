extension ExchangeError.Kind {
  /// The default advice for a kind of error, used if the stage gives none; `nil` if the advice depends on the cause.
  var advice: String? {
    switch self {
    case .requestSerialization: "change the value, or use a serializer that supports it"
    case .requestBody: "check the source of the request body: it failed, or its length is wrong"
    case .nameResolution: "check the spelling of the host, and the DNS settings of this machine"
    case .connectionRefused: "check host and port, and that the server is running"
    case .connectionFailed: "check the network, the proxy and the firewall"
    case .proxyRefused: "check the address of the proxy, its name and password, and what it allows"
    case .connectionReset: "retry if that is safe; if it always fails, the peer may be refusing the request"
    case .tls(let failure): failure.advice
    case .limit(.responseHead): "raise options.responseHeadLimits if the server is trusted"
    case .limit(.decodedBody): "raise options.decodedBodyLimit if a body of this size is expected"
    case .limit(.structure): "raise the limit if the peer is trusted"
    case .protocolViolation: "check the server and any proxy in between: the response is not valid HTTP"
    case .incompleteBody: "send the request again: the body is incomplete"
    case .contentCoding: "request content without a coding: Accept-Encoding: identity"
    case .validation: "check the predicate of Validation or options.validation that refused the response"
    case .serialization: "compare the body with what the serializer expects"
    case .bodyCancelled: "read the body before it is cancelled"
    case .stageFailure(let failure): failure.advice
    case .file: "check the path, the permissions and the free space"
    case .shutdown: "create a new client or a new transport"
    case .unsupported: "use a transport whose capabilities include it"
    case .transport, .stage: "see the cause"
    case .invalidRequest, .bodyNotReplayable, .timeout, .limit, .status, .mediaType, .bodyAlreadyRead,
      .policy:
      nil
    }
  }
}

extension ExchangeError.TLSFailure {
  fileprivate var advice: String {
    switch self {
    case .untrusted: "add the issuer to the roots of the transport's trust or of the system"
    case .hostMismatch: "use a host name that the certificate is valid for"
    case .expired: "renew the certificate of the peer, or correct the clock of this machine"
    case .pinMismatch: "find out why the key has changed before you pin the new one"
    case .refused: "check the evaluation closure of the trust, which refused the certificates"
    case .identity: "use the private key that belongs to the client certificate"
    case .alert: "check whether the peer requires a client certificate or another version of TLS"
    case .handshake: "check that the port serves TLS, in a version that both sides allow"
    }
  }
}
