/// Why a text is no `.netrc` file, and where. It quotes nothing of the file, which holds passwords.
public struct NetrcError: Error, Sendable, Hashable {
  /// The rule that was broken.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// The file has more octets than the limit.
    case tooLong(limit: Int)
    /// A word has more octets than the limit.
    case wordTooLong(limit: Int)
    /// The octets are not UTF-8.
    case notUTF8
    /// A word in quotes has no closing quote on its line.
    case unterminatedQuote
    /// The file ends behind a keyword that needs a value.
    case missingValue(keyword: String)
    /// A keyword stands before the first `machine` or `default`.
    case outsideOfMachine(keyword: String)
    /// A word is no keyword; a value with blanks needs quotes.
    case unknownWord
  }

  /// The rule that was broken.
  public var reason: Reason

  /// The line, from 1. Lines end with a line feed.
  public var line: Int

  init(_ reason: Reason, line: Int) {
    self.reason = reason
    self.line = line
  }
}

extension NetrcError: CustomStringConvertible {
  /// What is wrong and where, for a person.
  public var description: String { "Invalid .netrc at line \(line): \(reasonText)." }

  private var reasonText: String {
    switch reason {
    case .tooLong(let limit): "the file has more than \(limit) bytes, which is the limit"
    case .wordTooLong(let limit): "a word has more than \(limit) bytes, which is the limit"
    case .notUTF8: "the text is not UTF-8"
    case .unterminatedQuote: "a quote is not closed on its line"
    case .missingValue(let keyword): "\(keyword) needs a value"
    case .outsideOfMachine(let keyword): "\(keyword) must stand behind a machine or default"
    case .unknownWord:
      "expected machine, default, login, password, account or macdef; a value with blanks needs double quotes"
    }
  }
}
