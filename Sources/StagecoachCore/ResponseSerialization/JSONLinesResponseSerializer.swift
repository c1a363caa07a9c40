#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Reads newline-delimited JSON: one JSON text on each line, decoded as it arrives.
///
/// Lines end with LF or CR LF, the last one also with the body; blank lines are skipped, and a UTF-8 byte
/// order mark in front of the first one is left out. The first line that is refused ends the sequence with an
/// error. ``JSONValue`` as the type keeps order, duplicates and the digits of numbers, and asks no decoder.
public struct JSONLinesResponseSerializer<Value: Decodable & Sendable>: ResponseSerializer {
  /// What it can read: newline-delimited JSON under the names in use.
  public var accepts: Acceptance
  /// What each text may hold, which is then read strictly before the decoder sees it. If nil, the decoder has the
  /// only word, which reads up to 512 levels.
  public var limits: JSONValue.Limits?

  private let decoder: JSONDecoder?

  /// A serializer.
  ///
  /// - Parameters:
  ///   - type: What to decode each line as.
  ///   - accepts: What it can read.
  ///   - limits: What each text may hold.
  ///   - decoder: Decodes the values; nil for that of the request's ``JSONCoders``.
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

  /// Returns at once; the sequence reads the body.
  public func serialize(_ response: Response) async throws -> JSONElements<Value> {
    JSONElements(
      source: ElementSource(response, stage: name),
      format: .lines,
      limit: response.elementLimit,
      textLimits: limits,
      decoder: decoder ?? response.jsonDecoder
    )
  }
}

extension Acceptance {
  /// Newline-delimited JSON, which has no registered name, under the names in use.
  public static let jsonLines = Acceptance(
    mediaTypes: ["x-ndjson", "ndjson", "jsonl", "x-jsonlines", "jsonlines", "x-jsonl"].map {
      MediaRange(MediaType(checkedType: "application", subtype: $0))
    }
  )
}

extension ResponseSerializer {
  /// Values decoded from newline-delimited JSON, as they arrive.
  public static func jsonLines<Value>(_ type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> Self
  where Self == JSONLinesResponseSerializer<Value> {
    JSONLinesResponseSerializer(type, decoder: decoder)
  }
}
