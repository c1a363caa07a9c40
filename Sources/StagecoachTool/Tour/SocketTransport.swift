#if Tool
  import HTTPTypes
  import Stagecoach

  /// A transport of one's own, for the tour: plain HTTP/1.1 on a socket, one connection a request, small
  /// answers. Unlike AsyncHTTPClient it shows interim responses and trailer fields.
  struct SocketTransport: Transport {
    /// An interim response (RFC 9110 15.2).
    struct Interim: CustomEvent {
      let head: HTTPResponse
      var description: String { "interim response: \(head.status)" }
    }

    let capabilities: TransportCapabilities = [.responseTrailers, .exactFields]

    /// Where requests go in place of their origin (RFC 9112 3.2.2); nil to send them there.
    var proxy: Proxy?

    func send(_ request: Request) async throws -> Response {
      guard request.body.length == 0 else {
        throw ExchangeError(.unsupported, "this transport sends no content")
      }
      let head = request.head
      let authority = head.authority ?? ""
      let parts = (proxy.map { "\($0.host):\($0.port)" } ?? authority).split(separator: ":")
      guard head.scheme == "http", parts.count == 2, let port = UInt16(parts[1]) else {
        throw ExchangeError(.unsupported, "this transport needs http, an IPv4 address and a port")
      }
      let target = (proxy == nil ? "" : "http://\(authority)") + (head.path ?? "/")
      var lines = ["\(head.method.rawValue) \(target) HTTP/1.1", "Host: \(authority)"]
      lines += head.headerFields.map { "\($0.name.rawName): \($0.value)" } + ["Connection: close", "", ""]
      let message = Array(lines.joined(separator: "\r\n").utf8)
      let address = String(parts[0])
      let answer = try await BlockingQueue(label: "stagecoach.socket").run {
        try Socket(to: address, port).exchange(message)
      }
      var response = try response(to: request, answer)
      response.proxy = proxy?.origin
      return response
    }

    private func response(to request: Request, _ answer: [UInt8]) throws -> Response {
      var reader = MessageReader(answer)
      var head = try reader.head()
      while head.status.kind == .informational {
        request.emit(.custom(Interim(head: head)))
        head = try reader.head()
      }
      guard head.headerFields[.transferEncoding] == "chunked" else {
        return Response(head: head, body: .bytes(reader.rest), version: .http11)
      }
      let (chunks, trailers) = try reader.chunks()
      let stream = AsyncStream<Bytes> { continuation in
        for chunk in chunks { continuation.yield(chunk) }
        continuation.finish()
      }
      return Response(head: head, body: Response.Body(stream) { trailers }, version: .http11)
    }
  }

  /// Reads a message that is there as a whole (RFC 9112).
  private struct MessageReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
      self.bytes = bytes[...]
    }

    var rest: Bytes { Bytes(bytes) }

    private static let malformed = ExchangeError(.protocolViolation, "the answer is not HTTP/1.1")

    private mutating func line() throws -> String {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), bytes[..<end].last == UInt8(ascii: "\r")
      else { throw Self.malformed }
      defer { bytes = bytes[(end + 1)...] }
      return String(decoding: bytes[..<end].dropLast(), as: UTF8.self)
    }

    mutating func head() throws -> HTTPResponse {
      let words = try line().split(separator: " ", maxSplits: 2)
      guard words.count >= 2, words[0] == "HTTP/1.1", let code = Int(words[1]), (100...999).contains(code)
      else { throw Self.malformed }
      let status = HTTPResponse.Status(code: code, reasonPhrase: words.count > 2 ? String(words[2]) : "")
      return HTTPResponse(status: status, headerFields: try fields())
    }

    private mutating func fields() throws -> HTTPFields {
      var fields = HTTPFields()
      while case let text = try line(), !text.isEmpty {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { throw Self.malformed }
        fields.append(HTTPField(name: name, value: String(parts[1].drop { $0 == " " })))
      }
      return fields
    }

    mutating func chunks() throws -> ([Bytes], HTTPFields) {
      var chunks: [Bytes] = []
      while true {
        guard let size = Int(try line(), radix: 16), size >= 0, size <= bytes.count else {
          throw Self.malformed
        }
        guard size > 0 else { return (chunks, try fields()) }
        chunks.append(Bytes(bytes.prefix(size)))
        bytes = bytes.dropFirst(size)
        guard try line().isEmpty else { throw Self.malformed }
      }
    }
  }
#endif
