import StagecoachCore

/// An error of a store. It never reaches a caller: the response is passed on without being kept.
@nonexhaustive
public enum CacheStoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The response is larger than the store takes, in bytes.
  case tooLarge(limit: Int64)
  /// Bodies being written and read fill the whole store.
  case full
  /// A position outside of the content was read.
  case outOfBounds
  /// The stored bytes are not those that were written.
  case damaged(String)
  /// The store cannot be reached or used.
  case unavailable(String)

  /// The reason on one line.
  public var description: String {
    switch self {
    case .tooLarge(let limit):
      "the response is larger than the \(limit) bytes that the store takes of one"
    case .full: "the store has no room now"
    case .outOfBounds: "a position outside of the stored content was read"
    case .damaged(let what): "the stored bytes are damaged: \(what)"
    case .unavailable(let why): "the store cannot be used: \(why)"
    }
  }
}
