#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension QueryEncoder {
  /// The style of array elements.
  @nonexhaustive
  public enum ArrayStyle: Sendable {
    /// `a[]=1&a[]=2`. Arrays of objects are ambiguous: prefer ``indexed`` for them if the server allows it.
    case brackets
    /// `a[0]=1&a[1]=2`.
    case indexed
    /// `a=1&a=2`.
    case repeated
    /// `a=1,2`: each element is escaped separately, so that only the commas between them are literal. Elements must be
    /// single values; nulls are written according to ``nullStyle``, without a key. Sets are not joined.
    case comma
    /// `a=1%7C2`: like `comma`, with the character "|", which must be escaped in a query. An element that contains it
    /// is an error.
    case pipe
    /// `a=1%202`: like `comma`, with a space. An element that contains a space is an error.
    case space
    /// A closure that returns the whole key of an element from the whole key of its array and its index; the result is
    /// then escaped. A decoder cannot reverse this.
    case custom(@Sendable (_ key: String, _ index: Int) -> String)
  }

  /// The style of keys of nested values, which combine the key of the object with their own.
  @nonexhaustive
  public enum ObjectStyle: Sendable, Hashable {
    /// `a[b]`.
    case bracket
    /// `a.b`.
    case dot
  }

  /// The style of booleans.
  @nonexhaustive
  public enum BoolStyle: Sendable, Hashable {
    /// `1` or `0`.
    case numeric
    /// `true` or `false`.
    case literal
  }

  /// The style of nulls.
  @nonexhaustive
  public enum NullStyle: Sendable, Hashable {
    /// `a`.
    case keyAlone
    /// Omitted.
    case drop
    /// `a=`.
    case empty
    /// `a=null`.
    case literal
  }

  /// The style of dates.
  @nonexhaustive
  public enum DateStyle: Sendable {
    /// `2026-02-28T12:30:00Z`: ISO 8601 as restricted by RFC 3339, in UTC; fractions of a second are truncated. A
    /// decoder also accepts dates without seconds, with a blank instead of the T, and offsets without a colon.
    case iso8601
    /// `2026-02-28T12:30:00.250Z`, rounded to a millisecond.
    case iso8601Milliseconds
    /// Writes ``iso8601``. A decoder accepts ISO 8601, also without a time or a zone, and internet message dates such
    /// as `Sat, 28 Feb 2026 12:30:00 +0100` (RFC 5322 3.3).
    case iso8601OrInternetMessage
    /// Seconds since 1970, with a fraction if there is one.
    case seconds
    /// Milliseconds since 1970, rounded to a whole number.
    case milliseconds
    /// Custom closures, one for each direction.
    case custom(write: @Sendable (Date) throws -> String, read: @Sendable (String) throws -> Date)
  }

  /// The style of bytes.
  @nonexhaustive
  public enum DataStyle: Sendable, Hashable {
    /// Base64 with padding (RFC 4648, section 4).
    case base64
    /// Base64 for URLs without padding (RFC 4648, section 5).
    case base64URL
    /// Two lower-case hexadecimal digits per byte.
    case hexadecimal
  }

  /// The conversion of coding keys to the keys of parameters.
  @nonexhaustive
  public enum KeyCase: Sendable {
    /// No conversion.
    case asGiven
    /// `userName` as `user_name`, `baseURLPath` as `base_url_path`.
    case snakeCase
    /// A closure. A decoder calls it for its own coding keys, so no reverse is needed.
    case custom(@Sendable (String) -> String)
  }

  /// The order of the members of an object.
  @nonexhaustive
  public enum KeyOrder: Sendable, Hashable {
    /// Sorted by the Unicode scalars of the key, at every level; members with the same key keep their order.
    case sorted
    /// The order of the members.
    case asGiven
  }
}
