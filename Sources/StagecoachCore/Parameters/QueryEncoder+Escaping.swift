extension QueryEncoder {
  /// Which characters of keys and values stay as they are in a query.
  ///
  /// All others are written as their UTF-8 bytes, each as "%" and two upper-case hexadecimal digits. What is
  /// escaped already is escaped again, so that a decoder gets exactly the text that was given.
  @nonexhaustive
  public enum Escaping: Sendable, Hashable {
    /// ASCII letters, digits and `-._~/?` stay: `/` and `?` are data in a query (RFC 3986, section 3.4), all
    /// other delimiters are escaped.
    case afnetworking
    /// The unreserved characters of RFC 3986 section 2.3 stay: ASCII letters, digits and `-._~`.
    case strict
    /// The rules of `application/x-www-form-urlencoded` (WHATWG URL, section 5.2): ASCII letters, digits and
    /// `*-._` stay, a space becomes "+".
    case form
    /// As `strict`, but brackets of keys stay: `a[b]=1`, as AFNetworking wrote them before 2.6. A query cannot
    /// hold brackets by RFC 3986; most servers take them, some take nothing else.
    case literalBrackets
  }
}
