#if CURL
  import HTTPTypes
  import StagecoachCore

  /// Parses field lines as curl passes them on (RFC 9112 5): raw, each with its line end.
  enum FieldLines {
    /// A part of the input, valid only as long as the input. Examining single bytes costs several times as much in
    /// array slices.
    typealias Line = UnsafeBufferPointer<UInt8>

    /// Parses the fields of a block of lines. Order, case and duplicates are preserved, and folded lines are joined.
    ///
    /// - Throws: `ExchangeError` of kind `protocolViolation`.
    static func parse(_ bytes: Line) throws -> HTTPFields {
      var fields = HTTPFields()
      var rest = bytes
      while let line = nextLine(&rest), !line.isEmpty {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
          // Without the line, which may be secret and would go to logs.
          throw violation("a field line of \(line.count) bytes without a colon")
        }
        let nameBytes = Line(rebasing: line[..<colon])
        guard let name = HTTPField.Name(String(decoding: nameBytes, as: UTF8.self)) else {
          throw violation("malformed field name: \(shown(nameBytes))")
        }
        let value = trimmed(Line(rebasing: line[(colon + 1)...]))
        guard let next = rest.first, isBlank(next) else {
          fields.append(try field(name, value))
          continue
        }
        var folded = Array(value)
        while let next = rest.first, isBlank(next), let line = nextLine(&rest) {
          // A line fold is replaced by one space (RFC 9112 5.2).
          folded += [0x20]
          folded += trimmed(line)
        }
        fields.append(try folded.withUnsafeBufferPointer { try field(name, $0) })
      }
      return fields
    }

    private static func field(_ name: HTTPField.Name, _ value: Line) throws -> HTTPField {
      guard !value.contains(where: { $0 == 0 || $0 == 0x0d || $0 == 0x0a }) else {
        throw violation("the value of \(name) contains CR, LF or NUL")
      }
      return HTTPField(name: name, lenientValue: value)
    }

    /// Returns the next line without its end, CR LF or a bare LF (RFC 9112 2.2); `nil` if none is left.
    static func nextLine(_ rest: inout Line) -> Line? {
      guard !rest.isEmpty else { return nil }
      let end = rest.firstIndex(of: 0x0a) ?? rest.count
      let hasReturn = end > 0 && rest[end - 1] == 0x0d
      defer { rest = Line(rebasing: rest[min(end + 1, rest.count)...]) }
      return Line(rebasing: rest[..<(hasReturn ? end - 1 : end)])
    }

    /// Decodes bytes as UTF-8, or else as Latin-1, which old servers send (RFC 9110 5.5).
    static func text(_ bytes: Line) -> String {
      String(validating: bytes, as: UTF8.self) ?? String(decoding: bytes.map(UInt16.init), as: UTF16.self)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Trims blanks at both ends.
    static func trimmed(_ bytes: Line) -> Line {
      var (start, end) = (0, bytes.count)
      while start < end, isBlank(bytes[start]) { start += 1 }
      while start < end, isBlank(bytes[end - 1]) { end -= 1 }
      return Line(rebasing: bytes[start..<end])
    }

    static func violation(_ what: String) -> ExchangeError {
      ExchangeError(.protocolViolation, "the peer sent malformed HTTP: \(what)")
    }

    /// Returns the start of a line, for an error message.
    static func shown(_ line: Line) -> String {
      "\"\(String(decoding: line.prefix(64), as: UTF8.self))\""
    }
  }
#endif
