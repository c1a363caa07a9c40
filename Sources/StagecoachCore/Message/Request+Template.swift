public import HTTPTypes

extension Request {
  /// A request for a URI reference whose path has names in braces, each replaced by a value.
  ///
  /// ```swift
  /// try Request(.get, template: "/users/{id}/files/{name}", ["id": 7, "name": "a/b ü"])
  /// // GET /users/7/files/a%2Fb%20%C3%BC
  /// ```
  ///
  /// A value stays within its path segment (RFC 3986 3.3) whatever it holds: all but the unreserved
  /// characters is percent-encoded, as RFC 6570 3.2.2 has it. The rest of the template is taken as it is; a
  /// brace is written `%7B` or `%7D` there. What belongs into a query is for ``RequestContent``.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - template: The reference, absolute or relative to the base URL of the client. A name in braces is
  ///     made of ASCII letters, digits, `_`, `-` and `.`, may occur more than once, and stands in the path.
  ///   - values: A text, number or boolean for each name.
  ///   - fields: The header fields.
  ///   - body: The content.
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if a name has no value or a value no name; a name
  ///   is given twice, or stands in front of or behind the path; a brace has no partner; a percent sign of
  ///   the template is not followed by two hexadecimal digits; a value is empty, `.` or `..`, which would
  ///   change the path, or is of another kind.
  public init(
    _ method: HTTPRequest.Method,
    template: String,
    _ values: Parameters,
    fields: HTTPFields = [:],
    body: Body = .empty
  ) throws {
    self.init(method, try PathTemplate(template).expanded(with: values), fields: fields, body: body)
  }
}

private struct PathTemplate {
  private let octets: [UInt8]
  private let path: Range<Int>

  init(_ template: String) {
    octets = Array(template.utf8)
    path = Self.path(of: octets)
  }

  func expanded(with values: Parameters) throws -> String {
    let segments = try Self.segments(for: values)
    var unused = Set(segments.keys)
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    var position = 0
    while position < octets.count {
      switch octets[position] {
      case UInt8(ascii: "{"):
        let (name, end) = try name(at: position)
        guard let segment = segments[name] else { throw Self.refusal("no value is given for {\(name)}") }
        unused.remove(name)
        result += segment
        position = end
        continue
      case UInt8(ascii: "}"):
        throw Self.refusal("a closing brace has no opening one", advice: "write a brace as %7D")
      case UInt8(ascii: "%"):
        // Else it would join the start of a value: "%2{x}" and "e" are a dot.
        guard position + 2 < octets.count, octets[position + 1].isHexDigitOfURI,
          octets[position + 2].isHexDigitOfURI
        else {
          throw Self.refusal("a percent sign is not followed by two digits", advice: "write it as %25")
        }
      default: break
      }
      result.append(octets[position])
      position += 1
    }
    guard unused.isEmpty else {
      let names = unused.sorted().map(\.debugDescription).joined(separator: ", ")
      throw Self.refusal("the template has no place for \(names)")
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The name in the braces that open at a position, and where to go on behind them.
  private func name(at position: Int) throws -> (String, end: Int) {
    guard let end = octets[position...].firstIndex(of: UInt8(ascii: "}")) else {
      throw Self.refusal("an opening brace has no closing one", advice: "write a brace as %7B")
    }
    let name = octets[(position + 1)..<end]
    let text = String(decoding: name, as: UTF8.self)
    guard !name.isEmpty, name.allSatisfy(\.isOfTemplateName) else {
      throw Self.refusal(
        "\(text.debugDescription) is no name",
        advice: "make it of ASCII letters, digits, _, - and ."
      )
    }
    guard path.contains(position) else {
      throw Self.refusal(
        "{\(text)} stands outside of the path",
        advice: "put values of a query in by RequestContent.query, and a host into the base URL"
      )
    }
    return (text, end + 1)
  }

  /// Where the path stands. What could be or become a scheme or an authority is in front of it.
  private static func path(of octets: [UInt8]) -> Range<Int> {
    func find(from start: Int, _ isEnd: (UInt8) -> Bool) -> Int {
      octets[start...].firstIndex(where: isEnd) ?? octets.count
    }
    // Blanks in front are ignored by who resolves the reference.
    var start = find(from: 0) { $0 != 0x20 && $0 != 0x09 }
    let segmentEnd = find(from: start, \.endsAuthorityOfTemplate)
    if let colon = octets[start..<segmentEnd].firstIndex(of: UInt8(ascii: ":")) { start = colon + 1 }
    if octets[start...].starts(with: "//".utf8) {
      start = find(from: start + 2, \.endsAuthorityOfTemplate)
    }
    return start..<find(from: start) { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
  }

  private static func segments(for values: Parameters) throws -> [String: [UInt8]] {
    var segments: [String: [UInt8]] = [:]
    for member in values.members {
      let text = try text(of: member)
      guard !text.isEmpty, text != ".", text != ".." else {
        throw refusal("the value of {\(member.key)} is empty or a dot segment, which would change the path")
      }
      guard segments.updateValue(encoded(text), forKey: member.key) == nil else {
        throw refusal("{\(member.key)} is given twice")
      }
    }
    return segments
  }

  private static func text(of member: Parameters.Member) throws -> String {
    switch member.value {
    case .string(let text): return text
    case .int(let number): return "\(number)"
    case .double(let number) where number.isFinite: return NumberText.text(of: number)
    case .bool(let flag): return flag ? "true" : "false"
    case .double, .null, .date, .data, .array, .set, .object:
      throw refusal("the value of {\(member.key)} is no text, number or boolean", advice: "pass a text")
    }
  }

  private static func encoded(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    for octet in text.utf8 {
      if octet.isUnreservedInURI {
        result.append(octet)
      } else {
        result += (octet < 16 ? "%0" : "%").utf8
        result += String(octet, radix: 16, uppercase: true).utf8
      }
    }
    return result
  }

  // Values are not shown: they may be secret.
  private static func refusal(_ message: String, advice: String? = nil) -> ExchangeError {
    ExchangeError(.invalidRequest, "the path template is unusable: \(message)", advice: advice)
  }
}

extension UInt8 {
  /// RFC 3986 2.3.
  fileprivate var isUnreservedInURI: Bool { isOfTemplateName || self == UInt8(ascii: "~") }

  fileprivate var isOfTemplateName: Bool {
    isLetterOfURI || isDigitOfURI || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
      || self == UInt8(ascii: ".")
  }

  fileprivate var endsAuthorityOfTemplate: Bool {
    self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
  }
}
