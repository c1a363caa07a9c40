import StagecoachFormats

/// The reason why a scenario, or a file that it comes from or goes to, cannot be read or written.
public struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of errors.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// A file or folder is missing or cannot be read or written.
    case file
    /// The file is not JSON.
    case syntax
    /// The file has another format or version.
    case format
    /// The file says something that cannot be.
    case invalid
    /// A path leads out of the folder of the scenario, or is a link.
    case unsafePath
    /// A file or a part of it is larger than the limit.
    case limit
    /// A Pact file holds an interaction of the same description and states with other content, or is for another
    /// consumer or provider.
    case conflict
    /// The version of Pact cannot hold the interactions.
    case version
    /// Not all exchanges of a consumer's contract were used, or requests came that none answers.
    case incomplete
    /// The scenario holds something that a Pact file cannot hold.
    case loss
  }

  /// The kind of error.
  public var kind: Kind
  /// The file.
  public var file: String
  /// The line in it, starting at 1, if there is one.
  public var line: Int?
  /// The defect.
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
    Format.lines("\(Format.oneLine(file)):\(line.map { "\($0):" } ?? "") \(message)")
  }
}
