extension ExchangeError.Kind {
  /// What a person can do about a failure of which the stage says no more than the kind; nil where that depends on
  /// what happened.
  var advice: String? {
    switch self {
    case .requestSerialization: "change the value, or the serializer that cannot write it"
    case .requestBody: "see where the body comes from: it failed there, or is not as long as was declared"
    case .nameResolution: "check the spelling of the host and the resolver of this machine"
    case .connectionRefused: "check host and port, and that the server runs"
    case .connectionFailed: "check the network, and the proxy and firewall on the way"
    case .connectionReset: "send it again if that is safe; a peer that always does this refuses the request"
    case .tls(let failure): failure.advice
    case .limit(.responseHead): "raise options.responseHeadLimits if the server is trusted"
    case .limit(.decodedBody): "raise options.decodedBodyLimit if so much is expected"
    case .limit(.structure): "raise the limit if the peer is trusted"
    case .protocolViolation: "look at what the server, or a proxy before it, sends: it is no valid HTTP"
    case .incompleteBody: "ask again: what came is not all of it"
    case .contentCoding: "ask for content without a coding: Accept-Encoding: identity"
    case .validation: "see the predicate that refused it, of Validation or options.validation"
    case .serialization: "compare the body with what the serializer expects"
    case .bodyCancelled: "read the body before anything cancels it"
    case .authentication: "check the credential, and what decides on challenges"
    case .redirect: "options.redirectPolicy = .refuse gives the response as it is"
    case .file: "check the path, the permissions and the space that is left"
    case .shutdown: "make a new client, or a new transport"
    case .unsupported: "use a transport that can: its capabilities tell"
    case .transport, .stage: "see the cause"
    case .invalidRequest, .bodyNotReplayable, .timeout, .limit, .status, .mediaType, .bodyAlreadyRead,
      .circuitOpen, .policy:
      nil
    }
  }
}

extension ExchangeError.TLSFailure {
  fileprivate var advice: String {
    switch self {
    case .untrusted: "trust the issuer: through the roots of the transport's trust, or those of the system"
    case .hostMismatch: "use the name that the certificate is for"
    case .expired: "renew the certificate of the peer, or set the clock of this machine"
    case .pinMismatch: "find out why the key is another one before it is pinned"
    case .refused: "see the evaluation of the trust, which refused the certificates"
    case .alert: "see whether the peer wants a certificate of the client, or another version of TLS"
    case .handshake: "check that the port speaks TLS, in a version that both sides allow"
    }
  }
}
