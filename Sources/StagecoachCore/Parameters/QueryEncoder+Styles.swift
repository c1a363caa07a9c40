#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension QueryEncoder {
  /// How the elements of an array are written.
  @nonexhaustive
  public enum ArrayStyle: Sendable {
    /// `a[]=1&a[]=2`. Arrays of objects are ambiguous: prefer ``indexed`` for them if the server allows it.
    case brackets
    /// `a[0]=1&a[1]=2`.
    case indexed
    /// `a=1&a=2`.
    case repeated
    /// `a=1,2`: each element is escaped by itself, so the commas between them are the only literal ones.
    /// Elements must be leaves; nulls are written as ``nullStyle`` says, without a key. Sets are not joined.
    case comma
    /// `a=1%7C2`: as `comma`, with the character "|", which a query cannot hold as it is. An element that
    /// contains one is an error.
    case pipe
    /// `a=1%202`: as `comma`, with a space. An element that contains one is an error.
    case space
    /// The whole key of an element, made from the whole key of its array and its index, and escaped
    /// afterwards. A decoder cannot undo this, and reads keys as in ``repeated``.
    case custom(@Sendable (_ key: String, _ index: Int) -> String)
  }

  /// How the key of a nested value is made of the key of its object and its own.
  @nonexhaustive
  public enum ObjectStyle: Sendable, Hashable {
    /// `a[b]`.
    case bracket
    /// `a.b`.
    case dot
  }

  /// How a boolean is written.
  @nonexhaustive
  public enum BoolStyle: Sendable, Hashable {
    /// `1` or `0`.
    case numeric
    /// `true` or `false`.
    case literal
  }

  /// How a null is written.
  @nonexhaustive
  public enum NullStyle: Sendable, Hashable {
    /// `a`.
    case keyAlone
    /// Not at all.
    case drop
    /// `a=`.
    case empty
    /// `a=null`.
    case literal
  }

  /// How a date is written.
  @nonexhaustive
  public enum DateStyle: Sendable {
    /// `2026-02-28T12:30:00Z`, ISO 8601 as RFC 3339 narrows it, in UTC; fractions of a second are cut off.
    case iso8601
    /// `2026-02-28T12:30:00.250Z`, rounded to a millisecond.
    case iso8601Milliseconds
    /// Seconds since 1970, with a fraction if there is one.
    case seconds
    /// Milliseconds since 1970, rounded to a whole number.
    case milliseconds
    /// By closures, one for each direction.
    case custom(write: @Sendable (Date) throws -> String, read: @Sendable (String) throws -> Date)
  }

  /// How bytes are written.
  @nonexhaustive
  public enum DataStyle: Sendable, Hashable {
    /// Base64 with padding (RFC 4648, section 4).
    case base64
    /// Base64 for URLs without padding (RFC 4648, section 5).
    case base64URL
    /// Two lower-case hexadecimal digits a byte.
    case hexadecimal
  }

  /// How a coding key becomes the key of a parameter.
  @nonexhaustive
  public enum KeyCase: Sendable {
    /// As it is.
    case asGiven
    /// `userName` as `user_name`, `baseURLPath` as `base_url_path`.
    case snakeCase
    /// By a closure. A decoder asks it for the same key again, so it needs no reverse.
    case custom(@Sendable (String) -> String)
  }

  /// The order in which the members of an object are written.
  @nonexhaustive
  public enum KeyOrder: Sendable, Hashable {
    /// Ascending by the Unicode scalars of the key, at every level; members with the same key keep their
    /// order.
    case sorted
    /// The order of the members.
    case asGiven
  }
}
