#if Tool
  import StagecoachCore

  /// A request target cut into path and query (RFC 9112 3.2).
  struct RequestTarget {
    /// The path, still percent-encoded; `*` for the asterisk form.
    let path: String
    /// The text after the first question mark, percent-encoded.
    let query: String?

    /// Takes the origin form and, for clients that use the origin as a proxy, the absolute form.
    init(_ target: String) {
      var rest = target[...]
      if !rest.utf8.starts(with: [UInt8(ascii: "/")]), let scheme = rest.firstRange(of: "://") {
        rest = rest[scheme.upperBound...]
        rest = rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...]
      }
      guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else {
        path = rest.isEmpty ? "/" : String(rest)
        query = nil
        return
      }
      path = mark == rest.startIndex ? "/" : String(rest[..<mark])
      query = String(rest[rest.utf8.index(after: mark)...])
    }

    /// The names and values of the query in order, percent-decoded, with plus signs read as spaces.
    var queryItems: [(name: String, value: String)] {
      guard let query else { return [] }
      return query.split(separator: "&").map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (
          Self.decode(parts[0], plusIsSpace: true),
          parts.count > 1 ? Self.decode(parts[1], plusIsSpace: true) : ""
        )
      }
    }

    /// Undoes percent-encoding (RFC 3986 2.1); a malformed escape stays as it is.
    static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
      String(decoding: text.utf8.percentDecoding(plusIsSpace: plusIsSpace).octets, as: UTF8.self)
    }
  }
#endif
