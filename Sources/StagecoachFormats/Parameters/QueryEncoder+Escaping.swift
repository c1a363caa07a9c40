extension QueryEncoder {
  /// The characters of keys and values that are not escaped in a query.
  ///
  /// All others are written as their UTF-8 bytes, each as "%" and two upper-case hexadecimal digits. Escaped text is
  /// escaped again, so that a decoder returns exactly the original text.
  @nonexhaustive
  public enum Escaping: Sendable, Hashable {
    /// ASCII letters, digits and `-._~/?` are not escaped: `/` and `?` are data in a query (RFC 3986 3.4), all other
    /// delimiters are escaped.
    case afnetworking
    /// Only the unreserved characters are not escaped: ASCII letters, digits and `-._~` (RFC 3986 2.3).
    case strict
    /// The rules of `application/x-www-form-urlencoded`: ASCII letters, digits and `*-._` are not escaped, a space
    /// becomes "+" (WHATWG URL, section 5.2).
    case form
    /// Like `strict`, but brackets of keys are not escaped: `a[b]=1`, as in AFNetworking before 2.6. RFC 3986 does not
    /// allow brackets in a query; most servers accept them, and some require them.
    case literalBrackets
  }
}
