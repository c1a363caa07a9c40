/// What a response serializer can read: media types and statuses.
public struct Acceptance: Sendable, Hashable {
  /// The media types, most wanted first; empty for any. The narrowest that takes a type decides about it, and
  /// one with the weight 0 excludes it.
  public let mediaTypes: [MediaRange]

  /// Whether content without a Content-Type is acceptable.
  public let acceptsUndeclared: Bool

  /// The status codes; 200 up to 299 by default.
  public let statuses: [Range<Int>]

  /// How content may start; only a compound serializer that is allowed to sniff looks at it.
  public let signatures: [ContentSignature]

  /// The value of the Accept field that asks for these media types (RFC 9110 12.5.1).
  ///
  /// A suffix range is left out where others remain: RFC 9110 has no such range, and a server that takes its
  /// Accept literally may answer 406 to it. Where none remain, `*/*+xml` asks for `application/*+xml`. `*/*` without
  /// a weight gets a tenth of the lowest weight of the others, since it would say that anything is as welcome as they
  /// are.
  public let acceptField: String

  /// What Accept lists, but for the weight of `*/*`.
  private let asked: [MediaRange]

  /// An acceptance.
  ///
  /// - Parameters:
  ///   - mediaTypes: The media types, most wanted first; empty for any.
  ///   - acceptsUndeclared: Whether content without a Content-Type is acceptable; by default only
  ///     where any type is.
  ///   - statuses: The status codes.
  ///   - signatures: How content may start.
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
    // Made once, since every request of a serializer sends it.
    acceptField = Accept(Self.yieldingAny(asked)).description
  }

  /// Anything with a status from 200 up to 299.
  public static let any = Acceptance()

  /// Whether a declared media type is acceptable; nil stands for none declared.
  public func accepts(_ type: MediaType?) -> Bool {
    guard let type else { return acceptsUndeclared }
    return range(for: type) != nil
  }

  /// Whether a status code is acceptable.
  public func accepts(status code: Int) -> Bool {
    statuses.contains { $0.contains(code) }
  }

  /// The range that accepts a media type; nil if none does.
  func range(for type: MediaType) -> MediaRange? {
    if mediaTypes.isEmpty { return .any }
    return mediaTypes.narrowest(for: type).flatMap { $0.weight > 0 ? $0 : nil }
  }

  /// The same with every weight multiplied by one of 0.001...1; what was not excluded never is.
  func weighted(_ quality: Double) -> Acceptance {
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

  /// What any of several accepts, and content that declares no type.
  ///
  /// - Parameter sniffing: Whether content that is declared as octets of any kind is acceptable too, unasked.
  static func union(of all: [Acceptance], sniffing: Bool) -> Acceptance {
    var mediaTypes: [MediaRange] = []
    if !all.contains(where: \.mediaTypes.isEmpty) {
      mediaTypes = merged(all.flatMap(\.mediaTypes))
      // Nobody asked for it, but it may come.
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

  /// Each range once, where it came first, with its highest weight. What one excludes another may read, so
  /// exclusions are left out.
  private static func merged(_ ranges: [MediaRange]) -> [MediaRange] {
    var merged: [MediaRange] = []
    for range in ranges where range.weight > 0 {
      let bare = range.weighted(thousandths: nil)
      guard let index = merged.firstIndex(where: { $0.weighted(thousandths: nil) == bare }) else {
        merged.append(range)
        continue
      }
      // A weight that was given to everything says more than none.
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
  static let expectedContent = RequestOption<Acceptance?>("expectedContent", default: nil)

  /// What the caller can read: the declaration of the response serializer, unless the request overrides
  /// it; nil checks the status alone.
  public var expectedContent: Acceptance? {
    get { self[Self.expectedContent] }
    set { self[Self.expectedContent] = newValue }
  }
}
