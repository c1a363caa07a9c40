/// One call of the client, and what the servers of its lane do meanwhile. A finding is a list of these, as JSON.
struct Input: Codable, Sendable {
  /// How the client gets to the server whose replies are mutated.
  enum Route: String, Codable, Sendable {
    /// Straight.
    case direct
    /// By a redirect of an honest origin, so that what belonged to that origin is used again for another.
    case redirected
    /// The server is a proxy of HTTP.
    case proxied
    /// The server is a proxy that speaks SOCKS 5.
    case socks
    /// HTTP/2 within TLS.
    case tls
    /// HTTP/2 without TLS (RFC 9113 3.3).
    case plainHTTP2
    /// An honest origin over HTTP/1.1, whose connections never saw a mutated reply.
    case honest
    /// The same over HTTP/2, within TLS where the engine wants it.
    case honestHTTP2
  }

  /// What the client does with a response.
  enum Reading: String, Codable, Sendable {
    /// It reads the body to its end.
    case whole
    /// It reads one chunk and drops the rest.
    case chunk
    /// It drops the response.
    case none
  }

  /// What has to come of it.
  enum Outcome: String, Codable, Sendable {
    /// An answer or an error, within the timeouts.
    case any
    /// The answer 200 with ``Input/body``; a timeout is not held against it.
    case complete
    /// No body that ends as if it were complete.
    case incomplete
  }

  /// Its number; with the seed it makes the whole.
  var number: Int
  /// How the client gets there.
  var route: Route
  /// The method.
  var method = "GET"
  /// The bytes of the request's content.
  var content = 0
  /// Whether the server replies before it has read the content.
  var repliesEarly = false
  /// What the client does with a response.
  var reading = Reading.whole
  /// After how many milliseconds the call is cancelled, if at all.
  var cancelsAfter: Int?
  /// What has to come of it.
  var outcome = Outcome.any
  /// The content of the honest answer.
  var body = ""
  /// What is sent before anything is replied: the answers of a proxy, or the settings of HTTP/2.
  var opening: [Part] = []
  /// What requests are replied with, one after the other; the last for all further ones.
  var replies: [Reply] = []
}

/// What a server sends for a request, and what it does with the connection then.
struct Reply: Codable, Sendable {
  /// What becomes of the connection.
  enum End: String, Codable, Sendable {
    /// It stays for further requests, as long as they come soon.
    case keep
    /// It is closed.
    case close
    /// It is reset.
    case reset
    /// The server sends no more, and closes a little later.
    case halfClose
  }

  /// What is sent, in pieces.
  var parts: [Part]
  /// What becomes of the connection.
  var end = End.keep
}

/// A piece of what is sent: bytes, a frame or a pause.
struct Part: Codable, Sendable {
  /// A text in which each character stands for the byte of its number.
  var send: String?
  /// A frame of HTTP/2.
  var frame: Frame?
  /// A pause in milliseconds.
  var pause: Int?

  /// Bytes.
  static func bytes(_ bytes: some Sequence<UInt8>) -> Part {
    Part(send: Latin1.text(bytes))
  }

  /// The bytes that are sent.
  ///
  /// - Parameter stream: The stream of the request, for frames that name none.
  func octets(on stream: UInt32) -> [UInt8] {
    Latin1.bytes(send ?? "") + (frame?.octets(on: stream) ?? [])
  }
}

/// A frame of HTTP/2 (RFC 9113 4.1), which need not be true to itself.
struct Frame: Codable, Sendable {
  /// The types of frames.
  enum Kind {
    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let reset: UInt8 = 3
    static let settings: UInt8 = 4
    static let ping: UInt8 = 6
    static let goAway: UInt8 = 7
    static let windowUpdate: UInt8 = 8
    static let continuation: UInt8 = 9
  }

  /// END_STREAM, and ACK of settings and pings.
  static let endStream: UInt8 = 1
  /// END_HEADERS
  static let endHeaders: UInt8 = 4
  /// PADDED
  static let padded: UInt8 = 8

  /// Its type.
  var type: UInt8
  /// Its flags.
  var flags: UInt8
  /// Its stream; that of the request if nil.
  var stream: UInt32?
  /// The length that it claims; that of the payload if nil.
  var length: UInt32?
  /// What it carries, a character for each byte.
  private var carries: String

  /// What it carries.
  var payload: [UInt8] {
    get { Latin1.bytes(carries) }
    set { carries = Latin1.text(newValue) }
  }

  init(type: UInt8, flags: UInt8 = 0, stream: UInt32? = nil, length: UInt32? = nil, payload: [UInt8] = []) {
    self.type = type
    self.flags = flags
    self.stream = stream
    self.length = length
    carries = Latin1.text(payload)
  }

  func octets(on requested: UInt32) -> [UInt8] {
    let length = length ?? UInt32(payload.count)
    let stream = stream ?? requested
    let head = [UInt8(truncatingIfNeeded: length >> 16), UInt8(truncatingIfNeeded: length >> 8)]
    let name = (0..<4).reversed().map { UInt8(truncatingIfNeeded: stream >> (8 * UInt32($0))) }
    return head + [UInt8(truncatingIfNeeded: length), type, flags] + name + payload
  }
}
