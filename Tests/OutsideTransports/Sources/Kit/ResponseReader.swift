import HTTPTypes
import Stagecoach
import StagecoachTransportKit

/// Reads an HTTP/1.1 response (RFC 9112) from a socket.
struct ResponseReader {
  /// How a body ends (RFC 9112 6.3).
  enum Length: Equatable {
    case known(Int64)
    case chunked
    case untilClosed

    var bytes: Int64? { if case .known(let count) = self { count } else { nil } }
  }

  private let socket: Socket
  private let request: Request
  private var buffer: ArraySlice<UInt8> = []
  private var meter: ResponseHeadMeter
  /// The bytes of chunk extensions are limited together.
  private var extensions: ResponseHeadMeter
  /// What is left of a body of known length, or of its chunk.
  private var left: Int64?
  private(set) var trailers: HTTPFields?

  init(_ socket: Socket, to request: Request) {
    self.socket = socket
    self.request = request
    meter = ResponseHeadMeter(request.options.responseHeadLimits)
    extensions = meter
  }

  private static func malformed(_ what: String, _ text: some StringProtocol) -> ExchangeError {
    ExchangeError(.protocolViolation, "malformed \(what): \"\(text.prefix(100))\"")
  }

  /// Reads more; false at the end.
  private mutating func fill() async throws -> Bool {
    let bytes = try await socket.read()
    buffer += bytes
    return !bytes.isEmpty
  }

  /// The octets of a line without its end.
  private mutating func octets(isField: Bool = true) async throws -> ArraySlice<UInt8> {
    var searched = 0
    while true {
      if let end = buffer.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
        var line = buffer[..<end]
        try meter.add(line.count + 1, isField: isField)
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        buffer = buffer[(end + 1)...]
        guard !line.contains(0) else { throw Self.malformed("line", "it contains NUL") }
        return line
      }
      searched = buffer.count
      try meter.check(lineOf: searched, isField: isField)
      guard try await fill() else {
        guard isField || buffer.isEmpty || "HTTP/".utf8.starts(with: buffer.prefix(5)) else {
          throw Self.malformed("status line", String(decoding: buffer, as: UTF8.self))
        }
        throw ExchangeError(
          .connectionReset,
          "the peer closed the connection before the response was complete"
        )
      }
    }
  }

  private mutating func line(isField: Bool = true) async throws -> String {
    let octets = try await octets(isField: isField)
    return try String(validating: octets, as: UTF8.self) ?? Charset.isoLatin1.decode(Array(octets))
  }

  mutating func head() async throws -> HTTPResponse {
    meter = ResponseHeadMeter(request.options.responseHeadLimits)
    let text = try await line(isField: false)
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, ["HTTP/1.1", "HTTP/1.0"].contains(words[0]), words[1].utf8.count == 3,
      let code = Int(words[1]), (100...999).contains(code)
    else { throw Self.malformed("status line", text) }
    let status = HTTPResponse.Status(code: code, reasonPhrase: words.count > 2 ? String(words[2]) : "")
    return HTTPResponse(status: status, headerFields: try await fields())
  }

  private mutating func fields() async throws -> HTTPFields {
    var fields = HTTPFields()
    while case let line = try await octets(), !line.isEmpty {
      if let first = line.first, Self.isBlank(first), let field = fields.last {
        // A folded line goes on after one space (RFC 9112 5.2).
        let value = field.withUnsafeBytesOfValue { Array($0) } + [0x20] + line.drop(while: Self.isBlank)
        fields[fields.index(before: fields.endIndex)] = HTTPField(name: field.name, value: value)
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
        let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
      else { throw Self.malformed("header line", String(decoding: line, as: UTF8.self)) }
      // Values need not be UTF-8 (RFC 9110 5.5).
      fields.append(HTTPField(name: name, value: line[(colon + 1)...]))
    }
    return fields
  }

  private static func isBlank(_ octet: UInt8) -> Bool { octet == 0x20 || octet == 0x09 }

  mutating func length(of head: HTTPResponse) throws -> Length {
    if request.method == .head || head.status == .noContent || head.status == .notModified {
      return .known(0)
    }
    let codings = head.headerFields[values: .transferEncoding]
    if try TransferCodings.isChunked(codings, engine: "\(SocketTransport.self)") { return .chunked }
    // Of equal lengths one counts (RFC 9112 6.3).
    let lengths = Set(
      head.headerFields[values: .contentLength]
        .flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        .map { $0.split(separator: " ").joined(separator: " ") }
    )
    guard let text = lengths.first else { return .untilClosed }
    guard lengths.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int64(text)
    else {
      throw Self.malformed("Content-Length", lengths.sorted().joined(separator: ", "))
    }
    left = length
    return .known(length)
  }

  /// The next chunk of the body; `nil` at its end.
  mutating func chunk(_ length: Length) async throws -> Bytes? {
    if length == .chunked, left ?? 0 == 0 {
      if left != nil, try await !line().isEmpty { throw Self.malformed("chunk", "no CR LF at its end") }
      meter = ResponseHeadMeter(request.options.responseHeadLimits, areTrailers: true)
      let text = try await line()
      let digits = text.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
      guard digits.first?.isHexDigit == true, let size = Int64(digits, radix: 16), size >= 0 else {
        throw Self.malformed("chunk size", text)
      }
      if digits.count < text.count { try extensions.add(text.utf8.count, isField: false) }
      left = size
      guard size > 0 else {
        trailers = try await fields()
        return nil
      }
    }
    if left == 0 { return nil }
    if buffer.isEmpty, try await !fill() {
      guard length == .untilClosed else {
        throw ExchangeError(.incompleteBody, "the peer closed the connection before the body was complete")
      }
      return nil
    }
    let taken = buffer.prefix(Int(clamping: left ?? .max))
    buffer = buffer.dropFirst(taken.count)
    left = left.map { $0 - Int64(taken.count) }
    return Bytes(taken)
  }
}

extension ResponseHeadMeter {
  /// Checks a line that goes on, without counting it.
  fileprivate func check(lineOf size: Int, isField: Bool) throws {
    var meter = self
    try meter.add(size, isField: isField)
  }
}
