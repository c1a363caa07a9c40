/// Why bytes are not a JSON text (RFC 8259), and where.
public struct JSONSyntaxError: Error, Sendable, Hashable {
  /// The rule that was broken.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// There is nothing, or nothing but white space.
    case empty
    /// A value had to follow.
    case expectedValue
    /// A string, the key of a member, had to follow.
    case expectedKey
    /// A colon had to follow a key.
    case expectedColon
    /// A comma or `]` had to follow an element.
    case expectedCommaOrBracket
    /// A comma or `}` had to follow a member.
    case expectedCommaOrBrace
    /// A comma before `]` or `}`.
    case trailingComma
    /// A comment.
    case comment
    /// Something other than white space after the value.
    case trailingContent
    /// A word other than `true`, `false` and `null`, such as `NaN`.
    case unknownWord
    /// A number without the digits that the grammar wants.
    case invalidNumber
    /// A number such as `01`.
    case leadingZero
    /// A number of more characters than the limit.
    case numberTooLong(limit: Int)
    /// The input ends within a string.
    case unterminatedString
    /// A character below U+0020 in a string that is not written as an escape.
    case controlCharacter
    /// A backslash that is not followed by one of `"\/bfnrt` or by `u` and four hexadecimal digits.
    case invalidEscape
    /// An escape for one half of a surrogate pair without the other.
    case loneSurrogate
    /// Bytes in a string that are not UTF-8.
    case invalidUTF8
    /// The text is in another encoding than UTF-8, which RFC 8259 section 8.1 requires; the payload names it.
    case unsupportedEncoding(String)
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep(limit: Int)
  }

  /// The rule that was broken.
  public var reason: Reason

  /// The offset of the first offending byte, from 0.
  public var offset: Int

  /// The line of that byte, from 1. Lines end with a line feed.
  public var line: Int

  /// The place in the line, from 1, counted in Unicode scalars.
  public var column: Int

  /// The offending byte, nil where the input ends too early.
  public var found: UInt8?
}

extension JSONSyntaxError {
  init(_ reason: Reason, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    let before = bytes.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    self.reason = reason
    self.offset = offset
    line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    column = before[lineStart...].reduce(1) { UTF8.isContinuation($1) ? $0 : $0 + 1 }
    found = offset < bytes.count ? bytes[offset] : nil
  }
}

extension JSONSyntaxError {
  /// Whether the text exceeds a limit, and may be JSON.
  var isOfLimit: Bool {
    switch reason {
    case .tooDeep, .numberTooLong: true
    default: false
    }
  }
}

extension JSONSyntaxError: CustomStringConvertible {
  /// What is wrong and where, for a person.
  public var description: String {
    "Invalid JSON at line \(line), column \(column) (byte \(offset)): \(reasonText)."
  }

  private var reasonText: String {
    switch reason {
    case .empty: "there is no value"
    case .expectedValue: "expected a value but found \(foundText)"
    case .expectedKey: "expected a key in double quotes but found \(foundText)"
    case .expectedColon: "expected ':' after the key but found \(foundText)"
    case .expectedCommaOrBracket: "expected ',' or ']' but found \(foundText)"
    case .expectedCommaOrBrace: "expected ',' or '}' but found \(foundText)"
    case .trailingComma: "a comma must not stand before \(foundText)"
    case .comment: "comments are not part of JSON"
    case .trailingContent: "found \(foundText) after the end of the value"
    case .unknownWord: "expected a value; the only words are true, false and null"
    case .invalidNumber: "expected a digit but found \(foundText)"
    case .leadingZero: "a number must not begin with a zero that more digits follow"
    case .numberTooLong(let limit): "the number has more than \(limit) characters, which is the limit"
    case .unterminatedString: "the input ends within a string"
    case .controlCharacter: "\(foundText) must be written as an escape in a string"
    case .invalidEscape:
      "a backslash must be followed by one of \"\\/bfnrt or by u and four hexadecimal digits"
    case .loneSurrogate: "the escape is one half of a surrogate pair, the other half is missing"
    case .invalidUTF8: "\(foundText) is not part of valid UTF-8"
    case .unsupportedEncoding(let name): "the text is encoded in \(name), JSON must be UTF-8"
    case .tooDeep(let limit): "arrays and objects are nested deeper than \(limit) levels, which is the limit"
    }
  }

  private var foundText: String {
    guard let found else { return "the end of the input" }
    if (0x21..<0x7F).contains(found) { return "'\(Character(Unicode.Scalar(found)))'" }
    let digits = String(found, radix: 16, uppercase: true)
    return "byte 0x" + (found < 0x10 ? "0" : "") + digits
  }
}
