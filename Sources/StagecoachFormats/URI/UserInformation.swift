/// The name and the password before the host of a URL, percent-decoded (RFC 3986 3.2.1).
package struct UserInformation: Sendable {
  package let user: String
  /// The password; `nil` if there is no colon.
  package let password: String?

  /// - Parameter text: The text before the `@`.
  package init(_ text: Substring) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    user = String(decoding: parts[0].utf8.percentDecoded, as: UTF8.self)
    password = parts.count > 1 ? String(decoding: parts[1].utf8.percentDecoded, as: UTF8.self) : nil
  }

  /// Creates the user information of a reference with an authority; `nil` if there is nothing before the last `@`.
  package init?(of reference: String) {
    guard let slashes = reference.firstRange(of: "//") else { return nil }
    let authority = reference[slashes.upperBound...].prefix { !"/?#".contains($0) }
    guard let end = authority.lastIndex(of: "@"), end > authority.startIndex else { return nil }
    self.init(authority[..<end])
  }
}
