#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Reads a JSON text sequence (RFC 7464): JSON texts, each behind a record separator, decoded as they arrive.
///
/// As sections 2.1, 2.3 and 2.4 of the RFC want it, a malformed text does not end the sequence: it is reported and
/// left out, and so is a number, `true`, `false` or `null` that no white space ends, since it may have been cut
/// off. A well-formed text that does not decode as the type ends the sequence with an error, and so do
/// one beyond a limit and octets in front of the first record separator. ``JSONValue`` as the type keeps order,
/// duplicates and the digits of numbers, and asks no decoder.
public struct JSONSequenceResponseSerializer<Value: Decodable & Sendable>: ResponseSerializer {
  /// What it can read: `application/json-seq` and `application/*+json-seq` (RFC 8091).
  public var accepts: Acceptance
  /// What each text may hold, which is then read strictly before the decoder sees it. If nil, the decoder has the
  /// only word, which reads up to 512 levels.
  public var limits: JSONValue.Limits?

  private let decoder: JSONDecoder?
  private let report: @Sendable (ElementError) throws -> Void

  /// A serializer.
  ///
  /// - Parameters:
  ///   - type: What to decode each text as.
  ///   - accepts: What it can read.
  ///   - limits: What each text may hold.
  ///   - decoder: Decodes the values; nil for that of the request's ``JSONCoders``.
  ///   - report: Told of each text that is malformed or may have been cut off, before the next one is read. What
  ///     it throws ends the sequence: `{ throw $0 }` tolerates none.
  public init(
    _ type: Value.Type = Value.self,
    accepting accepts: Acceptance = .jsonSequence,
    limits: JSONValue.Limits? = nil,
    decoder: JSONDecoder? = nil,
    reportingMalformed report: @escaping @Sendable (ElementError) throws -> Void = { _ in }
  ) {
    self.accepts = accepts
    self.limits = limits
    self.decoder = decoder
    self.report = report
  }

  /// Returns at once; the sequence reads the body.
  public func serialize(_ response: Response) async throws -> JSONElements<Value> {
    JSONElements(
      source: ElementSource(response, stage: name),
      format: .sequence(report: report),
      limit: response.elementLimit,
      textLimits: limits,
      decoder: decoder ?? response.jsonDecoder
    )
  }
}

extension Acceptance {
  /// JSON text sequences under their registered name (RFC 7464), and `application/*+json-seq` (RFC 8091).
  public static let jsonSequence = Acceptance(
    mediaTypes: ["application/json-seq", "application/*+json-seq"].compactMap { MediaRange($0) }
  )
}

extension ResponseSerializer {
  /// Values decoded from a JSON text sequence (RFC 7464), as they arrive; malformed texts are left out.
  public static func jsonSequence<Value>(_ type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> Self
  where Self == JSONSequenceResponseSerializer<Value> {
    JSONSequenceResponseSerializer(type, decoder: decoder)
  }
}
