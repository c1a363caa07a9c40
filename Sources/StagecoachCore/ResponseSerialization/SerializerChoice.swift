/// Which serializer reads a response, and why: what a compound serializer tells in an ``Event`` of the kind
/// `serializerChosen`.
public struct SerializerChoice: Sendable, CustomStringConvertible {
  /// Why a serializer reads a response.
  @nonexhaustive
  public enum Reason: Sendable, Hashable, CustomStringConvertible {
    /// It names the declared media type.
    case exact(MediaRange)
    /// It reads all types with the suffix of the declared one.
    case suffix(MediaRange)
    /// It reads all types, or all of a type.
    case wildcard(MediaRange)
    /// No type is declared, or just octets, and the content starts so.
    case sniffed(ContentSignature)
    /// No type is declared, and of those that were tried in order it was the first to succeed.
    case order
    /// No type is declared, and there is no other.
    case onlyCandidate
    /// A reason of a serializer outside this library.
    case other(String)

    init(_ range: MediaRange) {
      self = range.isExact ? .exact(range) : range.isSuffix ? .suffix(range) : .wildcard(range)
    }

    /// The reason in words.
    public var description: String {
      switch self {
      case .exact(let range): "it names \(Self.bare(range))"
      case .suffix(let range): "by its suffix, as \(Self.bare(range))"
      case .wildcard(let range): "by the wildcard \(Self.bare(range))"
      case .sniffed(let signature): "sniffed: it starts with \(signature)"
      case .order: "the first to succeed"
      case .onlyCandidate: "the only candidate"
      case .other(let reason): reason
      }
    }

    /// The weight was for the server.
    private static func bare(_ range: MediaRange) -> MediaRange { range.weighted(thousandths: nil) }
  }

  /// The name of the serializer.
  public let serializer: String
  /// The media type that the response declares, if any.
  public let mediaType: MediaType?
  /// Why this one.
  public let reason: Reason
  /// The names of all that were candidates, in the order in which they are tried.
  public let candidates: [String]
  /// The candidates that were tried before, and why they refused.
  public let refusals: [CompoundRefusal.Refusal]

  /// A choice; of one candidate, unless there were more.
  public init(
    _ serializer: String,
    mediaType: MediaType?,
    reason: Reason,
    candidates: [String]? = nil,
    refusals: [CompoundRefusal.Refusal] = []
  ) {
    self.serializer = serializer
    self.mediaType = mediaType
    self.reason = reason
    self.candidates = candidates ?? [serializer]
    self.refusals = refusals
  }

  /// The choice in one line.
  public var description: String {
    var text = "\(serializer) for \(mediaType.map { "\($0)" } ?? "content of no declared type"): \(reason)"
    if candidates.count > 1 { text += ", of \(candidates.joined(separator: ", "))" }
    if !refusals.isEmpty { text += "; refused by \(refusals.map(\.description).joined(separator: "; "))" }
    return text
  }
}
