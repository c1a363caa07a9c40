#if CURL
  import HTTPTypes
  import Stagecoach

  /// Field lines as curl passes them on (RFC 9112 5): raw, each with its line end.
  enum FieldLines {
    /// The fields of a block of lines, in order, with case and duplicates kept and folded lines joined.
    ///
    /// - Throws: `ExchangeError` of kind `protocolViolation`.
    static func parse(_ bytes: ArraySlice<UInt8>) throws -> HTTPFields {
      var fields = HTTPFields()
      var rest = bytes
      while let line = nextLine(&rest), !line.isEmpty {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
          // What is in it may be secret, and goes to logs.
          throw violation("a field line of \(line.count) bytes without a colon")
        }
        guard let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)) else {
          throw violation("what stands before the colon is no field name: \(shown(line[..<colon]))")
        }
        var value = trimmed(line[line.index(after: colon)...])
        while let first = rest.first, isBlank(first), let folded = nextLine(&rest) {
          // RFC 9112 5.2: a fold stands for one space.
          value = ArraySlice(Array(value) + [0x20] + trimmed(folded))
        }
        guard !value.contains(where: { $0 == 0 || $0 == 0x0d || $0 == 0x0a }) else {
          throw violation("the value of \(name) holds CR, LF or NUL")
        }
        fields.append(
          value.allSatisfy { $0 < 0x80 }
            ? HTTPField(name: name, lenientValue: value) : HTTPField(name: name, value: text(value))
        )
      }
      return fields
    }

    /// Takes a line without its end, CR LF or LF alone (RFC 9112 2.2); nil if there is none.
    static func nextLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
      guard !rest.isEmpty else { return nil }
      let end = rest.firstIndex(of: 0x0a) ?? rest.endIndex
      var line = rest[..<end]
      rest = end < rest.endIndex ? rest[(end + 1)...] : rest[end...]
      if line.last == 0x0d { line.removeLast() }
      return line
    }

    /// Bytes as text: UTF-8, or else Latin-1, which old servers send (RFC 9110 5.5).
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
      String(validating: bytes, as: UTF8.self) ?? String(decoding: bytes.map(UInt16.init), as: UTF16.self)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Without blanks at both ends.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      var bytes = bytes
      while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
      while let last = bytes.last, isBlank(last) { bytes.removeLast() }
      return bytes
    }

    static func violation(_ what: String) -> ExchangeError {
      ExchangeError(.protocolViolation, "the peer sent no valid HTTP: \(what)")
    }

    /// The start of a line, for a message.
    static func shown(_ line: ArraySlice<UInt8>) -> String {
      "\"\(String(decoding: line.prefix(64), as: UTF8.self))\""
    }
  }
#endif
