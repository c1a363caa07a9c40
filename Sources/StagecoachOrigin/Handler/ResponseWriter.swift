#if Tool
  import HTTPTypes
  import NIOCore
  import NIOHTTP1
  import StagecoachCore

  /// Writes one response, framed so that the client sees whether it is whole (RFC 9112 6).
  struct ResponseWriter {
    typealias Outbound = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    /// The framing of the content.
    private enum Framing: Equatable {
      case none
      case length(Int64)
      case chunks
      /// The end of the connection, for HTTP/1.0.
      case end
    }

    /// Content of a cache that goes out with the head, in bytes.
    private static let smallContent: Int64 = 64 * 1024
    /// The bytes that may be written before the event loop has taken them.
    private static let mostAhead = 256 * 1024

    private let response: Response
    private let framing: Framing
    private let head: HTTPResponseHead
    /// Whether the connection is kept after the response.
    let keepsAlive: Bool

    /// Whether a client would take the end of the connection for the end of the content.
    var endsWithConnection: Bool { framing == .end }

    /// - Parameters:
    ///   - response: The response.
    ///   - reading: The request.
    ///   - keepsAlive: Whether the connection may be kept.
    init(_ response: Response, to reading: RequestReading, keepsAlive: Bool) {
      self.response = response
      let status = response.status.code
      let declared = Self.length(response.fields)
      let mayHaveContent = !reading.isHead && status >= 200 && status != 204 && status != 304
      let length = declared ?? response.body.length
      framing =
        if !mayHaveContent {
          .none
        } else if let length {
          .length(length)
        } else {
          reading.isHTTP10 ? .end : .chunks
        }
      self.keepsAlive = keepsAlive && framing != .end && status >= 200
      var headers = Self.headers(
        response.fields,
        length: status == 204 || framing == .chunks ? nil : declared
      )
      switch framing {
      case .chunks: headers.add(name: "Transfer-Encoding", value: "chunked")
      case .length(let length):
        if declared == nil { headers.add(name: "Content-Length", value: "\(length)") }
        headers.remove(name: "Trailer")
      case .end: headers.remove(name: "Trailer")
      case .none: break
      }
      if !self.keepsAlive {
        headers.add(name: "Connection", value: "close")
      } else if reading.isHTTP10 {
        headers.add(name: "Connection", value: "keep-alive")
      }
      head = HTTPResponseHead(
        version: .http1_1,
        status: .custom(code: UInt(max(0, status)), reasonPhrase: response.status.reasonPhrase),
        headers: headers
      )
    }

    /// Writes the response.
    ///
    /// - Parameter loop: The event loop of the connection.
    /// - Throws: What the body throws, and an error if its length is not the declared one: it is not whole then, and the
    ///   connection must end.
    func write(to outbound: Outbound, on loop: any EventLoop) async throws {
      var parts: [HTTPServerResponsePart] = [.head(head)]
      if framing == .none {
        response.body.cancel()
        parts.append(.end(nil))
        return try await outbound.write(contentsOf: parts)
      }
      // Content that need not be waited for goes out with the head.
      let isAtHand = response.source != .network && (response.body.length ?? .max) <= Self.smallContent
      if response.body.isStreamed, !isAtHand {
        try await outbound.write(contentsOf: parts)
        parts.removeAll()
      }
      var count: Int64 = 0
      var ahead = 0
      for try await chunk in response.body {
        count += Int64(chunk.count)
        parts.append(.body(.byteBuffer(chunk.withUnsafeBytes { ByteBuffer(bytes: $0) })))
        if case .length(let length) = framing {
          guard count <= length else { throw Self.wrongLength }
          // The last chunk waits for the end: a client that has all bytes may go, which would cut what reads them here.
          if count == length { continue }
        }
        try await outbound.write(contentsOf: parts)
        parts.removeAll(keepingCapacity: true)
        ahead += chunk.count
        guard ahead >= Self.mostAhead else { continue }
        // Only the loop notices that the client does not read: a busy one would be given all of the body to keep.
        try await loop.submit {}.get()
        ahead = 0
      }
      if case .length(let length) = framing, count != length { throw Self.wrongLength }
      let trailers = framing == .chunks ? response.body.trailers.map { Self.headers($0) } : nil
      parts.append(.end(trailers))
      try await outbound.write(contentsOf: parts)
    }

    private static let wrongLength = ExchangeError(
      .incompleteBody,
      "the content is not as long as its Content-Length says"
    )

    /// Returns the fields without those that belong to a connection.
    ///
    /// - Parameter length: The value for Content-Length, where the field stands; `nil` drops it.
    static func headers(_ fields: HTTPFields, length: Int64? = nil) -> HTTPHeaders {
      var headers = HTTPHeaders()
      headers.reserveCapacity(fields.count + 2)
      var hasLength = false
      let ofConnection = ConnectionFields(fields[values: .connection])
      for field in fields where !ofConnection.contains(field.name) {
        guard field.name == .contentLength else {
          headers.add(name: field.name.rawName, value: field.engineText.text)
          continue
        }
        guard let length, !hasLength else { continue }
        hasLength = true
        headers.add(name: field.name.rawName, value: "\(length)")
      }
      return headers
    }

    /// The declared length; `nil` unless it is one number.
    private static func length(_ fields: HTTPFields) -> Int64? {
      let values = Set(fields[values: .contentLength])
      return values.count == 1 ? values.first.flatMap { Int64(digits: $0) } : nil
    }
  }
#endif
