import HTTPTypes

/// Checks that nothing in a request head can break its framing, for any transport (RFC 9110 5.5, RFC 9112 11).
enum FieldSafety {
  /// Returns a header field made from unchecked text.
  ///
  /// - Throws: ``ExchangeError`` of kind `invalidRequest`.
  static func field(name: String, value: String) throws -> HTTPField {
    guard let fieldName = HTTPField.Name(name) else {
      throw ExchangeError(
        .invalidRequest,
        "invalid field name: \"\(Format.oneLine(name))\"",
        advice: "a field name is a token (RFC 9110 5.6.2): letters, digits and !#$%&'*+-.^_`|~"
      )
    }
    guard !value.utf8.contains(where: { $0 == 0x0d || $0 == 0x0a || $0 == 0 }) else {
      throw ExchangeError(
        .invalidRequest,
        "the value of \(fieldName) contains CR, LF or NUL",
        advice: "remove the line break, which would inject another field"
      )
    }
    return HTTPField(name: fieldName, value: value)
  }

  /// Checks a complete head before it is passed to a transport.
  static func check(_ request: Request) throws {
    guard let scheme = request.head.scheme, let authority = request.head.authority,
      let path = request.head.path,
      !scheme.isEmpty, !authority.isEmpty, !path.isEmpty
    else {
      throw ExchangeError(
        .invalidRequest,
        "the request target is incomplete: scheme, authority and path are required",
        advice: "send it through a Client, or use an absolute URL"
      )
    }
    var size = authority.utf8.count + path.utf8.count + request.head.method.rawValue.utf8.count
    let (targetBytes, authorityBytes) = (ByteTraits(of: path), ByteTraits(of: authority))
    guard targetBytes.isDisjoint(with: .notOfTarget), authorityBytes.isDisjoint(with: .notOfTarget) else {
      throw ExchangeError(
        .invalidRequest,
        "the request target contains a space, a control character or a byte outside ASCII",
        advice: "percent-encode it (RFC 3986 2.1)"
      )
    }
    guard path.utf8.first == UInt8(ascii: "/") || path == "*", !targetBytes.contains(.numberSign) else {
      throw ExchangeError(
        .invalidRequest,
        "the request path does not start with a slash, or contains a fragment",
        advice: "pass only the path and query of the target (RFC 9112 3.2)"
      )
    }
    guard authorityBytes.isDisjoint(with: [.numberSign, .endsAuthority]) else {
      throw ExchangeError(
        .invalidRequest,
        "the request authority contains more than a host and a port",
        advice: "pass user information through the authentication stage (RFC 9110 4.2.4)"
      )
    }
    var seen: UInt8 = 0
    // By index, because generic iteration over a collection of another module is several times slower.
    for index in request.head.headerFields.startIndex..<request.head.headerFields.endIndex {
      let field = request.head.headerFields[index]
      let value = field.value
      size += field.name.rawName.utf8.count + value.utf8.count + 4
      guard !ByteTraits(of: value).contains(.control) else { throw unsafeValue(field.name) }
      let bit = singularBit(field.name)
      guard bit != 0 else { continue }
      guard seen & bit == 0 else {
        throw ExchangeError(
          .invalidRequest,
          "the request has more than one \(field.name) field (only one is allowed)"
        )
      }
      seen |= bit
      if let reason = framing(field, of: request.body) { throw reason }
    }
    let limit = request.options.requestHeadLimit
    guard size <= limit else {
      throw ExchangeError.limit(
        .requestHead,
        "the request head is \(size) bytes long (limit \(limit) bytes)",
        advice: "send large values in the body, or raise options.requestHeadLimit",
        limit: (RequestOptions.requestHeadLimit.name, "\(limit) bytes")
      )
    }
  }

