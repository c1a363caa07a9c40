#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension XMLEncoder {
  /// The style of dates.
  @nonexhaustive
  public enum DateStyle: Sendable {
    /// `2026-02-28T12:30:00Z`: `xs:dateTime` in UTC, with a fraction of a second down to nanoseconds. Encoding
    /// supports the years 1 to 9999. A decoder accepts any `xs:dateTime` or `xs:date` with a year of up to eight
    /// digits, where -1 is the year before 0 and 0 the year before 1 (XML Schema 1.1 Part 2, 3.3.7); without a time
    /// zone it is in UTC. It also accepts times without seconds, a blank instead of the T, and zones such as `+0100`.
    case iso8601
    /// Writes ``iso8601``. A decoder accepts what ``iso8601`` and ``internetMessage`` do, also `2026` and `2026-02`,
    /// for feeds that mix them.
    case iso8601OrInternetMessage
    /// `2026-02-28`: `xs:date`, the day in UTC.
    case day
    /// `Sat, 28 Feb 2026 12:30:00 GMT`, as in RSS (RFC 5322 3.3). A decoder also accepts the obsolete forms, with
    /// comments, named zones and years of two digits; a zone with an unknown name is UTC (RFC 5322 4.3).
    case internetMessage
    /// Seconds since 1970, with a fraction if there is one.
    case seconds
    /// Milliseconds since 1970, rounded to a whole number.
    case milliseconds
    /// Custom closures, one for each direction.
    case custom(write: @Sendable (Date) throws -> String, read: @Sendable (String) throws -> Date)
  }

  /// The style of bytes.
  @nonexhaustive
  public enum DataStyle: Sendable {
    /// Base64 with padding (`xs:base64Binary`). A decoder ignores white space in it.
    case base64
    /// Two hexadecimal digits per byte (`xs:hexBinary`).
    case hexadecimal
    /// Custom closures, one for each direction.
    case custom(write: @Sendable (Data) throws -> String, read: @Sendable (String) throws -> Data)
  }

  /// The conversion of coding keys to names. It does not affect the notation, prefixes, namespaces and keys of
  /// dictionaries.
  @nonexhaustive
  public enum KeyCase: Sendable {
    /// No conversion.
    case asGiven
    /// `userName` as `user_name`, `baseURLPath` as `base_url_path`.
    case snakeCase
    /// `userName` as `UserName`.
    case capitalized
    /// A closure. A decoder calls it for its own coding keys, so no reverse is needed.
    case custom(@Sendable (String) -> String)
  }

  /// The style of nil values as elements. As attributes or text they are not written. In an array, where it holds a
  /// place, a nil is always ``marked``.
  @nonexhaustive
  public enum NilStyle: Sendable, Hashable {
    /// Omitted.
    case omitted
    /// An empty element.
    case empty
    /// An empty element with `xsi:nil="true"` (XML Schema Part 1, section 2.6.2).
    case marked
  }
}

extension XMLEncoder.KeyCase {
  /// The name for a coding key.
  func name(for key: String) -> String {
    switch self {
    case .asGiven: key
    case .snakeCase: Self.snakeCase(key)
    case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
    case .custom(let convert): convert(key)
    }
  }

  /// Returns a possible coding key for a name, to be verified by ``name(for:)``.
  func key(for name: String) -> String {
    switch self {
    case .asGiven, .custom: return name
    case .capitalized: return name.prefix(1).lowercased() + name.dropFirst()
    case .snakeCase:
      let words = name.split(separator: "_", omittingEmptySubsequences: false)
      guard words.count > 1, !words.contains(where: \.isEmpty) else { return name }
      return words.dropFirst().reduce(into: String(words[0])) {
        $0 += $1.prefix(1).uppercased() + $1.dropFirst()
      }
    }
  }

  /// A word starts at an upper-case letter after one that is not, and at the last one of several that a
  /// lower-case letter follows.
  private static func snakeCase(_ key: String) -> String {
    let characters = Array(key)
    var text = ""
    for (index, character) in characters.enumerated() {
      guard character.isUppercase else {
        text.append(character)
        continue
      }
      if index > 0, characters[index - 1] != "_" {
        let next = index + 1 < characters.count ? characters[index + 1] : nil
        if !characters[index - 1].isUppercase || next?.isLowercase == true { text.append("_") }
      }
      text += character.lowercased()
    }
    return text
  }
}
