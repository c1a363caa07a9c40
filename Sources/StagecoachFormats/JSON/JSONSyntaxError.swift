/// An error of a JSON text, with its position (RFC 8259).
public struct JSONSyntaxError: Error, Sendable, Hashable {
  /// The reason of the error.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// The text is empty or contains only white space.
    case empty
    /// A value is expected.
    case expectedValue
    /// A string is expected as the key of a member.
    case expectedKey
    /// A colon is expected after a key.
    case expectedColon
    /// A comma or `]` is expected after an element.
    case expectedCommaOrBracket
    /// A comma or `}` is expected after a member.
    case expectedCommaOrBrace
    /// There is a comma before `]` or `}`.
    case trailingComma
    /// There is a comment, which JSON does not allow.
    case comment
    /// The value is followed by something other than white space.
    case trailingContent
    /// There is a word other than `true`, `false` and `null`, such as `NaN`.
    case unknownWord
    /// A number lacks digits that the grammar requires.
    case invalidNumber
    /// A number has a leading zero, such as `01`.
    case leadingZero
    /// A number is longer than the limit, in characters.
    case numberTooLong(limit: Int)
    /// The input ends within a string.
    case unterminatedString
    /// A string contains an unescaped character below U+0020.
    case controlCharacter
    /// A backslash is not followed by one of `"\/bfnrt` or by `u` and four hexadecimal digits.
    case invalidEscape
    /// An escape represents one half of a surrogate pair without the other.
    case loneSurrogate
    /// A string contains bytes that are not UTF-8.
    case invalidUTF8
    /// The text is not in UTF-8 but in the named encoding (RFC 8259 8.1).
    case unsupportedEncoding(String)
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep(limit: Int)
  }

  /// The reason of the error.
  public var reason: Reason

  /// The offset of the offending byte, from 0.
  public var offset: Int

  /// The line of the offending byte, from 1. Lines end with a line feed.
  public var line: Int

  /// The column of the offending byte, from 1, counted in Unicode scalars.
  public var column: Int

  /// The offending byte; `nil` if the input ends too early.
  public var found: UInt8?
}

extension JSONSyntaxError {
  package init(_ reason: Reason, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
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
  /// Whether the error is that a limit is exceeded, so that the text may be valid JSON.
  package var isOfLimit: Bool {
    switch reason {
    case .tooDeep, .numberTooLong: true
    default: false
    }
  }
}

extension JSONSyntaxError: CustomStringConvertible {
  /// A description with the position.
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
    case .trailingComma: "a comma is not allowed before \(foundText)"
    case .comment: "comments are not part of JSON"
    case .trailingContent: "found \(foundText) after the end of the value"
    case .unknownWord: "expected a value; the only words are true, false and null"
    case .invalidNumber: "expected a digit but found \(foundText)"
    case .leadingZero: "a number must not have leading zeros"
    case .numberTooLong(let limit): "the number is longer than \(limit) characters"
    case .unterminatedString: "the input ends within a string"
    case .controlCharacter: "\(foundText) must be escaped in a string"
    case .invalidEscape:
      "a backslash must be followed by one of \"\\/bfnrt or by u and four hexadecimal digits"
    case .loneSurrogate: "the escape is half of a surrogate pair and the other half is missing"
    case .invalidUTF8: "\(foundText) is not part of valid UTF-8"
    case .unsupportedEncoding(let name): "the text is encoded in \(name), but JSON must be UTF-8"
    case .tooDeep(let limit): "arrays and objects are nested deeper than \(limit) levels"
    }
  }

  private var foundText: String {
    guard let found else { return "the end of the input" }
    if (0x21..<0x7F).contains(found) { return "'\(Character(Unicode.Scalar(found)))'" }
    let digits = String(found, radix: 16, uppercase: true)
    return "byte 0x" + (found < 0x10 ? "0" : "") + digits
  }
}
