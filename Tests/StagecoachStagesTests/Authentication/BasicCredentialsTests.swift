import Stagecoach
import TestSupport
import Testing

@Suite struct BasicCredentialsTests {
  /// The vectors of RFC 7617 and own ones.
  @Test(
    "2.4 octets, empty user and password, base64",
    arguments: [
      ("basic-rfc7617-2", "Aladdin", "open sesame", "utf-8", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
      ("basic-rfc7617-2.1", "test", "123£", "utf-8", "Basic dGVzdDoxMjPCow=="),
      ("basic-own-latin1", "test", "123£", "iso-8859-1", "Basic dGVzdDoxMjOj"),
      ("basic-own-empty-user", "", "secret", "utf-8", "Basic OnNlY3JldA=="),
      ("basic-own-empty-password", "user", "", "utf-8", "Basic dXNlcjo="),
      ("basic-own-both-empty", "", "", "utf-8", "Basic Og=="),
      ("basic-own-colon-in-password", "user", "a:b::c", "utf-8", "Basic dXNlcjphOmI6OmM="),
      (
        "basic-own-nonascii", "Jürgen Ł", "päss:wörd €", "utf-8", "Basic SsO8cmdlbiDFgTpww6Rzczp3w7ZyZCDigqw="
      ),
      ("basic-own-emoji-nfc", "o", "café🐎", "utf-8", "Basic bzpjYWbDqfCfkI4="),
      ("basic-own-padding-0", "abc", "de", "utf-8", "Basic YWJjOmRl"),
      ("basic-own-padding-1", "abcd", "", "utf-8", "Basic YWJjZDo="),
    ]
  )
  func writesAndReadsTheVectors(id: String, user: String, password: String, charset: String, value: String)
    throws
  {
    let charset: Charset = charset == "utf-8" ? .utf8 : .isoLatin1
    let written = try BasicCredentials.authorization(user: user, password: password, charset: charset)
    #expect(written == value, "\(id)")
    let read = try #require(BasicCredentials.decode(value))
    #expect(read == (user, password), "\(id)")
  }

  @Test(
    "2.4 user with a colon, C0, DEL",
    arguments: [
      ("basic-own-colon-in-user", "a:b", "c", .colonInUser),
      ("basic-own-control", "a\u{1}", "b", .controlCharacterInUser),
      ("basic-own-newline", "a", "b\n", .controlCharacterInPassword),
      ("basic-own-del", "a", "b\u{7F}", .controlCharacterInPassword),
    ] as [(String, String, String, CredentialError)]
  )
  func refusesColonsAndControlCharacters(id: String, user: String, password: String, error: CredentialError) {
    #expect(throws: error, "\(id)") { try BasicCredentials.authorization(user: user, password: password) }
    #expect(!error.description.isEmpty)
  }

  @Test("2.4 normalisation: NFC for input that is not") func normalizesToNFC() throws {
    let decomposed = try BasicCredentials.authorization(user: "o", password: "cafe\u{301}🐎")
    #expect(decomposed == "Basic bzpjYWbDqfCfkI4=")
    let latin = try BasicCredentials.authorization(user: "u\u{308}", password: "", charset: .isoLatin1)
    #expect(latin == "Basic /Do=")
    #expect(throws: CredentialError.unencodable(charset: "ISO-8859-1")) {
      try BasicCredentials.authorization(user: "€", password: "", charset: .isoLatin1)
    }
  }

  @Test func refusesMalformedCredentials() {
    #expect(BasicCredentials.decode("bASIC  Og==") ?? ("x", "x") == ("", ""))
    for value in [
      "", "Basic", "Basic ", "Digest Og==", "Basic YQ==", "Basic Og=", "Basic Og== x", "BasicOg==",
    ] {
      #expect(BasicCredentials.decode(value) == nil, "\(value)")
    }
  }
}
