/// What stands for a user's name and password in the responses to a challenge: H(A1) of RFC 7616 3.4.2, and how
/// the name is sent. The password cannot be had from it; whoever has it can use it in its place.
package struct DigestKey: Sendable, Hashable {
  /// H(A1), in lower-case hexadecimal digits.
  package let digest: String
  /// The parameter for the name: `username` or `username*`, with its value.
  let userParameter: String
  /// Whether the name is sent as a hash.
  let isUserHashed: Bool

  /// The key for a challenge, and for the later ones of the same realm and algorithm; that of a session
  /// (`-sess`) for its first nonce and client nonce alone, whatever nonces follow.
  ///
  /// A name that is not plain ASCII is sent as `username*` to a server that declares UTF-8, else in raw UTF-8.
  ///
  /// - Parameters:
  ///   - challenge: The challenge.
  ///   - user: The name; may be empty.
  ///   - password: The password; may be empty.
  ///   - clientNonce: The client nonce of the first response, of which a session is made.
  ///   - charset: What is hashed: UTF-8, unless an old server wants another one.
  package init(
    for challenge: DigestChallenge,
    user: String,
    password: String,
    clientNonce: String,
    charset: Charset = .utf8
  ) throws(CredentialError) {
    let text = try CredentialText(user: user, password: password, charset: charset)
    let algorithm = challenge.algorithm
    let base = algorithm.digest(try text.octets("\(text.user):\(challenge.realm):\(text.password)"))
    digest = algorithm.isSession ? algorithm.digest(base, challenge.nonce, clientNonce) : base
    isUserHashed = challenge.wantsUserHash
    if challenge.wantsUserHash {
      let hash = algorithm.digest(try text.octets("\(text.user):\(challenge.realm)"))
      userParameter = "username=\(hash.quotedInField)"
    } else if challenge.declaresUTF8, !text.user.utf8.allSatisfy({ $0 < 0x80 }) {
      userParameter = "username*=\(ExtendedValue.encode(text.user))"
    } else {
      userParameter = "username=\(text.user.quotedInField)"
    }
  }
}

extension DigestKey: CustomStringConvertible, CustomReflectable {
  /// Nothing of what it holds.
  package var description: String { "DigestKey" }
  /// Nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
