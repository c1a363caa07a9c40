import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The separation of JSON texts in a body.
enum JSONElementFormat: Sendable {
  /// One on each line.
  case lines
  /// Each text after a record separator (RFC 7464); a malformed text is reported and skipped.
  case sequence(report: @Sendable (ElementError) throws -> Void)

  var delimiter: ByteSplitter.Delimiter {
    switch self {
    case .lines: .lineFeed
    case .sequence: .recordSeparator
    }
  }
}

/// Decodes successive JSON texts.
struct JSONTexts<Value: Decodable>: PieceReader {
  let format: JSONElementFormat
  let limits: JSONValue.Limits?
  let decoder: JSONDecoder
  /// The number of elements that were read or skipped.
  private(set) var count = 0
  private var isFirstPiece = true

  init(_ format: JSONElementFormat, limits: JSONValue.Limits?, decoder: JSONDecoder) {
    self.format = format
    self.limits = limits
    self.decoder = decoder
  }

  /// Decodes the text between two delimiters; `nil` if it is empty or skipped.
  mutating func read(_ piece: UnsafeRawBufferPointer, at offset: Int64) throws -> Value? {
    var (piece, offset) = (piece, offset)
    let isFirst = isFirstPiece
    isFirstPiece = false
    if isFirst, piece.startsWithUTF8Mark {
      piece = UnsafeRawBufferPointer(rebasing: piece.dropFirst(3))
      offset += 3
    }
    switch format {
    case .lines:
      guard !piece.isJSONSpace else { return nil }
      defer { count += 1 }
      return try decode(piece, at: offset)
    case .sequence(let report):
      guard !piece.isEmpty, !isFirst || !piece.isJSONSpace else { return nil }
      if isFirst { throw ElementError(.notSeparated, index: count, offset: offset, bytes: piece) }
      defer { count += 1 }
      do {
        guard !piece.mayBeTruncated else {
          throw ElementError(.truncated, index: count, offset: offset, bytes: piece)
        }
        return try decode(piece, at: offset)
      } catch let error as ElementError where error.isOfNoConsequence {
        try report(error)
        return nil
      }
    }
  }

  private func decode(_ text: UnsafeRawBufferPointer, at offset: Int64) throws -> Value {
    do {
      if limits != nil || Value.self == JSONValue.self {
        let value = try JSONValue(parsing: text, limits: limits ?? JSONValue.Limits())
        if let value = value as? Value { return value }
      }
      return try decoder.decode(Value.self, from: text)
    } catch let error as JSONSyntaxError {
      throw ElementError(.notJSON(error), index: count, offset: offset, bytes: text)
    } catch let error as CancellationError {
      throw error
    } catch {
      // Foundation does not report whether the text or the type is wrong.
      let reason: ElementError.Reason
      do throws(JSONSyntaxError) {
        _ = try JSONValue(parsing: text, limits: limits ?? JSONValue.Limits())
        reason = .notDecodable(error, type: "\(Value.self)")
      } catch {
        reason = .notJSON(error)
      }
      throw ElementError(reason, index: count, offset: offset, bytes: text)
    }
  }
}

extension ElementError {
  /// Whether a JSON text sequence continues after this error (RFC 7464 2.3): the text is malformed, which does not
  /// affect the others. A text beyond a limit may be well-formed.
  fileprivate var isOfNoConsequence: Bool {
    switch reason {
    case .truncated: return true
    case .notJSON(let error): return !error.isOfLimit
    default: return false
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are only JSON white space (RFC 8259 2).
  fileprivate var isJSONSpace: Bool { allSatisfy(\.isJSONSpace) }

  /// Whether the text is not an object, array or string, whose end is visible, and has no trailing white space (RFC
  /// 7464 2.4).
  fileprivate var mayBeTruncated: Bool {
    guard let last, !last.isJSONSpace, let first = first(where: { !$0.isJSONSpace }) else { return false }
    return first != UInt8(ascii: "{") && first != UInt8(ascii: "[") && first != UInt8(ascii: "\"")
  }
}

extension UInt8 {
  fileprivate var isJSONSpace: Bool {
    self == 0x20 || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") || self == UInt8(ascii: "\t")
  }
}

extension BodyElements where Element: Decodable {
  /// Creates the sequence of JSON values in a response.
  init(
    _ response: Response,
    stage: String,
    format: JSONElementFormat,
    limits: JSONValue.Limits?,
    decoder: JSONDecoder?
  ) {
    let (limit, decoder) = (response.elementLimit, decoder ?? response.jsonDecoder)
    self.init(ElementSource(response, stage: stage)) {
      PieceDecoder(
        format.delimiter,
        limit: limit,
        JSONTexts<Element>(format, limits: limits, decoder: decoder)
      )
    }
  }
}
