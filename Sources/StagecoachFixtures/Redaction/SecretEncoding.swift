/// An encoding in which a secret can occur in a fixture.
public enum SecretEncoding: String, Sendable, Hashable, CaseIterable {
  /// As it is.
  case raw
  /// With percent escapes (RFC 3986 2.1).
  case percent
  /// As in a form: with plus signs in place of spaces.
  case form
  /// With the escapes of a JSON string (RFC 8259 7).
  case json
  /// With the character references of XML or HTML.
  case markup
  /// In base64, also as a part of a longer text (RFC 4648 4).
  case base64
  /// In base64url (RFC 4648 5).
  case base64URL = "base64url"
  /// In UTF-16 or UTF-32, in either order of octets.
  case wide
  /// In hexadecimal digits.
  case hexadecimal
}
