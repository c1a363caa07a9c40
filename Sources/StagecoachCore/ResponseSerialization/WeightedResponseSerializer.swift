/// A serializer whose media types are wanted less than others; see ``ResponseSerializer/weighted(_:)``.
public struct WeightedResponseSerializer<Base: ResponseSerializer>: ResponseSerializer {
  let base: Base
  let quality: Double

  /// What the serializer underneath accepts, with lower weights.
  public let accepts: Acceptance

  init(base: Base, quality: Double) {
    self.base = base
    self.quality = quality
    accepts = base.accepts.weighted(quality)
  }

  /// The name of the serializer underneath.
  public var name: String { base.name }

  /// Makes the value underneath.
  public func serialize(_ response: Response) async throws -> Base.Output {
    try await base.serialize(response)
  }
}

extension ResponseSerializer {
  /// The same serializer with a weight for its media types in Accept (RFC 9110 12.4.2).
  ///
  /// The server is told how much the types are wanted; which member of a compound serializer reads what it
  /// sent does not depend on weights.
  ///
  /// ```swift
  /// CompoundResponseSerializer<Answer> {
  ///   JSONResponseSerializer(User.self).map(Answer.user)
  ///   TextResponseSerializer(accepting: .init(mediaTypes: [.plainText])).map(Answer.note).weighted(0.2)
  /// }.accepts.acceptField  // application/json, text/json, text/javascript, text/plain;q=0.2
  /// ```
  ///
  /// - Parameter quality: The weight, which multiplies those that the media types have; one outside of
  ///   0.001...1 is moved to the nearer end, and three decimals count.
  public func weighted(_ quality: Double) -> WeightedResponseSerializer<Self> {
    WeightedResponseSerializer(base: self, quality: quality)
  }
}
