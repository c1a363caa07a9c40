#if CURL
  import HTTPTypes
  import StagecoachCore
  import StagecoachTransportKit

  /// The head of a response, parsed from the lines that curl passes on.
  struct ResponseHead {
    let response: HTTPResponse
    let version: HTTPVersion
    /// The content length in bytes, if the fields declare it.
    let length: Int64?

    /// - Parameter bytes: The status line and the field lines, as received; for HTTP/2 and HTTP/3 as curl writes them.
    /// - Throws: `ExchangeError` of kind `protocolViolation`, or `unsupported` for an unknown transfer coding.
    init(_ bytes: [UInt8]) throws {
      self = try bytes.withUnsafeBufferPointer { try ResponseHead($0) }
    }

    private init(_ bytes: FieldLines.Line) throws {
      var rest = bytes
      let status: HTTPResponse.Status
      (version, status) = try Self.statusLine(FieldLines.nextLine(&rest) ?? rest)
      let fields = try FieldLines.parse(rest)
      length = try Self.length(fields, version)
      response = HTTPResponse(status: status, headerFields: fields)
    }

    /// Whether content can follow the head, whatever its fields say (RFC 9112 6.3).
    func hasContent(to request: Request) -> Bool {
      request.method != .head && response.status.code != 204 && response.status.code != 304
    }

    /// Parses a status line (RFC 9112 4); the space after the code may be missing.
    private static func statusLine(_ line: FieldLines.Line) throws -> (HTTPVersion, HTTPResponse.Status) {
      func malformed(_ what: String) -> ExchangeError {
        FieldLines.violation("\(what): \(FieldLines.shown(line))")
      }
      guard line.starts(with: "HTTP/".utf8) else {
        throw malformed("the status line does not begin with HTTP/")
      }
      guard let space = line.firstIndex(of: 0x20) else {
        throw malformed("a status line without a status code")
      }
      guard let version = version(FieldLines.Line(rebasing: line[5..<space])) else {
        throw malformed("a version of HTTP that does not exist")
      }
      let digits = line[(space + 1)...].prefix { $0 != 0x20 }
      guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw malformed("a status code is three digits")
      }
      let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      guard code >= 100 else { throw malformed("the status code is below 100") }
      let reason = FieldLines.text(FieldLines.Line(rebasing: line[digits.endIndex...].dropFirst()))
      return (version, HTTPResponse.Status(code: code, reasonPhrase: reason))
    }

    private static func version(_ text: FieldLines.Line) -> HTTPVersion? {
      if text.elementsEqual("1.1".utf8) { return .http11 }
      if text.elementsEqual("1.0".utf8) { return .http10 }
      if text.elementsEqual("2".utf8) { return .http2 }
      return text.elementsEqual("3".utf8) ? .http3 : nil
    }

    /// Returns the content length (RFC 9112 6.3); ambiguous fields are refused.
    private static func length(_ fields: HTTPFields, _ version: HTTPVersion) throws -> Int64? {
      var length: Int64?
      var codings: [String] = []
      for index in fields.startIndex..<fields.endIndex {
        let field = fields[index]
        if field.name == .contentLength {
          for text in field.value.split(separator: ",", omittingEmptySubsequences: false) {
            let value = try number(text)
            guard length == nil || length == value else {
              throw FieldLines.violation("conflicting Content-Length: \(length ?? 0) and \(value)")
            }
            length = value
          }
        } else if field.name == .transferEncoding {
          codings.append(field.value)
        }
      }
      // libcurl would undo the chunks of another coding alone, and show coded content as the content.
      guard version.major == 1, try TransferCodings.isChunked(codings, engine: "CURL") else { return length }
      return nil
    }

    private static func number(_ text: Substring) throws -> Int64 {
      let digits = text.utf8.drop { FieldLines.isBlank($0) }
      var trimmed = Substring(digits)
      while let last = trimmed.utf8.last, FieldLines.isBlank(last) { trimmed.removeLast() }
      guard !trimmed.isEmpty, trimmed.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let value = Int64(trimmed)
      else {
        throw FieldLines.violation("malformed Content-Length: \"\(text)\"")
      }
      return value
    }
  }
#endif
