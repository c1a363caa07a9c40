import StagecoachCore

/// The server's side of an HTTP/2 connection (RFC 9113), frame by frame, without HPACK's decoder: what it needs of
/// requests are their streams.
struct HTTP2Peer {
  /// A frame.
  struct Frame {
    let type: UInt8
    let flags: UInt8
    let stream: Int
    let payload: [UInt8]

    /// Whether the peer sends no more on this stream (END_STREAM on DATA or HEADERS).
    var endsStream: Bool { type <= 1 && flags & 1 != 0 }
  }

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

  private let wire: WireConnection

  /// Reads the preface and sends settings.
  ///
  /// - Parameter settings: Pairs of an identifier and a value (RFC 9113 6.5.2).
  init(_ wire: WireConnection, settings: [(UInt16, UInt32)] = []) throws {
    self.wire = wire
    let preface = try wire.read(24)
    guard preface == Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) else {
      throw WireError.unexpected("no preface of HTTP/2")
    }
    let payload = settings.flatMap { name, value in Self.bytes(UInt32(name), 2) + Self.bytes(value, 4) }
    try send(Kind.settings, stream: 0, payload)
  }

  private static func bytes(_ number: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
  }

  func send(_ type: UInt8, flags: UInt8 = 0, stream: Int, _ payload: [UInt8] = []) throws {
    let length = Self.bytes(UInt32(payload.count), 3)
    try wire.send(length + [type, flags] + Self.bytes(UInt32(stream), 4) + payload)
  }

  /// Reads a frame; settings and pings are answered on the way.
  func readFrame() throws -> Frame {
    while true {
      if let frame = try readOrAnswer() { return frame }
    }
  }

  /// Reads a frame; nil for settings and pings, which are answered.
  private func readOrAnswer() throws -> Frame? {
    let head = try wire.read(9)
    let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
    let stream = head[5...].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
    let frame = Frame(type: head[3], flags: head[4], stream: stream, payload: try wire.read(length))
    switch frame.type {
    case Kind.settings where frame.flags & 1 == 0: try send(Kind.settings, flags: 1, stream: 0)
    case Kind.ping where frame.flags & 1 == 0: try send(Kind.ping, flags: 1, stream: 0, frame.payload)
    default: return frame
    }
    return nil
  }

  /// Reads a frame if something comes within a time.
  func readFrame(within duration: Duration) throws -> Frame? {
    while try wire.hasBytes(within: duration) {
      if let frame = try readOrAnswer() { return frame }
    }
    return nil
  }

  /// Reads until the head of a request comes, and returns its stream.
  func readHead() throws -> Frame {
    while true {
      let frame = try readFrame()
      if frame.type == Kind.headers { return frame }
    }
  }

  /// Sends a status of 200 with a content, in frames as given, and trailer fields; the last frame ends the stream.
  func respond(
    on stream: Int,
    _ pieces: [String] = ["ok"],
    trailers: [(name: String, value: String)] = []
  ) throws {
    // 0x88 is the indexed field :status 200 (RFC 7541 A).
    try send(Kind.headers, flags: 4, stream: stream, [0x88])
    for (index, piece) in pieces.enumerated() {
      let isLast = index == pieces.count - 1 && trailers.isEmpty
      try send(Kind.data, flags: isLast ? 1 : 0, stream: stream, Array(piece.utf8))
    }
    guard !trailers.isEmpty else { return }
    // Literals that are not indexed (RFC 7541 6.2.2).
    var block: [UInt8] = []
    for (name, value) in trailers {
      block += [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }
    try send(Kind.headers, flags: 5, stream: stream, block)
  }

  func reset(_ stream: Int, code: UInt32) throws {
    try send(Kind.reset, stream: stream, Self.bytes(code, 4))
  }

  func goAway(last stream: Int, code: UInt32 = 0) throws {
    try send(Kind.goAway, stream: 0, Self.bytes(UInt32(stream), 4) + Self.bytes(code, 4))
  }

  func updateWindow(_ stream: Int, by count: UInt32) throws {
    try send(Kind.windowUpdate, stream: stream, Self.bytes(count, 4))
  }

  /// Answers every request until the peer is gone.
  func answerAll() throws {
    while true {
      let frame = try readFrame()
      if frame.endsStream { try respond(on: frame.stream) }
    }
  }

  /// A text in the Huffman code of HPACK (RFC 7541 B), of the letters that the checks need.
  static func huffmanCoded(_ text: String) throws -> [UInt8] {
    let codes: [Character: (bits: UInt64, count: Int)] = [
      "-": (0x16, 6), "a": (0x3, 5), "c": (0x4, 5), "e": (0x5, 5), "h": (0x27, 6), "o": (0x7, 5),
      "s": (0x8, 5),
      "t": (0x9, 5), "x": (0x79, 7),
    ]
    var coded: [UInt8] = []
    var (bits, count): (UInt64, Int) = (0, 0)
    for letter in text {
      guard let code = codes[letter] else { throw CheckFailure("no code is known for \(letter)") }
      bits = bits << UInt64(code.count) | code.bits
      count += code.count
      while count >= 8 {
        count -= 8
        coded.append(UInt8(truncatingIfNeeded: bits >> UInt64(count)))
      }
    }
    // The rest of the last byte is filled with ones.
    if count > 0 { coded.append(UInt8(truncatingIfNeeded: bits << UInt64(8 - count)) | UInt8(0xff >> count)) }
    return coded
  }
}
