/// The media types and statuses that a response serializer can read.
public struct Acceptance: Sendable, Hashable {
  /// The media types in order of preference; empty for any type. The most specific matching range decides, and one
  /// with a weight of 0 excludes the type.
  public let mediaTypes: [MediaRange]

  /// Whether content without a Content-Type is accepted.
  public let acceptsUndeclared: Bool

  /// The accepted status codes; 200 to 299 by default.
  public let statuses: [Range<Int>]

  /// The content signatures; only used by a compound serializer that is allowed to sniff.
  public let signatures: [ContentSignature]

  /// The value of the Accept field for these media types (RFC 9110 12.5.1).
  ///
  /// A suffix range is omitted if there are other ranges: RFC 9110 has no such range, and a server that takes Accept
  /// literally may answer 406. If there are no others, `*/*+xml` is sent as `application/*+xml`. `*/*` without a
  /// weight gets a tenth of the lowest weight of the others, because it would otherwise be preferred equally.
  public let acceptField: String

  /// The ranges of Accept, without the adjusted weight of `*/*`.
  private let asked: [MediaRange]

  /// Creates an acceptance of media types, in order of preference, with the default statuses.
  public init(_ type: MediaType, _ others: MediaType...) {
    self.init(mediaTypes: ([type] + others).map { MediaRange($0) })
  }

  /// Creates an acceptance.
  ///
  /// - Parameters:
  ///   - mediaTypes: The media types in order of preference; empty for any type.
  ///   - acceptsUndeclared: Whether content without a Content-Type is accepted; by default only if any type is
  ///     accepted.
  ///   - statuses: The accepted status codes.
  ///   - signatures: The content signatures.
  public init(
    mediaTypes: [MediaRange] = [],
    acceptsUndeclared: Bool? = nil,
    statuses: [Range<Int>] = [200..<300],
    signatures: [ContentSignature] = []
  ) {
    let takesAny = mediaTypes.isEmpty || mediaTypes.contains { $0.isAny && $0.weight > 0 }
    let standard = mediaTypes.filter { !$0.isSuffix }
    self.init(
      mediaTypes: mediaTypes,
      acceptsUndeclared: acceptsUndeclared ?? takesAny,
      statuses: statuses,
      signatures: signatures,
      asked: mediaTypes.isEmpty ? [.any] : standard.isEmpty ? mediaTypes.map(\.asked) : standard
    )
  }

  private init(
    mediaTypes: [MediaRange],
    acceptsUndeclared: Bool,
    statuses: [Range<Int>],
    signatures: [ContentSignature],
    asked: [MediaRange]
  ) {
    self.mediaTypes = mediaTypes
    self.acceptsUndeclared = acceptsUndeclared
    self.statuses = statuses
    self.signatures = signatures
    self.asked = asked
    // Computed once, because every request of a serializer sends it.
    acceptField = Accept(Self.yieldingAny(asked)).description
  }

  /// Any content with a status from 200 to 299.
  public static let any = Acceptance()

  /// Returns whether a media type is accepted; `nil` means that none is declared.
  public func accepts(_ type: MediaType?) -> Bool {
    guard let type else { return acceptsUndeclared }
    return range(for: type) != nil
  }

  /// Returns whether a status code is accepted.
  public func accepts(status code: Int) -> Bool {
    statuses.contains { $0.contains(code) }
  }

  /// Returns the range that accepts a media type; `nil` if there is none.
  package func range(for type: MediaType) -> MediaRange? {
    if mediaTypes.isEmpty { return .any }
    return mediaTypes.narrowest(for: type).flatMap { $0.weight > 0 ? $0 : nil }
  }

  /// Returns the acceptance with every weight multiplied by a factor of 0.001...1; no range becomes excluded.
  package func weighted(_ quality: Double) -> Acceptance {
    let factor = quality.isNaN ? 1000 : Int((min(max(quality, 0.001), 1) * 1000).rounded())
    func scaled(_ ranges: [MediaRange]) -> [MediaRange] {
      ranges.map { range in
        let weight = (Int(range.weight) * factor + 500) / 1000
        return range.weighted(thousandths: range.weight == 0 ? 0 : UInt16(max(weight, 1)))
      }
    }
    return Acceptance(
      mediaTypes: scaled(mediaTypes.isEmpty ? [.any] : mediaTypes),
      acceptsUndeclared: acceptsUndeclared,
      statuses: statuses,
      signatures: signatures,
      asked: scaled(Self.yieldingAny(asked))
    )
  }

  private static func yieldingAny(_ ranges: [MediaRange]) -> [MediaRange] {
    let lowest = ranges.lazy.filter { !$0.isAny && $0.weight > 0 }.map(\.weight).min()
    guard let lowest else { return ranges }
    return ranges.map { $0.isAny && !$0.hasWeight ? $0.weighted(thousandths: max(lowest / 10, 1)) : $0 }
  }

  /// Returns the union of several acceptances, which also accepts content without a declared type.
  ///
  /// - Parameter sniffing: Whether to accept content declared as generic octets too, without listing it in Accept.
  package static func union(of all: [Acceptance], sniffing: Bool) -> Acceptance {
    var mediaTypes: [MediaRange] = []
    if !all.contains(where: \.mediaTypes.isEmpty) {
      mediaTypes = merged(all.flatMap(\.mediaTypes))
      // It is not requested, but may be sent.
      if sniffing, !mediaTypes.isEmpty { mediaTypes.append(MediaRange(.octetStream)) }
    }
    let asked = merged(all.flatMap(\.asked))
    return Acceptance(
      mediaTypes: mediaTypes,
      acceptsUndeclared: true,
      statuses: unique(all.flatMap(\.statuses)),
      signatures: unique(all.flatMap(\.signatures)),
      asked: asked.isEmpty ? [.any] : asked
    )
  }

  /// Returns each range once, at its first position and with its highest weight. Exclusions are omitted, because
  /// another serializer may accept the type.
  private static func merged(_ ranges: [MediaRange]) -> [MediaRange] {
    var merged: [MediaRange] = []
    for range in ranges where range.weight > 0 {
      let bare = range.weighted(thousandths: nil)
      guard let index = merged.firstIndex(where: { $0.weighted(thousandths: nil) == bare }) else {
        merged.append(range)
        continue
      }
      // An explicit weight for any type takes precedence over none.
      if bare.isAny, range.hasWeight != merged[index].hasWeight {
        merged[index] = range.hasWeight ? range : merged[index]
      } else if range.weight > merged[index].weight {
        merged[index] = range
      }
    }
    return merged
  }

  private static func unique<Element: Equatable>(_ elements: [Element]) -> [Element] {
    elements.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension RequestOptions {
  static let expectedContent = RequestOption<Acceptance?>(
    "expectedContent",
    default: nil,
    distinguishes: false
  )

  /// The expected content of the response: the declaration of the response serializer, unless the request overrides
  /// it; `nil` checks only the status.
  public var expectedContent: Acceptance? {
    get { self[Self.expectedContent] }
    set { self[Self.expectedContent] = newValue }
  }
}
