package import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The credentials of the Basic scheme: a name and a password in clear text (RFC 7617).
package enum BasicCredentials {
  /// Returns the value of an Authorization field.
  ///
  /// - Parameters:
  ///   - user: The name; may be empty.
  ///   - password: The password; may be empty and contain colons.
  ///   - charset: The charset; UTF-8 unless an old server requires another one.
  package static func authorization(
    user: String,
    password: String,
    charset: Charset = .utf8
  ) throws(CredentialError) -> String {
    let text = try CredentialText(user: user, password: password, charset: charset)
    guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUser }
    let octets = try text.octets("\(text.user):\(text.password)")
    return "Basic \(Data(octets).base64EncodedString())"
  }

  /// Returns the name and the password in the value of an Authorization field; `nil` if the scheme differs or the
  /// value is malformed. Octets that are not UTF-8 are read as ISO-8859-1.
  package static func decode(_ authorization: String) -> (user: String, password: String)? {
    let scheme = authorization.prefix { $0 != " " }
    let token = authorization[scheme.endIndex...].drop { $0 == " " }
    guard String(scheme).equalsIgnoringASCIICase("Basic"), let data = Data(base64Encoded: String(token))
    else {
      return nil
    }
    let text = String(utf8OrLatin1: data)
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return (String(text[..<colon]), String(text[text.utf8.index(after: colon)...]))
  }
}
