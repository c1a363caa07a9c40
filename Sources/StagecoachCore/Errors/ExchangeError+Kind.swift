extension ExchangeError {
  /// The kind of an exchange error.
  @nonexhaustive
  public enum Kind: Sendable {
    /// The request is invalid: its URL, method or a field, or its head is too large.
    case invalidRequest
    /// A request serializer could not encode its input.
    case requestSerialization
    /// The request body failed, or its length differs from the declared one.
    case requestBody
    /// The request had to be sent again, but its body cannot be replayed.
    case bodyNotReplayable
    /// The name of the host could not be resolved.
    case nameResolution
    /// The address refused the connection.
    case connectionRefused
    /// The connection failed for another reason.
    case connectionFailed
    /// The proxy refused to connect to the origin: it does not accept the name and the password, or does not allow the
    /// destination.
    case proxyRefused
    /// The peer closed or reset the connection before the response was complete.
    case connectionReset
    /// The TLS handshake failed.
    case tls(TLSFailure)
    /// A phase took longer than its limit.
    case timeout(Phase)
    /// A buffer would have exceeded its limit.
    case limit(Buffer)
    /// The peer sent invalid HTTP (RFC 9112, RFC 9113).
    case protocolViolation
    /// The response body ended before its declared length.
    case incompleteBody
    /// Decoding or encoding a content coding failed (RFC 9110 8.4).
    case contentCoding(CodingFailure)
    /// The status of the response was not expected.
    case status
    /// The media type of the response was not expected.
    case mediaType
    /// A validation predicate refused the response.
    case validation
    /// A response serializer could not decode the body.
    case serialization
    /// A response body was read twice.
    case bodyAlreadyRead
    /// A response body was cancelled by `cancel()` before it was read.
    case bodyCancelled
    /// The client was shut down.
    case shutdown
    /// A policy refused the request.
    case policy
    /// Reading or writing a local file failed.
    case file
    /// The transport does not support something that the request requires.
    case unsupported
    /// The transport failed for a reason that has no other kind.
    case transport
    /// A stage failed with a reason of its own, such as ``RedirectFailure`` or ``AuthenticationFailure``.
    case stageFailure(any StageFailure)
    /// A stage threw an error of another type, stored in ``ExchangeError/underlying``.
    case stage
  }

  /// The phases of an exchange that have a time limit.
  @nonexhaustive
  public enum Phase: String, Sendable, Hashable {
    /// Waiting for a free connection.
    case pool
    /// Resolving the name, connecting, TLS.
    case connect
    /// From the end of the request to the head of the response.
    case head
    /// A pause in a body, in either direction.
    case idle
    /// One of several attempts, up to the head of its response.
    case attempt
    /// The whole exchange, including the body.
    case total
  }

  /// The buffers that have a size limit.
  @nonexhaustive
  public enum Buffer: String, Sendable, Hashable {
    /// The target and fields of the request.
    case requestHead
    /// The fields of the response, its trailers, or the informational responses before it.
    case responseHead
    /// The response body, when it is collected.
    case body
    /// The decoded response body: its size, or its ratio to the encoded size.
    case decodedBody
    /// The depth or size of a structure being parsed.
    case structure
    /// The queue of waiting requests.
    case queue
  }

  /// The reason that content could not be encoded or decoded.
  @nonexhaustive
  public enum CodingFailure: String, Sendable, Hashable {
    /// The coding is not known.
    case unknown
    /// The encoded data is malformed.
    case malformed
    /// The checksum does not match the decoded bytes.
    case checksum
    /// The body ended before the encoded data was complete.
    case truncated
    /// The coder itself failed, for example because memory ran out.
    case coder
  }

  /// The reason that a TLS handshake failed.
  @nonexhaustive
  public enum TLSFailure: String, Sendable, Hashable {
    /// The peer's certificate is not trusted.
    case untrusted
    /// The certificate is for another host name.
    case hostMismatch
    /// The certificate has expired or is not valid yet.
    case expired
    /// The certificate or key does not match the pins.
    case pinMismatch
    /// The evaluation closure of the trust refused the certificates.
    case refused
    /// The client identity cannot be used, for example because the private key does not match the certificate.
    case identity
    /// The peer sent an alert.
    case alert
    /// The handshake failed for another reason.
    case handshake
  }
}

extension ExchangeError.Kind: Hashable {
  /// Returns whether both kinds have the same stable name.
  public static func == (a: ExchangeError.Kind, b: ExchangeError.Kind) -> Bool {
    a.description == b.description
  }

  /// Hashes the stable name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(description)
  }
}

extension ExchangeError.Kind: CustomStringConvertible {
  /// A stable name, such as `timeout.head`.
  public var description: String {
    switch self {
    case .tls(let reason): "tls.\(reason.rawValue)"
    case .timeout(let phase): "timeout.\(phase.rawValue)"
    case .limit(let buffer): "limit.\(buffer.rawValue)"
    case .contentCoding(let reason): "contentCoding.\(reason.rawValue)"
    case .stageFailure(let failure): "\(failure)"
    case .invalidRequest: "invalidRequest"
    case .requestSerialization: "requestSerialization"
    case .requestBody: "requestBody"
    case .bodyNotReplayable: "bodyNotReplayable"
    case .nameResolution: "nameResolution"
    case .connectionRefused: "connectionRefused"
    case .connectionFailed: "connectionFailed"
    case .proxyRefused: "proxyRefused"
    case .connectionReset: "connectionReset"
    case .protocolViolation: "protocolViolation"
    case .incompleteBody: "incompleteBody"
    case .status: "status"
    case .mediaType: "mediaType"
    case .validation: "validation"
    case .serialization: "serialization"
    case .bodyAlreadyRead: "bodyAlreadyRead"
    case .bodyCancelled: "bodyCancelled"
    case .shutdown: "shutdown"
    case .policy: "policy"
    case .file: "file"
    case .unsupported: "unsupported"
    case .transport: "transport"
    case .stage: "stage"
    }
  }
}
