/// What a response serializer can read: media types and statuses.
public struct Acceptance: Sendable, Hashable {
  /// The media types, most wanted first; empty for any.
  public let mediaTypes: [MediaRange]

  /// Whether content without a Content-Type is acceptable.
  public let acceptsUndeclared: Bool

  /// The status codes; 200 up to 299 by default.
  public let statuses: [Range<Int>]

  /// The value of the Accept field that asks for these media types (RFC 9110 12.5.1).
  public let acceptField: String

  /// An acceptance.
  ///
  /// - Parameters:
  ///   - mediaTypes: The media types, most wanted first; empty for any.
  ///   - acceptsUndeclared: Whether content without a Content-Type is acceptable; by default only
  ///     where any type is.
  ///   - statuses: The status codes.
  public init(
    mediaTypes: [MediaRange] = [],
    acceptsUndeclared: Bool? = nil,
    statuses: [Range<Int>] = [200..<300]
  ) {
    self.mediaTypes = mediaTypes
    self.acceptsUndeclared = acceptsUndeclared ?? (mediaTypes.isEmpty || mediaTypes.contains(.any))
    self.statuses = statuses
    // Made once, since every request of a serializer sends it.
    acceptField = mediaTypes.isEmpty ? "*/*" : MediaRange.acceptField(mediaTypes)
  }

  /// Anything with a status from 200 up to 299.
  public static let any = Acceptance()

  /// Whether a declared media type is acceptable; nil stands for none declared.
  public func accepts(_ type: MediaType?) -> Bool {
    guard let type else { return acceptsUndeclared }
    return mediaTypes.isEmpty || mediaTypes.contains { $0.matches(type) }
  }

  /// Whether a status code is acceptable.
  public func accepts(status code: Int) -> Bool {
    statuses.contains { $0.contains(code) }
  }

  /// How well a media type fits: the best specificity of the ranges that match it, nil if none does.
  func specificity(of type: MediaType) -> MediaRange.Specificity? {
    if mediaTypes.isEmpty { return MediaRange.any.specificity }
    return mediaTypes.lazy.filter { $0.matches(type) }.map(\.specificity).max()
  }
}

/// What the caller can read: the declaration of the response serializer, unless the request overrides
/// it; nil checks the status alone.
public enum ExpectedContent: RequestOptionKey {
  /// Nothing is known of what the caller expects.
  public static let defaultValue: Acceptance? = nil
  /// `expectedContent`
  public static let name = "expectedContent"
}

extension RequestOptions {
  /// See ``ExpectedContent``.
  public var expectedContent: Acceptance? {
    get { self[ExpectedContent.self] }
    set { self[ExpectedContent.self] = newValue }
  }
}
