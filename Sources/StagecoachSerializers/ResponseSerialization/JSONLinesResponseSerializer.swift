public import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A serializer for newline-delimited JSON: one JSON text on each line, decoded as it arrives.
///
/// Lines end with LF or CR LF, the last one also with the body. Blank lines are skipped, and a UTF-8 byte order mark
/// at the start is removed. The first refused line ends the sequence with an error. With ``JSONValue`` as the type,
/// order, duplicates and the digits of numbers are kept, and no decoder is used.
public struct JSONLinesResponseSerializer<Value: Decodable & Sendable>: ResponseSerializer {
  /// The accepted content: newline-delimited JSON under its common names.
  public var accepts: Acceptance
  /// The limits for each text, which is then parsed strictly before it is decoded. If `nil`, only the decoder parses
  /// it, with at most 512 levels.
  public var limits: JSONValue.Limits?

  private let decoder: JSONDecoder?

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - type: The type of each line.
  ///   - accepts: The accepted content.
  ///   - limits: The limits for each text.
  ///   - decoder: The decoder; `nil` for the decoder of the request's ``JSONCoders``.
  public init(
    _ type: Value.Type = Value.self,
    accepting accepts: Acceptance = .jsonLines,
    limits: JSONValue.Limits? = nil,
    decoder: JSONDecoder? = nil
  ) {
    self.accepts = accepts
    self.limits = limits
    self.decoder = decoder
  }

  /// Returns immediately; the sequence reads the body.
  public func serialize(_ response: Response) async throws -> BodyElements<Value> {
    BodyElements(response, stage: name, format: .lines, limits: limits, decoder: decoder)
  }
}

extension Acceptance {
  /// Newline-delimited JSON, which has no registered media type, under its common names.
  public static let jsonLines = Acceptance(
    mediaTypes: ["x-ndjson", "ndjson", "jsonl", "x-jsonlines", "jsonlines", "x-jsonl"].map {
      MediaRange(MediaType(checkedType: "application", subtype: $0))
    }
  )
}

extension ResponseSerializer {
  /// A serializer that decodes values from newline-delimited JSON, as they arrive.
  public static func jsonLines<Value>(_ type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> Self
  where Self == JSONLinesResponseSerializer<Value> {
    JSONLinesResponseSerializer(type, decoder: decoder)
  }
}
