#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension XMLEncoder {
  /// How a date is written.
  @nonexhaustive
  public enum DateStyle: Sendable {
    /// `2026-02-28T12:30:00Z`: `xs:dateTime` in UTC, with a fraction of a second down to nanoseconds. A
    /// decoder reads any `xs:dateTime` or `xs:date` with a year of up to eight digits, -1 being the year before 0 and
    /// that the one before 1 (XML Schema 1.1 Part 2, 3.3.7); without a time zone it is in UTC. Written are the years 1
    /// to 9999.
    case iso8601
    /// `2026-02-28`: `xs:date`, the day in UTC.
    case day
    /// `Sat, 28 Feb 2026 12:30:00 GMT`, as in RSS (RFC 5322, section 3.3); a decoder reads the obsolete forms
    /// too.
    case internetMessage
    /// Seconds since 1970, with a fraction if there is one.
    case seconds
    /// Milliseconds since 1970, rounded to a whole number.
    case milliseconds
    /// By closures, one for each direction.
    case custom(write: @Sendable (Date) throws -> String, read: @Sendable (String) throws -> Date)
  }

  /// How bytes are written.
  @nonexhaustive
  public enum DataStyle: Sendable {
    /// Base64 with padding (`xs:base64Binary`). A decoder ignores white space in it.
    case base64
    /// Two hexadecimal digits a byte (`xs:hexBinary`).
    case hexadecimal
    /// By closures, one for each direction.
    case custom(write: @Sendable (Data) throws -> String, read: @Sendable (String) throws -> Data)
  }

  /// How a coding key becomes a name. It leaves the notation, prefixes and namespaces alone, and keys
  /// of dictionaries.
  @nonexhaustive
  public enum KeyCase: Sendable {
    /// As it is.
    case asGiven
    /// `userName` as `user_name`, `baseURLPath` as `base_url_path`.
    case snakeCase
    /// `userName` as `UserName`.
    case capitalized
    /// By a closure. A decoder asks it for the same key again, so it needs no reverse.
    case custom(@Sendable (String) -> String)
  }

  /// How nil is written as an element. As an attribute or as text it is not written. In an array, where it
  /// holds a place, it always is ``marked``.
  @nonexhaustive
  public enum NilStyle: Sendable, Hashable {
    /// Not at all.
    case omitted
    /// As an empty element.
    case empty
    /// As an empty element with `xsi:nil="true"` (XML Schema Part 1, section 2.6.2).
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

  /// What the coding key of a name may be; whether it is tells ``name(for:)``.
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