  /// Fields for framing, routing, authentication and content processing must come before the content: a peer that
  /// merges trailer fields would otherwise take them from there (RFC 9110 6.5.1).
  private static let namesOfHeadsAlone: Set = [
    "authorization", "connection", "content-encoding", "content-length", "content-range", "content-type",
    "cookie", "expect", "host", "keep-alive", "max-forwards", "proxy-authorization", "proxy-connection",
    "range",
    "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Checks the trailer fields of a request.
  ///
  /// - Throws: ``ExchangeError`` of kind `requestBody`.
  static func check(trailers: HTTPFields) throws {
    for field in trailers {
      guard !namesOfHeadsAlone.contains(field.name.canonicalName) else {
        throw ExchangeError(
          .requestBody,
          "\(field.name) must not be a trailer field (RFC 9110 6.5.1)",
          advice: "send it as a header field"
        )
      }
      guard !ByteTraits(of: field.value).contains(.control) else {
        throw ExchangeError(
          .requestBody,
          "the value of the trailer field \(field.name) contains a control character"
        )
      }
    }
  }

  /// Returns a bit for each field name whose repetition would make the peer read a different message.
  private static func singularBit(_ name: HTTPField.Name) -> UInt8 {
    // Compares the length first, because most names match none of these.
    switch name.canonicalName.utf8.count {
    case 4, 10, 14, 17: break
    default: return 0
    }
    return switch name.canonicalName {
    case "host": 1
    case "content-length": 2
    case "transfer-encoding": 4
    case "connection": 8
    default: 0
    }
  }

  /// The kinds of bytes that a text contains, found in one pass with one table look-up per byte.
  private struct ByteTraits: OptionSet {
    var rawValue: UInt8

    /// A control character that is not allowed in a field value: all except tab.
    static let control = ByteTraits(rawValue: 1)
    /// A byte that is not allowed in a request target: a control character, a space, DEL or a byte outside ASCII.
    static let notOfTarget = ByteTraits(rawValue: 2)
    static let numberSign = ByteTraits(rawValue: 4)
    static let endsAuthority = ByteTraits(rawValue: 8)

    init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    init(of text: String) {
      var text = text
      rawValue = text.withUTF8 { bytes in bytes.reduce(0) { $0 | Self.table[Int($1)] } }
    }

    private static let table: [UInt8] = (UInt8.min...UInt8.max).map { byte in
      var traits: ByteTraits = []
      if byte < 0x20 && byte != 0x09 || byte == 0x7f { traits.insert(.control) }
      if byte <= 0x20 || byte >= 0x7f { traits.insert(.notOfTarget) }
      if byte == UInt8(ascii: "#") { traits.insert(.numberSign) }
      if "@/?\\".utf8.contains(byte) { traits.insert(.endsAuthority) }
      return traits.rawValue
    }
  }

  private static func unsafeValue(_ name: HTTPField.Name) -> ExchangeError {
    ExchangeError(.invalidRequest, "the value of \(name) contains a control character")
  }

  /// Returns an error if an explicit field contradicts the framing of the body.
  private static func framing(_ field: HTTPField, of body: Request.Body) -> ExchangeError? {
    switch field.name.canonicalName {
    case "content-length":
      guard let length = body.length, field.value == String(length) else {
        let real = body.length.map { "\($0) bytes" } ?? "an unknown length"
        return ExchangeError(
          .invalidRequest,
          "Content-Length is \(field.value), but the body has \(real)",
          advice: "remove the field: it is set from the body"
        )
      }
      return nil
    case "transfer-encoding":
      guard body.length == nil, field.value == "chunked" else {
        return ExchangeError(
          .invalidRequest,
          "Transfer-Encoding: \(field.value) does not match the way this body is sent",
          advice: "remove the field: it is set from the body"
        )
      }
      return nil
    case "connection":
      // Options have no case (RFC 9110 7.6.1).
      let option = field.value.lowercased()
      guard option == "keep-alive" || option == "close" else {
        return ExchangeError(
          .invalidRequest,
          "Connection: \(field.value) is not allowed: the transport sets this field",
          advice: "remove the field"
        )
      }
      return nil
    default:
      return nil
    }
  }
}
