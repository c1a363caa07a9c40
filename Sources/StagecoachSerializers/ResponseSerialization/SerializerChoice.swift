public import StagecoachCore

/// The choice of a compound serializer, reported as an event: the chosen member and the reason.
public struct SerializerChoice: StageEvent {
  /// The reason of a choice.
  @nonexhaustive
  public enum Reason: Sendable, Hashable, CustomStringConvertible {
    /// The member names the declared media type.
    case exact(MediaRange)
    /// The member accepts all types with the suffix of the declared one.
    case suffix(MediaRange)
    /// The member accepts all types, or all subtypes of a type.
    case wildcard(MediaRange)
    /// No type is declared, or only generic octets, and the content starts with the signature.
    case sniffed(ContentSignature)
    /// No type is declared, and the member was the first to succeed.
    case order
    /// No type is declared, and there is no other member.
    case onlyCandidate
    /// A reason of a serializer outside of this library.
    case other(String)

    init(_ range: MediaRange) {
      self = range.isExact ? .exact(range) : range.isSuffix ? .suffix(range) : .wildcard(range)
    }

    /// A description of the reason.
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

  /// The name of the chosen member.
  public let serializer: String
  /// The media type that the response declares, if any.
  public let mediaType: MediaType?
  /// The reason of the choice.
  public let reason: Reason
  /// The names of all candidates, in the order in which they are tried.
  public let candidates: [String]
  /// The candidates that were tried before, with their reasons.
  public let refusals: [CompoundRefusal.Refusal]

  /// Creates a choice; by default the chosen member is the only candidate.
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

  /// A description on one line.
  public var description: String {
    var text =
      "\(serializer) for \(mediaType.map { "\($0)" } ?? "content without a declared type"): \(reason)"
    if candidates.count > 1 { text += ", of \(candidates.joined(separator: ", "))" }
    if !refusals.isEmpty { text += "; refused by \(refusals.map(\.description).joined(separator: "; "))" }
    return text
  }
}
