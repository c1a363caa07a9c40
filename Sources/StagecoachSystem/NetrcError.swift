import StagecoachCore

/// An error in a `.netrc` file, with its position. Contains no text of the file, which contains passwords.
public struct NetrcError: Error, Sendable, Hashable {
  /// The reason of the error.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// The file is longer than the limit, in octets.
    case tooLong(limit: Int)
    /// A word is longer than the limit, in octets.
    case wordTooLong(limit: Int)
    /// The octets are not UTF-8.
    case notUTF8
    /// A quoted word has no closing quote on its line.
    case unterminatedQuote
    /// The file ends after a keyword that requires a value.
    case missingValue(keyword: String)
    /// A keyword precedes the first `machine` or `default`.
    case outsideOfMachine(keyword: String)
    /// A word is not a keyword; a value with whitespace must be quoted.
    case unknownWord
  }

  /// The reason of the error.
  public var reason: Reason

  /// The line number, from 1. Lines end with a line feed.
  public var line: Int

  init(_ reason: Reason, line: Int) {
    self.reason = reason
    self.line = line
  }
}

extension NetrcError: CustomStringConvertible {
  /// A description with the line number.
  public var description: String { "Invalid .netrc at line \(line): \(reasonText)." }

  private var reasonText: String {
    switch reason {
    case .tooLong(let limit): "the file is longer than \(limit) bytes"
    case .wordTooLong(let limit): "a word is longer than \(limit) bytes"
    case .notUTF8: "the text is not UTF-8"
    case .unterminatedQuote: "a quote has no closing quote on its line"
    case .missingValue(let keyword): "\(keyword) requires a value"
    case .outsideOfMachine(let keyword): "\(keyword) must follow a machine or default"
    case .unknownWord:
      "expected machine, default, login, password, account or macdef; a value with spaces needs double quotes"
    }
  }
}
