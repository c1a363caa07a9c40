/// A name and a password before the host of a URL (RFC 3986 3.2.1), their percent-encoding undone.
struct UserInformation {
  let user: String
  /// Nil where there is no colon.
  let password: String?

  /// - Parameter text: What stands before the `@`.
  init(_ text: Substring) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    user = String(decoding: parts[0].utf8.percentDecoded, as: UTF8.self)
    password = parts.count > 1 ? String(decoding: parts[1].utf8.percentDecoded, as: UTF8.self) : nil
  }

  /// That of a reference that has an authority; nil if there is nothing before the last `@` in it.
  init?(of reference: String) {
    guard let slashes = reference.firstRange(of: "//") else { return nil }
    let authority = reference[slashes.upperBound...].prefix { !"/?#".contains($0) }
    guard let end = authority.lastIndex(of: "@"), end > authority.startIndex else { return nil }
    self.init(authority[..<end])
  }
}
