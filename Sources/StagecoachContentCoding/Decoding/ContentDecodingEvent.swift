public import HTTPTypes
public import StagecoachCore

/// What ``ContentDecoding`` tells monitors.
@nonexhaustive
public enum ContentDecodingEvent: CustomEvent {
  /// The body will be decoded: the codings in the order in which they are undone, and the fields that were
  /// removed because they describe the coded body.
  case started([String], removed: HTTPFields)
  /// The body, or what is left when codings after it were undone, is handed on in this coding, which is
  /// unknown.
  case passedThrough(String)

  /// The codings.
  public var description: String {
    switch self {
    case .started(let codings, _): "decodes \(codings.joined(separator: ", "))"
    case .passedThrough(let coding): "passes the coding \(coding) on"
    }
  }
}
