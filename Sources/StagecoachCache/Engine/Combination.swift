import HTTPTypes
import StagecoachCore

/// A stored part and a new one of the same representation, put together (RFC 9111 3.4).
struct Combination: Sendable, Hashable {
  enum Piece: Sendable, Hashable {
    /// Bytes of the stored content, counted from its beginning.
    case stored(Range<Int64>)
    /// Bytes of the new content, counted from its beginning.
    case new(Range<Int64>)
  }

  /// The head of both: of a complete response if nothing is missing.
  let response: CachedResponse
  /// The bytes, in order.
  let pieces: [Piece]
}

extension CacheRules {
  /// Combines a stored part with a new one, if both have the same strong tag and length and leave no gap.
  ///
  /// - Parameters:
  ///   - new: The new part, as ``storable(_:to:sentAt:receivedAt:conceal:)`` gave it.
  ///   - length: The number of its bytes.
  /// - Returns: nil if they do not belong together.
  func combined(_ stored: CacheEntry, with new: CachedResponse, length: Int64) -> Combination? {
    guard let oldPart = stored.response.part, let newPart = new.part, oldPart.total == newPart.total,
      let oldTag = stored.response.strongTag, let newTag = new.strongTag, oldTag.isStronglyEqual(to: newTag),
      let old = oldPart.range(length: stored.length), let fresh = newPart.range(length: length),
      old.lowerBound <= fresh.upperBound, fresh.lowerBound <= old.upperBound
    else { return nil }
    // The new bytes fill what is before and after the stored ones.
    var pieces: [Combination.Piece] = []
    if fresh.lowerBound < old.lowerBound { pieces.append(.new(0..<(old.lowerBound - fresh.lowerBound))) }
    pieces.append(.stored(0..<stored.length))
    if fresh.upperBound > old.upperBound {
      pieces.append(.new((old.upperBound - fresh.lowerBound)..<length))
    }
    let union = min(old.lowerBound, fresh.lowerBound)..<max(old.upperBound, fresh.upperBound)
    var response = merged(
      stored.response,
      with: new.head.headerFields,
      sentAt: new.requestTime,
      receivedAt: new.responseTime
    )
    response.vary = new.vary
    response.head.headerFields.removeAll(Self.digestFields)
    response.head.headerFields[.contentLength] = String(union.count)
    if union == 0..<oldPart.total {
      response.part = nil
      response.head.status = .ok
      response.head.headerFields[.contentRange] = nil
    } else {
      response.part = CachedResponse.Part(start: union.lowerBound, total: oldPart.total)
      response.head.status = .partialContent
      response.head.headerFields[.contentRange] =
        "bytes \(union.lowerBound)-\(union.upperBound - 1)/\(oldPart.total)"
    }
    return Combination(response: response, pieces: pieces)
  }
}

extension CachedResponse.Part {
  /// The bytes of the representation that are stored; nil if there are none, or more than there can be.
  fileprivate func range(length: Int64) -> Range<Int64>? {
    let (end, overflows) = start.addingReportingOverflow(length)
    guard start >= 0, length > 0, !overflows, end <= total else { return nil }
    return start..<end
  }
}
