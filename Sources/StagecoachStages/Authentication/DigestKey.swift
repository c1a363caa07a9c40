package import StagecoachCore

/// The key derived from a user's name and password, H(A1), and the form in which the name is sent (RFC 7616 3.4.2). It
/// does not reveal the password, but can be used in its place.
package struct DigestKey: Sendable, Hashable {
  /// The value of H(A1), in lower-case hexadecimal digits.
  package let digest: String
  /// The parameter for the name: `username` or `username*`, with its value.
  let userParameter: String
  /// Whether the name is sent as a hash.
  let isUserHashed: Bool

  /// Creates the key for a challenge and later ones with the same realm and algorithm. A session key (`-sess`) is
  /// valid for its first nonce and client nonce, even if the nonce changes later.
  ///
  /// A name that is not ASCII is sent as `username*` to a server that declares UTF-8, otherwise as raw UTF-8.
  ///
  /// - Parameters:
  ///   - challenge: The challenge.
  ///   - user: The name; may be empty.
  ///   - password: The password; may be empty.
  ///   - clientNonce: The client nonce of the first response, which is part of a session key.
  ///   - charset: The charset of the hashed text: UTF-8 unless an old server requires another one.
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
  /// The name of the type, without the key.
  package var description: String { "DigestKey" }
  /// An empty mirror, so that the key is not shown.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
