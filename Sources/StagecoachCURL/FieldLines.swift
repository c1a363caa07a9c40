#if CURL
  import HTTPTypes
  import StagecoachCore

  /// Field lines as curl passes them on (RFC 9112 5): raw, each with its line end.
  enum FieldLines {
    /// A part of what is read, valid while that is. Bytes are looked at one by one, which costs several times as much
    /// in slices of arrays.
    typealias Line = UnsafeBufferPointer<UInt8>

    /// The fields of a block of lines, in order, with case and duplicates kept and folded lines joined.
    ///
    /// - Throws: `ExchangeError` of kind `protocolViolation`.
    static func parse(_ bytes: Line) throws -> HTTPFields {
      var fields = HTTPFields()
      var rest = bytes
      while let line = nextLine(&rest), !line.isEmpty {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
          // What is in it may be secret, and goes to logs.
          throw violation("a field line of \(line.count) bytes without a colon")
        }
        let nameBytes = Line(rebasing: line[..<colon])
        guard let name = HTTPField.Name(String(decoding: nameBytes, as: UTF8.self)) else {
          throw violation("what stands before the colon is no field name: \(shown(nameBytes))")
        }
        let value = trimmed(Line(rebasing: line[(colon + 1)...]))
        guard let next = rest.first, isBlank(next) else {
          fields.append(try field(name, value))
          continue
        }
        var folded = Array(value)
        while let next = rest.first, isBlank(next), let line = nextLine(&rest) {
          // RFC 9112 5.2: a fold stands for one space.
          folded += [0x20]
          folded += trimmed(line)
        }
        fields.append(try folded.withUnsafeBufferPointer { try field(name, $0) })
      }
      return fields
    }

    private static func field(_ name: HTTPField.Name, _ value: Line) throws -> HTTPField {
      var isASCII = true
      for byte in value {
        guard byte != 0, byte != 0x0d, byte != 0x0a else {
          throw violation("the value of \(name) holds CR, LF or NUL")
        }
        if byte >= 0x80 { isASCII = false }
      }
      return isASCII ? HTTPField(name: name, lenientValue: value) : HTTPField(name: name, value: text(value))
    }

    /// Takes a line without its end, CR LF or LF alone (RFC 9112 2.2); nil if there is none.
    static func nextLine(_ rest: inout Line) -> Line? {
      guard !rest.isEmpty else { return nil }
      let end = rest.firstIndex(of: 0x0a) ?? rest.count
      let hasReturn = end > 0 && rest[end - 1] == 0x0d
      defer { rest = Line(rebasing: rest[min(end + 1, rest.count)...]) }
      return Line(rebasing: rest[..<(hasReturn ? end - 1 : end)])
    }

    /// Bytes as text: UTF-8, or else Latin-1, which old servers send (RFC 9110 5.5).
    static func text(_ bytes: Line) -> String {
      String(validating: bytes, as: UTF8.self) ?? String(decoding: bytes.map(UInt16.init), as: UTF16.self)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Without blanks at both ends.
    static func trimmed(_ bytes: Line) -> Line {
      var (start, end) = (0, bytes.count)
      while start < end, isBlank(bytes[start]) { start += 1 }
      while start < end, isBlank(bytes[end - 1]) { end -= 1 }
      return Line(rebasing: bytes[start..<end])
    }

    static func violation(_ what: String) -> ExchangeError {
      ExchangeError(.protocolViolation, "the peer sent no valid HTTP: \(what)")
    }

    /// The start of a line, for a message.
    static func shown(_ line: Line) -> String {
      "\"\(String(decoding: line.prefix(64), as: UTF8.self))\""
    }
  }
#endif
