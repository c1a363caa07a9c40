public import HTTPTypes
public import StagecoachCore

/// An event of ``ContentDecoding``.
@nonexhaustive
public enum ContentDecodingEvent: StageEvent {
  /// The body will be decoded: the codings in the order of decoding, and the fields that were removed because they
  /// describe the encoded body.
  case started([String], removed: HTTPFields)
  /// The body, or the remainder after decoding other codings, is passed on in this unknown coding.
  case passedThrough(String)
  /// The body goes on after the end of the data in this coding; the rest is ignored.
  case ignoredTrailingData(String)

  /// A description on one line.
  public var description: String {
    switch self {
    case .started(let codings, _): "decoding \(codings.joined(separator: ", "))"
    case .passedThrough(let coding): "passing on the unknown coding \(coding)"
    case .ignoredTrailingData(let coding): "ignoring bytes after the end of the \(coding) data"
    }
  }
}
