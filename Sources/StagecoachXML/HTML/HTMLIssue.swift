extension XML.HTMLParser {
  /// An error of an HTML document that was repaired.
  public struct Issue: Sendable, Hashable, CustomStringConvertible {
    /// A description of the error.
    public let message: String

    /// The line, from 1; 0 if unknown.
    public let line: Int

    /// The column in bytes of UTF-8, from 1; 0 if unknown. It may be slightly wrong if markup before it on the same
    /// line was repaired.
    public let column: Int

    /// A description with the position.
    public var description: String { line > 0 ? "line \(line), column \(column): \(message)" : message }
  }

  /// The maximum number of issues that are kept: 100.
  public static let issueLimit = 100
}
