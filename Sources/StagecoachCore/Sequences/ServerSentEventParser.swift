/// Interprets the lines of an event stream (WHATWG HTML 9.2.6).
struct ServerSentEventParser {
  /// The ID to reconnect with: the last one that an empty line has followed.
  private(set) var lastEventID: String
  /// The time to wait before reconnecting, once the server has named one.
  private(set) var reconnectionTime: Duration?
  /// How many events have been dispatched.
  private(set) var count = 0

  private let limit: Int
  private var isFirstLine = true
  private var type = ""
  private var id: String
  /// The data lines so far, each with a LF behind it.
  private var data: [UInt8] = []
  /// Where the first line of data stands.
  private var dataOffset: Int64 = 0

  /// A parser for a stream.
  ///
  /// - Parameters:
  ///   - lastEventID: The ID that the stream was asked to go on behind; events without an ID of their own
  ///     have it, as in browsers.
  ///   - limit: The most bytes of the data of an event.
  init(lastEventID: String, limit: Int) {
    self.lastEventID = lastEventID
    self.limit = max(0, limit)
    id = lastEventID
  }

  /// Reads a line without its end; an empty one completes an event, if there is data.
  mutating func read(_ line: UnsafeRawBufferPointer, at offset: Int64) throws -> ServerSentEvent? {
    var line = line
    if isFirstLine {
      isFirstLine = false
      if line.startsWithUTF8Mark { line = UnsafeRawBufferPointer(rebasing: line.dropFirst(3)) }
    }
    guard !line.isEmpty else { return dispatch() }
    // No field that counts has a longer name; a comment is a field without one.
    let nameLength = line.prefix(6).firstIndex(of: UInt8(ascii: ":")) ?? line.count
    var valueStart = min(nameLength + 1, line.count)
    if valueStart < line.count, line[valueStart] == 0x20 { valueStart += 1 }
    let name = UnsafeRawBufferPointer(rebasing: line[..<nameLength])
    let value = UnsafeRawBufferPointer(rebasing: line[valueStart...])
    if name.equals("data") {
      try append(value, at: offset)
    } else if name.equals("event") {
      type = String(decoding: value, as: UTF8.self)
    } else if name.equals("id") {
      if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    } else if name.equals("retry") {
      reconnectionTime = Self.milliseconds(value) ?? reconnectionTime
    }
    return nil
  }

  private mutating func append(_ value: UnsafeRawBufferPointer, at offset: Int64) throws {
    if data.isEmpty { dataOffset = offset }
    guard value.count <= limit - data.count else {
      let start = data.prefix(256) + value.prefix(256 - min(data.count, 256))
      throw ByteSplitter.Overflow(limit: limit, offset: dataOffset, start: Bytes(start))
    }
    data.append(contentsOf: value)
    data.append(UInt8(ascii: "\n"))
  }

  private mutating func dispatch() -> ServerSentEvent? {
    lastEventID = id
    defer { type = "" }
    guard !data.isEmpty else { return nil }
    data.removeLast()
    defer { data.removeAll(keepingCapacity: true) }
    count += 1
    return ServerSentEvent(
      type: type.isEmpty ? "message" : type,
      data: String(decoding: data, as: UTF8.self),
      id: lastEventID,
      retry: reconnectionTime
    )
  }

  /// The time that nothing but ASCII digits name; the longest there is if they name a longer one.
  private static func milliseconds(_ digits: UnsafeRawBufferPointer) -> Duration? {
    guard !digits.isEmpty, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
    return .milliseconds(Int64(String(decoding: digits, as: UTF8.self)) ?? .max)
  }
}

/// Splits bytes into server-sent events.
struct ServerSentEventDecoder: ElementDecoder {
  private var splitter: ByteSplitter
  private(set) var parser: ServerSentEventParser

  init(lastEventID: String, limit: Int) {
    splitter = ByteSplitter(.lineEnd, limit: limit)
    parser = ServerSentEventParser(lastEventID: lastEventID, limit: limit)
  }

  var index: Int { parser.count }

  /// Whether the server has sent anything at all.
  var hasReceived: Bool { splitter.received > 0 }

  mutating func append(_ chunk: Bytes) {
    splitter.append(chunk)
  }

  mutating func next() throws -> ServerSentEvent? {
    try splitter.next { try parser.read($0, at: $1) }
  }

  /// The end of the stream completes no event.
  mutating func finish() -> ServerSentEvent? { nil }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are an ASCII text.
  @inline(__always)
  fileprivate func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != text.utf8Start[index] { return false }
    return true
  }
}
