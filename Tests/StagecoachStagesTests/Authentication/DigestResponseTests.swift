import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct DigestResponseTests {
  /// Each vector: the key, the proof, the whole field and what the server has to answer.
  @Test(
    "2.5 A1, A2, response, H, algorithm absent, userhash, unq, opaque: the vectors",
    arguments: DigestVector.all
  )
  func computesTheResponsesOfTheVectors(_ vector: DigestVector) async throws {
    let response = try await vector.response()
    #expect(response.key.digest == vector.key)
    #expect(response.proof == vector.proof)
    if let digest = vector.bodyDigest { #expect(response.contentDigest == digest) }

    let sent = try #require(AuthenticationChallenge.parse(response.value).challenges.first)
    #expect(AuthenticationChallenge.parse(response.value).problems.isEmpty)
    #expect(sent.isScheme("Digest"))
    let isASCII = vector.user.utf8.allSatisfy { $0 < 0x80 }
    if vector.wantsUserHash {
      #expect(sent[parameter: "username"] == vector.userHash)
      #expect(sent[parameter: "userhash"] == "true")
    } else if isASCII || vector.charset != "utf-8" {
      #expect(sent[parameter: "username"] == vector.user)
    } else {
      #expect(sent[parameter: "username"] == nil)
      #expect(sent[parameter: "username*"] == vector.extendedUser)
    }
    #expect(sent[parameter: "realm"] == vector.realm)
    #expect(sent[parameter: "nonce"] == vector.nonce)
    #expect(sent[parameter: "uri"] == vector.uri)
    #expect(sent[parameter: "response"] == vector.proof)
    #expect(sent[parameter: "algorithm"] == vector.algorithm)
    #expect(sent[parameter: "opaque"] == vector.opaque)
    #expect(sent[parameter: "qop"] == vector.quality)
    #expect(sent[parameter: "nc"] == vector.count)
    #expect(sent[parameter: "cnonce"] == vector.clientNonce)
    for parameter in [vector.userParameter, vector.realmParameter] {
      if let parameter { #expect(response.value.contains(parameter)) }
    }
  }

  @Test("2.5 rspauth: the vectors", arguments: DigestVector.all.filter { $0.serverProof != nil })
  func computesTheServersProofOfTheVectors(_ vector: DigestVector) async throws {
    let response = try await vector.response()
    let algorithm = response.challenge.algorithm
    var contentDigest: String?
    if let body = vector.responseBody {
      contentDigest = try await algorithm.digest(of: .bytes(Bytes(body)))
    }
    let proof = try #require(vector.serverProof)
    var value =
      "rspauth=\"\(proof)\", cnonce=\"\(response.clientNonce)\", nc=00000001, qop=\(vector.quality ?? "")"
    #expect(response.check(info(value), contentDigest: contentDigest) == .valid)
    #expect(response.check(info("rspauth=\(proof.uppercased())"), contentDigest: contentDigest) == .valid)
    if contentDigest != nil {
      #expect(response.check(info(value)) == .needsContentDigest)
      #expect(response.check(info(value), contentDigest: algorithm.isSession ? "" : "0") == .invalid)
    }
    value = value.replacing("nc=00000001", with: "nc=00000002")
    #expect(response.check(info(value), contentDigest: contentDigest) == .invalid)
    #expect(response.check(info("rspauth=\(proof), nc=x"), contentDigest: contentDigest) == .invalid)
    #expect(response.check(info("rspauth=\(proof), cnonce=x"), contentDigest: contentDigest) == .invalid)
    #expect(response.check(info("rspauth=\(proof), qop=x"), contentDigest: contentDigest) == .invalid)
    #expect(response.check(info("rspauth=\"\""), contentDigest: contentDigest) == .invalid)
    #expect(response.check(info("nextnonce=n"), contentDigest: contentDigest) == .absent)
    #expect(response.check(nil) == .absent)
  }

  /// What the RFC prints there is SHA-512 cut to 256 bits.
  @Test("2.6: the vector of RFC 7616 3.9.2 as printed is wrong") func theVectorPrintedInTheRFCIsWrong()
    async throws
  {
    let corrected = "rfc7616-3.9.2-sha512-256-corrected"
    let vector = try #require(DigestVector.all.first { $0.id == corrected })
    let response = try await vector.response()
    let sent = try #require(AuthenticationChallenge.parse(response.value).challenges.first)
    let printedUser = "488869477bf257147b804c45308cd62ac4e25eb717b12b298c79e62dcea254ec"
    let printedProof = "ae66e67d6b427bd3f120414a82e4acff38e8ecd9101d6c861229025f607a79dd"
    #expect(sent[parameter: "userhash"] == "true")
    #expect(sent[parameter: "username"]?.count == printedUser.count)
    #expect(sent[parameter: "username"] != printedUser)
    #expect(sent[parameter: "response"]?.count == printedProof.count)
    #expect(sent[parameter: "response"] != printedProof)
  }

  private func info(_ value: String) -> AuthenticationInfo? {
    AuthenticationInfo(HTTPFields([HTTPField(name: .authenticationInfo, value: value)]), .authenticationInfo)
  }

  /// The whole field in the order and with the quotes of RFC 7616 3.4.
  @Test("2.5 quoting, algorithm as received, opaque, nc") func writesTheFieldWithQuotingAndCounts() throws {
    let text = #"Digest realm="a\"b", nonce="n", qop="auth", algorithm=sha-256, opaque="", userhash=false"#
    let challenge = try challenge(text)
    let key = try DigestKey(for: challenge, user: "ada", password: "x", clientNonce: "c")
    var response = DigestResponse(
      challenge: challenge,
      key: key,
      quality: .authentication,
      nonceCount: 0xAB,
      clientNonce: "c",
      method: "GET",
      uri: "/?q=1"
    )
    #expect(
      response.value == #"""
        Digest username="ada", realm="a\"b", nonce="n", uri="/?q=1", response="\#(response.proof)", \#
        algorithm=sha-256, cnonce="c", opaque="", qop=auth, nc=000000ab
        """#
    )
    response = DigestResponse(
      challenge: challenge,
      key: key,
      quality: .authentication,
      nonceCount: .max,
      clientNonce: "c",
      method: "GET",
      uri: "/?q=1"
    )
    #expect(response.value.hasSuffix("nc=ffffffff"))
    #expect(!String(reflecting: key).contains(key.digest))
  }

  @Test("2.5 username, charset: raw UTF-8 unless the challenge declares the charset")
  func encodesNamesBeyondASCIIByTheCharset()
    throws
  {
    let plain = try DigestKey(
      for: challenge("Digest realm=r, nonce=n, qop=auth"),
      user: "Ju\u{308}rgen",
      password: "x",
      clientNonce: "c"
    )
    let declared = try DigestKey(
      for: challenge("Digest realm=r, nonce=n, qop=auth, charset=utf-8"),
      user: "J\u{FC}rgen",
      password: "x",
      clientNonce: "c"
    )
    #expect(plain.digest == declared.digest)
    let fields = try [plain, declared].map { key in
      DigestResponse(
        challenge: try challenge("Digest realm=r, nonce=n, qop=auth"),
        key: key,
        quality: .authentication,
        nonceCount: 1,
        clientNonce: "c",
        method: "GET",
        uri: "/"
      ).value
    }
    #expect(fields[0].hasPrefix("Digest username=\"J\u{FC}rgen\", realm"))
    #expect(fields[0].unicodeScalars.contains("\u{FC}"))
    #expect(fields[1].hasPrefix("Digest username*=UTF-8''J%C3%BCrgen, realm"))
  }

  @Test func refusesANameOrPasswordThatCannotBeSent() throws {
    let challenge = try challenge("Digest realm=r, nonce=n, qop=auth")
    #expect(throws: CredentialError.controlCharacterInUser) {
      try DigestKey(for: challenge, user: "a\n", password: "", clientNonce: "c")
    }
    #expect(throws: CredentialError.controlCharacterInPassword) {
      try DigestKey(for: challenge, user: "a", password: "\u{7F}", clientNonce: "c")
    }
    #expect(throws: CredentialError.unencodable(charset: "ISO-8859-1")) {
      try DigestKey(for: challenge, user: "€", password: "", clientNonce: "c", charset: .isoLatin1)
    }
  }

  @Test("2.5 cnonce") func clientNoncesAreLongAndDoNotRepeat() {
    let first = DigestResponse.makeClientNonce(SeededRandom(seed: 7))
    #expect(first == DigestResponse.makeClientNonce(SeededRandom(seed: 7)))
    #expect(first.utf8.count == 32)
    let nonces = (0..<100).map { _ in DigestResponse.makeClientNonce(SystemRandom()) }
    #expect(Set(nonces).count == 100)
  }

  private func challenge(_ text: String) throws -> DigestChallenge {
    try DigestChallenge(#require(AuthenticationChallenge.parse(text).challenges.first))
  }
}

extension DigestVector {
  func response() async throws -> DigestResponse {
    var parameters = [
      FieldParameter(name: "realm", value: realm), FieldParameter(name: "nonce", value: nonce),
      // A vector without one is computed without, though no such challenge is accepted but for MD5.
      FieldParameter(name: "qop", value: quality ?? "auth"),
    ]
    if let algorithm { parameters.append(FieldParameter(name: "algorithm", value: algorithm)) }
    if let opaque { parameters.append(FieldParameter(name: "opaque", value: opaque)) }
    if wantsUserHash { parameters.append(FieldParameter(name: "userhash", value: "true")) }
    if charset == "utf-8" { parameters.append(FieldParameter(name: "charset", value: "UTF-8")) }
    let challenge = try DigestChallenge(
      #require(AuthenticationChallenge(scheme: "Digest", parameters: parameters))
    )
    let clientNonce = clientNonce ?? ""
    var contentDigest: String?
    if let body {
      let content = Array(body.utf8)
      let chunks = Request.Body.source(length: Int64(content.count), isReplayable: true) {
        ScriptedSource(chunks: content.map { Bytes([$0]) })
      }
      contentDigest = try await challenge.algorithm.digest(of: chunks)
      let whole = try await challenge.algorithm.digest(of: .bytes(Bytes(content)))
      #expect(contentDigest == whole)
    }
    return DigestResponse(
      challenge: challenge,
      key: try DigestKey(
        for: challenge,
        user: user,
        password: password,
        clientNonce: clientNonce,
        charset: charset == "utf-8" ? .utf8 : .isoLatin1
      ),
      quality: quality.flatMap { DigestChallenge.Quality(rawValue: $0) },
      nonceCount: try count.map { try #require(UInt32($0, radix: 16)) } ?? 1,
      clientNonce: clientNonce,
      method: method,
      uri: uri,
      contentDigest: contentDigest
    )
  }
}
