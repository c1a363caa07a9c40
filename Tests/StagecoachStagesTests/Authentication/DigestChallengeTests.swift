import Stagecoach
import TestSupport
import Testing

@Suite struct DigestChallengeTests {
  @Test func readsAllParametersInAnyCase() throws {
    let challenge = try read(
      #"""
      dIgEsT realm="a, b", nonce="n", opaque="", algorithm=sha-256-SESS, qop="auth-int, token ,AUTH", stale=TRUE, \#
      userhash=True, charset=utf-8, domain="/a  https://b/c", new=x
      """#
    )
    #expect(challenge.realm == "a, b")
    #expect(challenge.nonce == "n")
    #expect(challenge.opaque == "")
    #expect(challenge.algorithmName == "sha-256-SESS")
    #expect(challenge.algorithm == DigestAlgorithm("SHA-256-sess"))
    #expect(challenge.qualities == [.authentication, .integrity])
    #expect(challenge.isStale)
    #expect(challenge.wantsUserHash)
    #expect(challenge.declaresUTF8)
    #expect(challenge.domain == ["/a", "https://b/c"])
  }

  @Test("2.5 algorithm absent, qop absent, opaque absent") func absentParametersHaveDefaults() throws {
    let challenge = try read("Digest nonce=n")
    #expect(challenge.realm == "")
    #expect(challenge.opaque == nil)
    #expect(challenge.algorithmName == nil)
    #expect(challenge.algorithm == .md5)
    #expect(challenge.qualities.isEmpty)
    #expect(!challenge.isStale)
    #expect(!challenge.wantsUserHash)
    #expect(!challenge.declaresUTF8)
    #expect(challenge.domain.isEmpty)
  }

  @Test(
    "2.5 stale, 2.2 #21: the values that servers send",
    arguments: [
      ("TRUE", true), ("true", true), ("\"True\"", true), ("false", false), ("False", false), ("1", false),
    ]
  )
  func readsTheStaleFlagsThatServersSend(value: String, isStale: Bool) throws {
    #expect(try read("Digest realm=r, nonce=n, stale=\(value)").isStale == isStale)
  }

  @Test(
    arguments: [
      ("2.2 #47", "Digest realm=r;nonce=n", .missingNonce),
      ("2.2 #47", "Digest realm=r, nonce=\"\"", .missingNonce),
      ("2.5 algorithm unknown", "Digest nonce=n, qop=auth, algorithm=SHA-512", .unknownAlgorithm("SHA-512")),
      ("2.5 algorithm unknown", "Digest nonce=n, qop=auth, algorithm=\"\"", .unknownAlgorithm("")),
      ("2.5 algorithm unknown", "Digest nonce=n, qop=auth, algorithm=-sess", .unknownAlgorithm("-sess")),
      ("2.5 qop", "Digest nonce=n, qop=\"token,x\"", .unknownQuality("token,x")),
      ("2.5 -sess without qop", "Digest nonce=n, algorithm=MD5-sess", .missingQuality),
      ("2.5 qop absent", "Digest nonce=n, algorithm=SHA-256", .missingQuality),
      ("2.5 qop absent", "Digest nonce=n, qop=\",\", algorithm=SHA-512-256", .missingQuality),
      ("", "Basic nonce=n", .notDigest), ("", "Digest nonce", .notDigest),
    ] as [(String, String, DigestChallenge.Refusal)]
  )
  func refusesUnusableChallenges(row: String, text: String, refusal: DigestChallenge.Refusal) throws {
    #expect(throws: refusal, "\(row)") { try read(text) }
    #expect(!refusal.description.isEmpty)
  }

  @Test("2.5 qop absent: for MD5 alone, unless a policy says no")
  func aMissingQualityIsForMD5OnlyUnlessForbidden() throws {
    for text in ["Digest nonce=n", "Digest nonce=n, qop=\"\"", "Digest nonce=n, algorithm=md5"] {
      #expect(try read(text).quality(prefersIntegrity: true, canHashContent: true) == nil)
      let challenge = try #require(AuthenticationChallenge.parse(text).challenges.first)
      #expect(throws: DigestChallenge.Refusal.missingQuality) {
        try DigestChallenge(challenge, allowsMissingQuality: false)
      }
    }
    let offered = try #require(AuthenticationChallenge.parse("Digest nonce=n, qop=auth").challenges.first)
    #expect(throws: Never.self) { try DigestChallenge(offered, allowsMissingQuality: false) }
  }

  @Test("2.5 qop: auth before auth-int, unless the content is to be covered and can be")
  func prefersAuthUnlessTheContentIsCovered()
    throws
  {
    let both = try read("Digest nonce=n, qop=\"auth-int,auth\"")
    #expect(try both.quality(prefersIntegrity: false, canHashContent: true) == .authentication)
    #expect(try both.quality(prefersIntegrity: true, canHashContent: true) == .integrity)
    #expect(try both.quality(prefersIntegrity: true, canHashContent: false) == .authentication)
    let integrity = try read("Digest nonce=n, qop=auth-int")
    #expect(try integrity.quality(prefersIntegrity: false, canHashContent: true) == .integrity)
    #expect(throws: DigestChallenge.Refusal.needsContentDigest) {
      try integrity.quality(prefersIntegrity: true, canHashContent: false)
    }
    let plain = try read("Digest nonce=n, qop=auth")
    #expect(try plain.quality(prefersIntegrity: true, canHashContent: true) == .authentication)
  }

  @Test(
    "2.3 order: the first in the server's order, unless it is MD5 and another is not",
    arguments: [
      (["MD5", "SHA-256", "SHA-512-256"], "SHA-256"), (["SHA-256", "SHA-512-256", "MD5"], "SHA-256"),
      (["SHA-512-256", "SHA-256"], "SHA-512-256"), (["MD5", "MD5-sess"], "MD5"),
      (["MD5-sess", "SHA-256-sess"], "SHA-256-sess"),
    ]
  )
  func takesTheFirstAlgorithmThatIsNotMD5(offered: [String], chosen: String) throws {
    let challenges = try offered.map { try read("Digest nonce=n, qop=auth, algorithm=\($0)") }
    let strongest = try #require(challenges.map(\.strength).max())
    #expect(challenges.first { $0.strength == strongest }?.algorithmName == chosen)
  }

  @Test func contentThatExistsOnceIsNotHashed() async throws {
    let body = Request.Body.source(length: nil, isReplayable: false) { ScriptedSource(chunks: ["a"]) }
    let error = await #expect(throws: ExchangeError.self) { try await DigestAlgorithm.md5.digest(of: body) }
    #expect(error?.kind == .bodyNotReplayable)
    // It was not touched.
    #expect(try await body.makeSource().next() == "a")
  }

  @Test func aContentThatFailsToHashIsCancelled() async throws {
    struct Broken: Error {}
    let source = ScriptedSource([.chunk("a"), .fail(Broken())])
    let body = Request.Body.source(length: nil, isReplayable: true) { source }
    await #expect(throws: Broken.self) { try await DigestAlgorithm.md5.digest(of: body) }
    #expect(source.cancels == 1)
  }

  @discardableResult
  private func read(_ text: String) throws -> DigestChallenge {
    try DigestChallenge(#require(AuthenticationChallenge.parse(text).challenges.first))
  }
}
