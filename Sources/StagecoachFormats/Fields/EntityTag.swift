package import HTTPTypes

/// An entity tag (RFC 9110 8.8.3).
package struct EntityTag: Hashable {
  package let isWeak: Bool
  /// The octets between the quotes.
  package let opaque: [UInt8]

  /// Reads a tag; nil if it is malformed.
  package init?(_ octets: Slice<UnsafeBufferPointer<UInt8>>) {
    var rest = octets
    isWeak = rest.starts(with: "W/".utf8)
    if isWeak { rest = rest.dropFirst(2) }
    guard rest.count >= 2, rest.first == UInt8(ascii: "\""), rest.last == UInt8(ascii: "\"") else {
      return nil
    }
    let opaque = Array(rest.dropFirst().dropLast())
    guard opaque.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }) else { return nil }
    self.opaque = opaque
  }

  /// Whether both are strong and equal.
  package func isStronglyEqual(to other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && opaque == other.opaque
  }

  package func isWeaklyEqual(to other: EntityTag) -> Bool { opaque == other.opaque }

  /// The tag as a field value; nil if its octets are not UTF-8.
  package var text: String? {
    String(validating: Array((isWeak ? "W/\"" : "\"").utf8) + opaque + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}

/// The tags of If-None-Match (RFC 9110 13.1.2).
package enum EntityTagList {
  case any
  case tags([EntityTag])

  /// Reads all lines of the field; malformed tags are skipped.
  package init(_ fields: HTTPFields) {
    var tags: [EntityTag] = []
    for field in fields where field.name == .ifNoneMatch {
      let isAny = field.withUnsafeBytesOfValue { octets in
        if octets.trimmed.elementsEqual("*".utf8) { return true }
        tags += Self.elements(of: octets).compactMap { EntityTag($0.trimmed) }
        return false
      }
      if isAny {
        self = .any
        return
      }
    }
    self = .tags(tags)
  }

  /// The elements between the commas that are not in quotes; a tag has no escapes.
  private static func elements(
    of octets: UnsafeBufferPointer<UInt8>
  ) -> [Slice<UnsafeBufferPointer<UInt8>>] {
    var isQuoted = false
    return octets.split { octet in
      if octet == UInt8(ascii: "\"") { isQuoted.toggle() }
      return octet == UInt8(ascii: ",") && !isQuoted
    }
  }

  package func matches(_ tag: EntityTag?) -> Bool {
    switch self {
    case .any: true
    case .tags(let tags): tag.map { tag in tags.contains { $0.isWeaklyEqual(to: tag) } } ?? false
    }
  }
}

extension HTTPFields {
  /// ETag; nil if it is absent or malformed, or if there are several different ones.
  package var entityTag: EntityTag? {
    guard let field = onlyField(.eTag) else { return nil }
    return field.withUnsafeBytesOfValue { EntityTag($0.trimmed) }
  }
}
