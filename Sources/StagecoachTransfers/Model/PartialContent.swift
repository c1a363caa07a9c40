import StagecoachCore

/// The received ranges of a representation, and its version.
struct PartialContent: Sendable, Equatable, Codable {
  /// A part that is fetched from its start to its end.
  struct Span: Sendable, Equatable, Codable {
    /// The first position.
    var start: Int64
    /// The position of the next byte to fetch.
    var next: Int64
    /// The position after the last byte; `nil` if it is not known.
    var end: Int64?

    /// Whether nothing is missing.
    var isComplete: Bool { end.map { next >= $0 } ?? false }
  }

  /// The version; `nil` if the rest cannot be asked for.
  var validator: RepresentationValidator?
  /// The length of the whole; `nil` if it is not known.
  var total: Int64?
  /// The parts, in order and without gaps between them.
  var spans: [Span]
  /// The field Repr-Digest of the first reply.
  var digest: String?
  /// The content coding of the bytes, in lower case; `nil` for none.
  var coding: String?

  /// Content of which nothing is there.
  ///
  /// - Parameter parts: The number of parts it is fetched in, if its length is known.
  init(
    validator: RepresentationValidator?,
    total: Int64?,
    digest: String? = nil,
    coding: String? = nil,
    parts: Int = 1
  ) {
    self.validator = validator
    self.total = total
    self.digest = digest
    self.coding = coding
    guard let total, parts > 1 else {
      spans = [Span(start: 0, next: 0, end: total)]
      return
    }
    let size = total / Int64(parts)
    spans = (0..<Int64(parts)).map { index in
      let end = index == Int64(parts) - 1 ? total : (index + 1) * size
      return Span(start: index * size, next: index * size, end: end)
    }
  }

  /// The number of bytes that are there.
  var count: Int64 { spans.reduce(0) { $0 + ($1.next - $1.start) } }

  /// Whether nothing is missing.
  var isComplete: Bool { spans.allSatisfy(\.isComplete) }

  /// Whether the spans are in order, without gaps, and end at the total: a journal or an archive may say anything.
  var isConsistent: Bool {
    guard let first = spans.first, first.start == 0, spans.count <= Self.mostSpans,
      validator?.isWellFormed ?? true
    else { return false }
    var position: Int64 = 0
    for (index, span) in spans.enumerated() {
      guard span.start == position, span.next >= span.start, span.next <= span.end ?? Int64.max else {
        return false
      }
      guard index == spans.count - 1 || span.end != nil else { return false }
      guard let end = span.end else { return total == nil }
      guard end >= span.start else { return false }
      position = end
    }
    return position == total
  }

  /// The maximum number of parts.
  static let mostSpans = 32
}
