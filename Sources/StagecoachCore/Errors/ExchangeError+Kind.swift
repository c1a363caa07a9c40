extension ExchangeError {
  /// The taxonomy of failures.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// The request cannot be sent as it is: URL, method, field or head too large.
    case invalidRequest
    /// A request serializer refused its input.
    case requestSerialization
    /// The request body failed, or was not as long as it declared.
    case requestBody
    /// The request had to be sent again, and its body exists once.
    case bodyNotReplayable
    /// The name of the host could not be resolved.
    case nameResolution
    /// Nothing listens at the address.
    case connectionRefused
    /// The connection could not be made for another reason.
    case connectionFailed
    /// The peer closed or reset the connection before the response was complete.
    case connectionReset
    /// The TLS handshake failed.
    case tls(TLSFailure)
    /// A phase took longer than its limit.
    case timeout(Phase)
    /// A buffer would have grown beyond its limit.
    case limit(Buffer)
    /// What the peer sent is not HTTP as RFC 9112 or RFC 9113 define it.
    case protocolViolation
    /// The response body ended before its declared length.
    case incompleteBody
    /// A content coding (RFC 9110 8.4) could not be undone or applied.
    case contentCoding(CodingFailure)
    /// The status of the response is not acceptable.
    case status
    /// The media type of the response is not acceptable.
    case mediaType
    /// A predicate of the caller refused the response.
    case validation
    /// A response serializer could not make its value.
    case serialization
    /// A response body was read twice.
    case bodyAlreadyRead
    /// A response body was cancelled by `cancel()` before it was read.
    case bodyCancelled
    /// Authentication ended the exchange.
    case authentication(AuthenticationFailure)
    /// The client was shut down.
    case shutdown
    /// A redirect could not be followed.
    case redirect(RedirectFailure)
    /// The circuit of the origin is open: it failed too often, and is left alone for a while.
    case circuitOpen
    /// A policy refused to go on.
    case policy
    /// A local file could not be read or written.
    case file
    /// The transport cannot do what the request asks for.
    case unsupported
    /// The transport failed in a way that has no kind of its own.
    case transport
    /// A stage threw an error of its own, which is ``ExchangeError/underlying``.
    case stage
  }

  /// The phases of an exchange that have a limit.
  @nonexhaustive
  public enum Phase: String, Sendable, Hashable {
    /// Waiting for a free connection.
    case pool
    /// Resolving the name, connecting, TLS.
    case connect
    /// From the end of the request to the head of the response.
    case head
    /// A pause inside a body, in either direction.
    case idle
    /// One attempt of several, to the head of its response.
    case attempt
    /// The exchange with its body.
    case total
  }

  /// The buffers that have a limit.
  @nonexhaustive
  public enum Buffer: String, Sendable, Hashable {
    /// The target and fields of the request.
    case requestHead
    /// The fields of the response, its trailers, or the informational responses before it.
    case responseHead
    /// The response body, when it is collected.
    case body
    /// The response body as content decoding makes it: its size, or how many times it grows.
    case decodedBody
    /// The depth or size of a structure being parsed.
    case structure
    /// The requests that wait for others to end.
    case queue
  }

  /// Why content could not be coded or decoded.
  @nonexhaustive
  public enum CodingFailure: String, Sendable, Hashable {
    /// Nobody here knows the coding.
    case unknown
    /// The bytes are not of the coding.
    case malformed
    /// The check value of the coding is not that of the decoded bytes.
    case checksum
    /// The body ended before the coded data did.
    case truncated
    /// Something else follows the coded data.
    case trailingData
    /// The coder itself could not work, for want of memory for instance.
    case coder
  }

  /// Why a TLS handshake failed.
  @nonexhaustive
  public enum TLSFailure: String, Sendable, Hashable {
    /// The peer's certificate is not trusted.
    case untrusted
    /// The certificate is for another name.
    case hostMismatch
    /// The certificate has expired or is not valid yet.
    case expired
    /// The certificate or key is not the pinned one.
    case pinMismatch
    /// The evaluation closure of the trust refused the peer.
    case refused
    /// The peer refused or demanded something, with an alert.
    case alert
    /// The handshake failed in another way.
    case handshake
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
    case .redirect(let reason): "redirect.\(reason.rawValue)"
    case .authentication(let reason): "authentication.\(reason.rawValue)"
    case .invalidRequest: "invalidRequest"
    case .requestSerialization: "requestSerialization"
    case .requestBody: "requestBody"
    case .bodyNotReplayable: "bodyNotReplayable"
    case .nameResolution: "nameResolution"
    case .connectionRefused: "connectionRefused"
    case .connectionFailed: "connectionFailed"
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
    case .circuitOpen: "circuitOpen"
    case .policy: "policy"
    case .file: "file"
    case .unsupported: "unsupported"
    case .transport: "transport"
    case .stage: "stage"
    }
  }
}
