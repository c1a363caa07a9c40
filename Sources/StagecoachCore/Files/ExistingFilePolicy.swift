/// What happens to a file that already has the name of a new one.
@nonexhaustive
public enum ExistingFilePolicy: String, Sendable, Hashable, Codable {
  /// The file is kept, and the new one is an error.
  case fail
  /// The file is replaced, at once and only by a complete one.
  case overwrite
  /// The file is kept, and the new one gets a number: `film (1).mp4`.
  case unique
}
