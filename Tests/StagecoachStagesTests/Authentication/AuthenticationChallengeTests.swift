import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct AuthenticationChallengeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var number: String
    var value: String
    /// Each challenge as `scheme{name=value|name=value}` or `scheme 68:text`.
    var challenges: [String]
    var hasProblems = false

    init(_ number: String, _ value: String, _ challenges: [String], hasProblems: Bool = false) {
      self.number = number
      self.value = value
      self.challenges = challenges
      self.hasProblems = hasProblems
    }

    var testDescription: String { "\(number): \(value)" }
  }

  /// The parsing cases of the HTTP reference, by number.
  static let cases: [Case] = [
    Case("2.2 #1", #"Basic realm="a""#, ["Basic{realm=a}"]),
    Case("2.2 #2", #"basic REALM="a""#, ["basic{realm=a}"]),
    Case("2.2 #3", "Basic", ["Basic{}"]),
    Case("2.2 #4", "Basic realm=a", ["Basic{realm=a}"]),
    Case("2.2 #5", #"Basic realm = "a""#, ["Basic{realm=a}"]),
    Case("2.2 #6", #"Basic realm="a", charset="UTF-8""#, ["Basic{realm=a|charset=UTF-8}"]),
    Case("2.2 #7", #"Basic realm="a, b""#, ["Basic{realm=a, b}"]),
    Case("2.2 #8", #"Basic realm="a \"b\" \\c""#, [#"Basic{realm=a "b" \c}"#]),
    Case("2.2 #9", #"Basic realm="\a""#, ["Basic{realm=a}"]),
    Case("2.2 #10", #"Basic realm="""#, ["Basic{realm=}"]),
    Case(
      "2.2 #11",
      #"Basic realm="a", Digest realm="b", nonce="n""#,
      ["Basic{realm=a}", "Digest{realm=b|nonce=n}"]
    ),
    Case(
      "2.2 #12",
      #"Digest realm="b", nonce="n", Basic realm="a""#,
      ["Digest{realm=b|nonce=n}", "Basic{realm=a}"]
    ),
    Case("2.2 #13", #", , Basic realm="a",,Bearer ,"#, ["Basic{realm=a}", "Bearer{}"]),
    Case("2.2 #14", "Negotiate", ["Negotiate{}"]),
    Case("2.2 #15", "Negotiate YII+abc/==", ["Negotiate 68:YII+abc/=="]),
    Case("2.2 #16", #"Negotiate YII=, Basic realm="a""#, ["Negotiate 68:YII=", "Basic{realm=a}"]),
    Case("2.2 #17", #"NTLM, Negotiate, Basic realm="a""#, ["NTLM{}", "Negotiate{}", "Basic{realm=a}"]),
    Case("2.2 #18", "Basic, Bearer", ["Basic{}", "Bearer{}"]),
    Case(
      "2.2 #19",
      #"Bearer realm="r", error="invalid_token", error_description="expired, sorry""#,
      ["Bearer{realm=r|error=invalid_token|error_description=expired, sorry}"]
    ),
    Case(
      "2.2 #20",
      #"Digest qop="auth,auth-int", realm="r", nonce="n", algorithm=SHA-256"#,
      ["Digest{qop=auth,auth-int|realm=r|nonce=n|algorithm=SHA-256}"]
    ),
    Case("2.2 #21", #"Digest realm="r", nonce="n", stale=TRUE"#, ["Digest{realm=r|nonce=n|stale=TRUE}"]),
    Case("2.2 #22", #"Digest realm="r", nonce="n", qop=auth"#, ["Digest{realm=r|nonce=n|qop=auth}"]),
    Case("2.2 #23", #"Digest realm="r" , nonce="n""#, ["Digest{realm=r|nonce=n}"]),
    Case("2.2 #24", #"Digest realm="r" nonce="n""#, ["Digest{realm=r|nonce=n}"], hasProblems: true),
    Case("2.2 #25", "Digest realm=r, nonce=a==", ["Digest{realm=r|nonce=a==}"], hasProblems: true),
    Case(
      "2.2 #26",
      #"Digest realm="r", nonce=a/b+c=="#,
      ["Digest{realm=r|nonce=a/b+c==}"],
      hasProblems: true
    ),
    Case("2.2 #27", #"Basic realm="a", realm="a""#, ["Basic{realm=a}"]),
    Case("2.2 #28", #"Basic realm="a", realm="b""#, [], hasProblems: true),
    Case("2.2 #29", #"Basic realm="de"pot x""#, [#"Basic{realm=de"pot x}"#], hasProblems: true),
    Case("2.2 #30", #"Basic realm="a"#, ["Basic{realm=a}"], hasProblems: true),
    Case("2.2 #31", #"Basic realm="a\"#, ["Basic{realm=a}"], hasProblems: true),
    Case(
      "2.2 #32",
      "Basic realm=my house, Bearer",
      ["Basic{realm=my house}", "Bearer{}"],
      hasProblems: true
    ),
    Case("2.2 #33", "Basic realm='a'", ["Basic{realm='a'}"]),
    Case("2.2 #34", #"realm="a""#, [], hasProblems: true),
    Case("2.2 #35", #"Basic realm="a" junk"#, ["Basic{realm=a}", "junk{}"], hasProblems: true),
    Case("2.2 #36", "Basic realm", ["Basic 68:realm"]),
    Case("2.2 #37", "Basic realm=", ["Basic 68:realm="]),
    Case("2.2 #38", #"New p1="x", p2=y, Basic realm="a""#, ["New{p1=x|p2=y}", "Basic{realm=a}"]),
    Case("2.2 #39", #"New a=b=c, Basic realm="q""#, ["New{a=b=c}", "Basic{realm=q}"], hasProblems: true),
    Case("2.2 #40", "Basic\trealm=\"a\"", ["Basic{realm=a}"], hasProblems: true),
    Case("2.2 #41", #"Basic  realm="a""#, ["Basic{realm=a}"]),
    Case("2.2 #42", #"@bad, Basic realm="a""#, ["Basic{realm=a}"], hasProblems: true),
    Case("2.2 #43", #"Basic; realm="a""#, [], hasProblems: true),
    Case("2.2 #44", #"Bearer realm="Basic realm=\"x\"""#, [#"Bearer{realm=Basic realm="x"}"#]),
    Case(
      "2.2 #45",
      #"Digest domain="/a /b", realm="r", nonce="n", opaque="", userhash=true"#,
      ["Digest{domain=/a /b|realm=r|nonce=n|opaque=|userhash=true}"]
    ),
    Case(
      "2.2 #46",
      #"Basic realm="a",charset=utf-8,Basic realm="b""#,
      ["Basic{realm=a|charset=utf-8}", "Basic{realm=b}"]
    ),
    Case("2.2 #47", "Digest realm=r;nonce=n", ["Digest{realm=r;nonce=n}"], hasProblems: true),
    Case("2.2 #48", "", []),
    Case(
      "2.1 token68",
      "A x=, B x, C x==, D x y=z",
      ["A 68:x=", "B 68:x", "C 68:x==", "D{}", "x{y=z}"],
      hasProblems: true
    ),
    Case("2.1 empty value", #"Digest realm=, nonce="n""#, ["Digest{realm=|nonce=n}"], hasProblems: true),
    Case(
      "2.1 empty value",
      "Digest nonce=n, realm=, qop=auth",
      ["Digest{nonce=n|realm=|qop=auth}"],
      hasProblems: true
    ),
    Case("2.1 quotes in junk", #"Basic; realm="a, Digest x=y", Bearer"#, ["Bearer{}"], hasProblems: true),
    Case(
      "2.1 junk scheme",
      #"Basic realm=a, Digest; realm=b, nonce=n"#,
      ["Basic{realm=a}"],
      hasProblems: true
    ),
    Case("2.1 junk", "Digest realm=r, @x, nonce=n", ["Digest{realm=r|nonce=n}"], hasProblems: true),
    Case("2.1 missing comma", "Digest realm=r s nonce=n", ["Digest{realm=r s|nonce=n}"], hasProblems: true),
    Case(
      "2.1 missing comma",
      #"Basic realm="a" Digest nonce="n""#,
      ["Basic{realm=a}", "Digest{nonce=n}"],
      hasProblems: true
    ),
    Case(
      "2.1 behind token68",
      "Negotiate a/b, x=y, Basic",
      ["Negotiate 68:a/b", "Basic{}"],
      hasProblems: true
    ),
    Case("2.1 comma", "A a=b, c=d, B, C e=f", ["A{a=b|c=d}", "B{}", "C{e=f}"]),
    Case("2.1 empty elements", ",, \t, A a=b,,, c=d, ,B,", ["A{a=b|c=d}", "B{}"]),
    Case("2.1 quoted-pair", #"A a="\x\\y\"z\ ""#, [#"A{a=x\y"z }"#]),
    Case(
      "2.1 broken tail",
      #"A a=b, Basic realm="r", @ B"#,
      ["A{a=b}", "Basic{realm=r}"],
      hasProblems: true
    ),
    Case("2.1 duplicate parameter", "A a=b, A=b, B", ["A{a=b}", "B{}"]),
    Case(
      "RFC 9110 11.6.1",
      #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
      ["Basic{realm=simple}", #"Newauth{realm=apps|type=1|title=Login to "apps"}"#]
    ),
    Case("2.1 blanks", " \t Basic \t", ["Basic{}"]),
    Case(
      "2.1 duplicate parameter, another value",
      #"Basic realm=a, realm=b, realm=c, New x=y"#,
      ["New{x=y}"],
      hasProblems: true
    ),
    Case("9.3 octets", #"Basic realm="é""#, ["Basic{realm=é}"]),
    Case("9.3 control", "Basic realm=\"a\u{1}\"", [], hasProblems: true),
  ]

  @Test(arguments: cases)
  func readsChallengesAndReportsProblems(_ example: Case) throws {
    let (challenges, problems) = AuthenticationChallenge.parse(example.value)
    #expect(challenges.map(shown) == example.challenges)
    #expect(problems.isEmpty != example.hasProblems, "\(problems)")
    for challenge in challenges { try expectRoundTrip(challenge) }
  }

  private func shown(_ challenge: AuthenticationChallenge) -> String {
    if let token = challenge.token68 { return "\(challenge.scheme) 68:\(token)" }
    return
      "\(challenge.scheme){\(challenge.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "|"))}"
  }

  private func expectRoundTrip(_ challenge: AuthenticationChallenge) throws {
    let (again, problems) = AuthenticationChallenge.parse(challenge.description)
    #expect(again == [challenge], "\(challenge)")
    #expect(problems.isEmpty, "\(challenge): \(problems)")
  }

  @Test("2.1 several fields: each is read for itself") func eachFieldIsReadForItself() {
    var fields = HTTPFields()
    fields.append(HTTPField(name: .wwwAuthenticate, value: #"Digest realm="a"#))
    fields.append(HTTPField(name: .proxyAuthenticate, value: "Basic"))
    fields.append(HTTPField(name: .wwwAuthenticate, value: #"nonce=n"#))
    fields.append(HTTPField(name: .wwwAuthenticate, value: [UInt8]("Basic realm=\"".utf8) + [0xE4, 0x22]))
    let (challenges, problems) = AuthenticationChallenge.parse(fields, .wwwAuthenticate)
    #expect(challenges.map(shown) == ["Digest{realm=a}", "Basic{realm=ä}"])
    #expect(problems == [.unterminatedQuote(scheme: "Digest", parameter: "realm"), .skipped("nonce=n")])
    #expect(AuthenticationChallenge.parse(fields, .proxyAuthenticate).challenges.map(\.scheme) == ["Basic"])
    #expect(AuthenticationChallenge.parse(HTTPFields(), .wwwAuthenticate).challenges.isEmpty)
  }

  @Test func schemeAndParametersIgnoreCase() throws {
    let challenge = try #require(AuthenticationChallenge.parse("dIGest Realm=r, NONCE=n").challenges.first)
    #expect(challenge.isScheme("Digest"))
    #expect(!challenge.isScheme("Diges"))
    #expect(!challenge.isScheme("Dıgest"))
    #expect(challenge.realm == "r")
    #expect(challenge[parameter: "nOnce"] == "n")
    #expect(challenge[parameter: "opaque"] == nil)
  }

  @Test("2.1 limits: challenges beyond them are dropped") func dropsChallengesBeyondTheLimit() throws {
    let many = (0..<40).map { "S\($0)" }.joined(separator: ",")
    var (challenges, problems) = AuthenticationChallenge.parse(many)
    #expect(challenges.map(\.scheme) == (0..<32).map { "S\($0)" })
    #expect(problems == [.tooManyChallenges(limit: 32)])

    var fields = HTTPFields()
    for _ in 0..<20 { fields.append(HTTPField(name: .wwwAuthenticate, value: "A, B")) }
    #expect(AuthenticationChallenge.parse(fields, .wwwAuthenticate).challenges.count == 32)

    let parameters = (0..<70).map { "p\($0)=v" }.joined(separator: ",")
    (challenges, problems) = AuthenticationChallenge.parse("S \(parameters), T")
    #expect(challenges.map(\.parameters.count) == [64, 0])
    #expect(problems == [.tooManyParameters(scheme: "S", limit: 64)])

    let head = "Basic realm="
    let longest =
      head + String(repeating: "a", count: AuthenticationChallenge.maximumFieldLength - head.count)
    #expect(AuthenticationChallenge.parse(longest).challenges.count == 1)
    fields = HTTPFields()
    fields.append(HTTPField(name: .wwwAuthenticate, value: longest + "a"))
    fields.append(HTTPField(name: .wwwAuthenticate, value: "Bearer"))
    (challenges, problems) = AuthenticationChallenge.parse(fields, .wwwAuthenticate)
    #expect(challenges.map(\.scheme) == ["Bearer"])
    #expect(problems == [.fieldTooLong(limit: AuthenticationChallenge.maximumFieldLength)])

    problems = AuthenticationChallenge.parse(String(repeating: "@,", count: 1000)).problems
    #expect(problems.count == 32)
  }

  @Test func problemsNameTheDefect() {
    let problems = AuthenticationChallenge.parse("@\u{202E}\(String(repeating: "x", count: 50)), A b=\"")
      .problems
    #expect(
      problems.map(\.description) == [
        "skipped \"@ \(String(repeating: "x", count: 36))…\", which is not a challenge",
        "b of the A challenge has no closing quote",
      ]
    )
  }

  @Test func quotesParametersWhereNeeded() throws {
    let challenge = try #require(
      AuthenticationChallenge(
        scheme: "New",
        parameters: [.init(name: "Realm", value: "a\"b\\"), .init(name: "x", value: "")]
      )
    )
    #expect(challenge.description == #"New realm="a\"b\\", x="""#)
    try expectRoundTrip(challenge)
    try expectRoundTrip(#require(AuthenticationChallenge(scheme: "Negotiate", token68: "a/b==")))
    #expect(AuthenticationChallenge(scheme: "a b") == nil)
    #expect(AuthenticationChallenge(scheme: "") == nil)
    #expect(AuthenticationChallenge(scheme: "A", parameters: [.init(name: "a", value: "\n")]) == nil)
    #expect(AuthenticationChallenge(scheme: "A", parameters: [.init(name: "", value: "")]) == nil)
    #expect(
      AuthenticationChallenge(scheme: "A", parameters: [.init(name: "a", value: "", isExtended: true)]) == nil
    )
    let twice = FieldParameter(name: "a", value: "")
    #expect(AuthenticationChallenge(scheme: "A", parameters: [twice, twice]) == nil)
    for token in ["", "=", "a=b", "a b", "é"] {
      #expect(AuthenticationChallenge(scheme: "A", token68: token) == nil)
    }
  }

  /// Noise of the octets that matter: nothing crashes, and what is read can be written and read again.
  @Test func noiseNeverCrashesAndRoundTrips() throws {
    var random = SplitMix(state: 11)
    let alphabet = Array("Aab=,;\"\\ \t@/é")
    for _ in 0..<3000 {
      let text = String(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        }
      )
      for challenge in AuthenticationChallenge.parse(text).challenges { try expectRoundTrip(challenge) }
    }
  }
}
