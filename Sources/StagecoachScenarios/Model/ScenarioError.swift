/// The reason why a scenario cannot be read or written.
public struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of errors.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// A file or folder is missing or cannot be read or written.
    case file
    /// The manifest is not JSON.
    case syntax
    /// The manifest has another format or version.
    case format
    /// The manifest says something that cannot be.
    case invalid
    /// A path leads out of the folder of the scenario, or is a link.
    case unsafePath
    /// A file is larger than the limit.
    case limit
  }

  /// The kind of error.
  public var kind: Kind
  /// The file.
  public var file: String
  /// The line in it, starting at 1, if there is one.
  public var line: Int?
  /// What is wrong.
  public var message: String

  /// Creates an error.
  public init(_ kind: Kind, file: String, line: Int? = nil, _ message: String) {
    self.kind = kind
    self.file = file
    self.line = line
    self.message = message
  }

  /// The file, the line and what is wrong, in the form that compilers use.
  public var description: String {
    line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
  }
}
