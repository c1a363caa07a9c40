#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The values of a body that is many JSON texts, decoded as they arrive.
///
/// The body is read at the pace of the reader, and once: a second iterator is refused. Leaving the loop
/// before the end cancels the transfer. An element that is refused is an ``ExchangeError`` with an
/// ``ElementError`` underneath, which tells its index and where it starts.
///
/// ```swift
/// for try await entry in try await client.get("log", as: .jsonLines(Entry.self)) {
///   print(entry)
/// }
/// ```
public struct JSONElements<Value: Decodable & Sendable>: AsyncSequence, Sendable {
  let source: ElementSource
  let format: JSONElementFormat
  let limit: Int
  let textLimits: JSONValue.Limits?
  let decoder: JSONDecoder

  /// An iterator that reads the body.
  public func makeAsyncIterator() -> AsyncIterator {
    let texts = JSONTexts<Value>(format: format, limits: textLimits, decoder: self.decoder)
    let decoder = JSONElementDecoder(format, limit: limit, texts: texts)
    return AsyncIterator(base: ElementIterator(source, decoder))
  }

  /// Iterates over the values of a body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: ElementIterator<JSONElementDecoder<Value>>

    /// The next value, nil at the end.
    ///
    /// - Throws: ``ExchangeError``; `CancellationError` if the task is cancelled.
    public mutating func next() async throws -> Value? {
      try await base.next()
    }
  }
}

/// How JSON texts follow each other.
enum JSONElementFormat: Sendable {
  /// One on each line.
  case lines
  /// Each behind a record separator (RFC 7464); what is malformed is reported and left out.
  case sequence(report: @Sendable (ElementError) throws -> Void)

  fileprivate var delimiter: ByteSplitter.Delimiter {
    switch self {
    case .lines: .lineFeed
    case .sequence: .recordSeparator
    }
  }
}

/// Splits bytes into JSON texts and decodes each.
struct JSONElementDecoder<Value: Decodable>: ElementDecoder {
  private var splitter: ByteSplitter
  private var texts: JSONTexts<Value>

  fileprivate init(_ format: JSONElementFormat, limit: Int, texts: JSONTexts<Value>) {
    splitter = ByteSplitter(format.delimiter, limit: limit)
    self.texts = texts
  }

  var index: Int { texts.count }

  mutating func append(_ chunk: Bytes) {
    splitter.append(chunk)
  }

  mutating func next() throws -> Value? {
    try splitter.next { try texts.read($0, at: $1) }
  }

  mutating func finish() throws -> Value? {
    try splitter.finish { try texts.read($0, at: $1) }
  }
}

/// Decodes one JSON text after the other.
private struct JSONTexts<Value: Decodable> {
  let format: JSONElementFormat
  let limits: JSONValue.Limits?
  let decoder: JSONDecoder
  /// How many elements have been read or left out.
  private(set) var count = 0
  private var isFirstPiece = true

  init(format: JSONElementFormat, limits: JSONValue.Limits?, decoder: JSONDecoder) {
    self.format = format
    self.limits = limits
    self.decoder = decoder
  }

  /// Decodes what stands between two delimiters; nil for nothing and for what is left out.
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
      // Whether it is the text or the type that does not fit, Foundation does not tell.
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
  /// Whether a JSON text sequence goes on behind such an element (RFC 7464 2.3): its text is malformed, which says
  /// nothing about the others. Beyond a limit the text may be well formed.
  fileprivate var isOfNoConsequence: Bool {
    switch reason {
    case .truncated: return true
    case .notJSON(let error): return !error.isOfLimit
    default: return false
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether there is nothing but white space of JSON (RFC 8259 2).
  fileprivate var isJSONSpace: Bool { allSatisfy(\.isJSONSpace) }

  /// Whether this is no object, array or string, whose end shows, and no white space ends it (RFC 7464 2.4).
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
