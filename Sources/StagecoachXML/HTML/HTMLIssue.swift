extension XML.HTMLParser {
  /// Something wrong with a document that was mended.
  public struct Issue: Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, for people.
    public let message: String

    /// The line where it was noticed, from 1; 0 if unknown.
    public let line: Int

    /// The column in that line in bytes of UTF-8, from 1, or 0. It may be a little off where markup before
    /// it in the same line was mended.
    public let column: Int

    /// The place and the message.
    public var description: String { line > 0 ? "line \(line), column \(column): \(message)" : message }
  }

  /// The most issues that are kept: 100.
  public static let issueLimit = 100
}
