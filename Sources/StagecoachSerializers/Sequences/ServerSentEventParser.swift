package import StagecoachCore

/// Interprets the lines of an event stream (WHATWG HTML 9.2.6).
package struct ServerSentEventParser: PieceReader {
  /// The ID to reconnect with: the last one followed by an empty line.
  package private(set) var lastEventID: String
  /// The time to wait before reconnecting, if the server has sent one.
  package private(set) var reconnectionTime: Duration?
  /// The number of dispatched events.
  package private(set) var count = 0

  private let limit: Int
  private var isFirstLine = true
  private var type = ""
  private var id: String
  /// The data lines so far, each followed by a LF.
  private var data: [UInt8] = []
  /// The position of the first data line.
  private var dataOffset: Int64 = 0

  /// Creates a parser for a stream.
  ///
  /// - Parameters:
  ///   - lastEventID: The ID after which the stream was requested; events without an ID have it, as in browsers.
  ///   - limit: The maximum size of the data of an event in bytes.
  init(lastEventID: String, limit: Int) {
    self.lastEventID = lastEventID
    self.limit = max(0, limit)
    id = lastEventID
  }

  /// Reads a line without its end. An empty line completes an event, if there is data.
  package mutating func read(_ line: UnsafeRawBufferPointer, at offset: Int64) throws -> ServerSentEvent? {
    var line = line
    if isFirstLine {
      isFirstLine = false
      if line.startsWithUTF8Mark { line = UnsafeRawBufferPointer(rebasing: line.dropFirst(3)) }
    }
    guard !line.isEmpty else { return dispatch() }
    // No supported field has a longer name; a comment is a field without a name.
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

  /// Returns `nil`: the end of the stream completes no event.
  package mutating func readRest(_ line: UnsafeRawBufferPointer, at offset: Int64) -> ServerSentEvent? { nil }

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

  /// Returns the time that ASCII digits denote, clamped to the maximum; `nil` if there are other characters.
  private static func milliseconds(_ digits: UnsafeRawBufferPointer) -> Duration? {
    guard !digits.isEmpty, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
    return .milliseconds(Int64(String(decoding: digits, as: UTF8.self)) ?? .max)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes equal an ASCII text.
  @inline(__always)
  fileprivate func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != text.utf8Start[index] { return false }
    return true
  }
}

extension BodyElements<ServerSentEvent> {
  /// Creates the sequence of events in a response.
  ///
  /// - Parameters:
  ///   - response: The response whose body is read.
  ///   - stage: The name shown in errors.
  ///   - lastEventID: The ID after which the stream was requested.
  package init(_ response: Response, stage: String, lastEventID: String = "") {
    let limit = response.elementLimit
    self.init(ElementSource(response, stage: stage)) {
      PieceDecoder(.lineEnd, limit: limit, ServerSentEventParser(lastEventID: lastEventID, limit: limit))
    }
  }
}
