public import HTTPTypes

extension Request {
  /// Creates a request for a URI reference whose path contains names in braces, each replaced by a value.
  ///
  /// ```swift
  /// try Request(.get, template: "/users/{id}/files/{name}", ["id": 7, "name": "a/b ü"])
  /// // GET /users/7/files/a%2Fb%20%C3%BC
  /// ```
  ///
  /// A value cannot leave its path segment: all characters except the unreserved ones are percent-encoded (RFC 3986
  /// 3.3, RFC 6570 3.2.2). The rest of the template is used as it is; write a brace there as `%7B` or `%7D`. For
  /// values in a query, use ``RequestContent``.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - template: The reference, absolute or relative to the base URL of the client. A name in braces consists of
  ///     ASCII letters, digits, `_`, `-` and `.`, may occur more than once, and must be in the path.
  ///   - values: A text, number or boolean for each name.
  ///   - fields: The header fields.
  ///   - body: The content.
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` if a name has no value or a value no name; if a name is
  ///   given twice, or is outside of the path; if a brace is unmatched; if a percent sign of the template is not
  ///   followed by two hexadecimal digits; if a value is empty, `.` or `..`, which would change the path, or is not a
  ///   text, number or boolean.
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
        guard let segment = segments[name] else { throw Self.refusal("no value for {\(name)}") }
        unused.remove(name)
        result += segment.utf8
        position = end
        continue
      case UInt8(ascii: "}"):
        throw Self.refusal("unmatched closing brace", advice: "write a brace as %7D")
      case UInt8(ascii: "%"):
        // Otherwise the sign would join the start of a value: "%2{x}" and "e" make a dot.
        guard octets.escapedOctet(at: position) != nil else {
          throw Self.refusal("a percent sign is not followed by two digits", advice: "write it as %25")
        }
      default: break
      }
      result.append(octets[position])
      position += 1
    }
    guard unused.isEmpty else {
      let names = unused.sorted().map(\.debugDescription).joined(separator: ", ")
      throw Self.refusal("the template has no name for \(names)")
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the name in the braces that open at a position, and the position after them.
  private func name(at position: Int) throws -> (String, end: Int) {
    guard let end = octets[position...].firstIndex(of: UInt8(ascii: "}")) else {
      throw Self.refusal("unmatched opening brace", advice: "write a brace as %7B")
    }
    let name = octets[(position + 1)..<end]
    let text = String(decoding: name, as: UTF8.self)
    guard !name.isEmpty, name.allSatisfy(\.isOfTemplateName) else {
      throw Self.refusal(
        "invalid name \(text.debugDescription)",
        advice: "use only ASCII letters, digits, _, - and ."
      )
    }
    guard path.contains(position) else {
      throw Self.refusal(
        "{\(text)} is outside of the path",
        advice: "use RequestContent.query for the query, and the base URL for the host"
      )
    }
    return (text, end + 1)
  }

  /// Returns the range of the path. Everything that is or could become a scheme or an authority comes before it.
  private static func path(of octets: [UInt8]) -> Range<Int> {
    func find(from start: Int, _ isEnd: (UInt8) -> Bool) -> Int {
      octets[start...].firstIndex(where: isEnd) ?? octets.count
    }
    // Leading spaces are ignored when the reference is resolved.
    var start = find(from: 0) { $0 != 0x20 && $0 != 0x09 }
    let segmentEnd = find(from: start, \.endsAuthorityOfTemplate)
    if let colon = octets[start..<segmentEnd].firstIndex(of: UInt8(ascii: ":")) { start = colon + 1 }
    if octets[start...].starts(with: "//".utf8) {
      start = find(from: start + 2, \.endsAuthorityOfTemplate)
    }
    return start..<find(from: start) { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
  }

  private static func segments(for values: Parameters) throws -> [String: String] {
    var segments: [String: String] = [:]
    for member in values.members {
      let text = try text(of: member)
      guard !text.isEmpty, text != ".", text != ".." else {
        throw refusal("the value of {\(member.key)} is empty or a dot segment, which would change the path")
      }
      guard segments.updateValue(text.percentEncoded(.unreserved), forKey: member.key) == nil else {
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
      throw refusal("the value of {\(member.key)} is not a text, number or boolean", advice: "pass a text")
    }
  }

  // Values are not shown, because they may be secret.
  private static func refusal(_ message: String, advice: String? = nil) -> ExchangeError {
    ExchangeError(.invalidRequest, "invalid path template: \(message)", advice: advice)
  }
}

extension UInt8 {
  fileprivate var isOfTemplateName: Bool {
    isLetterOfURI || isDigitOfURI || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
      || self == UInt8(ascii: ".")
  }

  fileprivate var endsAuthorityOfTemplate: Bool {
    self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
  }
}
