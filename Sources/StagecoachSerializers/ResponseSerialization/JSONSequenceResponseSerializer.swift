public import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A serializer for a JSON text sequence: JSON texts, each after a record separator, decoded as they arrive (RFC
/// 7464).
///
/// A malformed text does not end the sequence: it is reported and skipped, and so is a number, `true`, `false` or
/// `null` without trailing white space, because it may be truncated (RFC 7464 2.1, 2.3, 2.4). A well-formed text that
/// cannot be decoded as the type ends the sequence with an error, and so do a text beyond a limit and octets before
/// the first record separator. With ``JSONValue`` as the type, order, duplicates and the digits of numbers are kept,
/// and no decoder is used.
public struct JSONSequenceResponseSerializer<Value: Decodable & Sendable>: ResponseSerializer {
  /// The accepted content: `application/json-seq` and `application/*+json-seq` (RFC 8091).
  public var accepts: Acceptance
  /// The limits for each text, which is then parsed strictly before it is decoded. If `nil`, only the decoder parses
  /// it, with at most 512 levels.
  public var limits: JSONValue.Limits?

  private let decoder: JSONDecoder?
  private let report: @Sendable (ElementError) throws -> Void

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - type: The type of each text.
  ///   - accepts: The accepted content.
  ///   - limits: The limits for each text.
  ///   - decoder: The decoder; `nil` for the decoder of the request's ``JSONCoders``.
  ///   - report: Called for each text that is malformed or may be truncated, before the next one is read. If it
  ///     throws, the sequence ends: `{ throw $0 }` tolerates no such text.
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

  /// Returns immediately; the sequence reads the body.
  public func serialize(_ response: Response) async throws -> BodyElements<Value> {
    BodyElements(response, stage: name, format: .sequence(report: report), limits: limits, decoder: decoder)
  }
}

extension Acceptance {
  /// JSON text sequences under their registered name (RFC 7464), and `application/*+json-seq` (RFC 8091).
  public static let jsonSequence = Acceptance(
    mediaTypes: ["application/json-seq", "application/*+json-seq"].compactMap { MediaRange($0) }
  )
}

extension ResponseSerializer {
  /// A serializer that decodes values from a JSON text sequence, as they arrive; malformed texts are skipped (RFC
  /// 7464).
  public static func jsonSequence<Value>(_ type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> Self
  where Self == JSONSequenceResponseSerializer<Value> {
    JSONSequenceResponseSerializer(type, decoder: decoder)
  }
}
