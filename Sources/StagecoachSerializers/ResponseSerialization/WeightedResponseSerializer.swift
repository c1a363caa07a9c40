public import StagecoachCore

/// A serializer with lower weights for its media types; see ``ResponseSerializer/weighted(_:)``.
public struct WeightedResponseSerializer<Base: ResponseSerializer>: ResponseSerializer {
  let base: Base
  let quality: Double

  /// The acceptance of the underlying serializer, with lower weights.
  public let accepts: Acceptance

  init(base: Base, quality: Double) {
    self.base = base
    self.quality = quality
    accepts = base.accepts.weighted(quality)
  }

  /// The name of the underlying serializer.
  public var name: String { base.name }

  /// Decodes the response with the underlying serializer.
  public func serialize(_ response: Response) async throws -> Base.Output {
    try await base.serialize(response)
  }
}

extension ResponseSerializer {
  /// Returns the serializer with a weight for its media types in Accept (RFC 9110 12.4.2).
  ///
  /// The weight tells the server the preference for the types; it does not affect which member of a compound
  /// serializer reads the response.
  ///
  /// ```swift
  /// enum Answer { case user(User), note(String) }
  /// let serializer = CompoundResponseSerializer<Answer> {
  ///   JSONResponseSerializer(User.self).map(Answer.user)
  ///   TextResponseSerializer(accepting: .init(mediaTypes: [.plainText])).map(Answer.note).weighted(0.2)
  /// }
  /// print(serializer.accepts.acceptField)  // application/json, text/json, text/javascript, text/plain;q=0.2
  /// ```
  ///
  /// - Parameter quality: The weight, by which the weights of the media types are multiplied. It is limited to
  ///   0.001...1 and rounded to three decimals.
  public func weighted(_ quality: Double) -> WeightedResponseSerializer<Self> {
    WeightedResponseSerializer(base: self, quality: quality)
  }
}
