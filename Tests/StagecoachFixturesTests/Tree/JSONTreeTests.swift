import StagecoachCore
import Testing

@testable import StagecoachFixtures

@Suite struct JSONTreeTests {
  @Test func readsLeavesWithTypeAndPath() {
    let text = #"{"a": "x", "b": [1, -2.50e3, true, null, {"c d": "e\n\u00e9\ud83d\ude00"}], "f": ""}"#
    #expect(
      TextTree(text, "application/json").listing == [
        "$.a = x", "$.b[0] = 1 (number)", "$.b[1] = -2.50e3 (number)", "$.b[2] = true (boolean)",
        "$.b[3] = null (null)", "$.b[4]['c d'] = e\né😀", "$.f = ",
      ]
    )
  }

  @Test(arguments: [
    ("\u{FEFF}{\"a\": 1}", ["$.a = 1 (number)"]),
    ("{\"a\": 1}\n{\"a\": 2}\n", ["$[0].a = 1 (number)", "$[1].a = 2 (number)"]),
    ("\u{1E}{\"a\": 1}\n\u{1E}2\n", ["$[0].a = 1 (number)", "$[1] = 2 (number)"]),
    ("\"x\"", ["/#text = x"]),
    (")]}',\n{\"a\": 1}", ["$.a = 1 (number)"]),
    ("{a: \"b\", c: d}", ["$.a = b", "$.c = d"]),
  ])
  func readsUnusualTexts(_ text: String, _ leaves: [String]) {
    let type = text.hasPrefix("\u{1E}") ? "application/json-seq" : "application/json"
    #expect(TextTree(text, type).listing == leaves)
  }

  @Test(arguments: [
    ("{\"a\": \"b\", \"c\": [1, {\"d\": \"e", ["$.a = b", "$.c[0] = 1 (number)", "$.c[1].d = e"]),
    ("{\"a\": \"b\n, \"c\": 1}", ["$.a = b", "$.c = 1 (number)"]),
    ("{\"a\" \"b\"]}}, \"c\": \"d\"}", ["$[''] = a", "$[''] = b", "$.c = d"]),
    ("n\": \"b\", \"c\": \"d\"}, {\"e\": 1", ["$[0] = b", "$.c = d", "$[2].e = 1 (number)"]),
  ])
  func readsBrokenTextsAsFarAsPossible(_ text: String, _ leaves: [String]) {
    #expect(TextTree(text, "application/json").listing == leaves)
  }

  @Test func rewritesOnlyTheChangedLeaf() {
    let text = "{ \"a\\u0062\" : \"\\u00e9\\/\",\r\n\t\"b\":1.0e0 ,\"c\":{ } }"
    let tree = TextTree(text)
    #expect(tree.rewritten { _ in .inside } == tree.text)
    #expect(tree.replacing("$.ab", with: "\"\\\n") == text.replacing("\\u00e9\\/", with: "\\\"\\\\\\n"))
    #expect(tree.replacing("$.b", with: "7.5e1") == text.replacing("1.0e0", with: "7.5e1"))
  }

  @Test func readsFormatsInsideStrings() {
    let text =
      #"{"j": "{\"a\": [\"b\", 1]}", "u": "https://u:p%40@h/x/y?code=a%20b#f", "f": "a=1&b=x+y", "x": "<a b='c'>d</a>"}"#
    let tree = TextTree(text)
    #expect(
      tree.listing.filter { $0.contains(">") && $0.contains(" = ") && !$0.hasSuffix("</a>") } == [
        "$.j>$.a[0] = b", "$.j>$.a[1] = 1 (number)", "$.u>authority.user = u", "$.u>authority.password = p@",
        "$.u>path[0] = x", "$.u>path[1] = y", "$.u>query.code = a b", "$.u>fragment = f", "$.f>a = 1",
        "$.f>b = x y",
        "$.x>/a/@b = c", "$.x>/a/#text = d",
      ]
    )
    #expect(tree.replacing("$.j>$.a[0]", with: "\"") == text.replacing("\\\"b\\\"", with: #"\"\\\"\""#))
    #expect(
      tree.replacing("$.u>query.code", with: "SECRET-CODE-1")
        == text.replacing("a%20b", with: "SECRET-CODE-1")
    )
  }

  @Test func readsCredentialsInsideStrings() {
    let text =
      #"{"a": "Bearer abcdefgh.12345678", "b": "Basic dTpw", "c": "Digest username=\"u\"", "d": "Basic plan", "e": "Bearer it"}"#
    #expect(
      TextTree(text).listing.filter { $0.contains(">") } == [
        "$.a>Bearer/#text = abcdefgh.12345678", "$.b>Basic/#text = dTpw", "$.b>Basic/#text>user = u",
        "$.b>Basic/#text>password = p", "$.c>Digest.username = u",
      ]
    )
  }

  @Test func readsTheClaimsOfWebTokens() {
    let text = #"["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "a.b.c", "eyJhbGciOiJkaXIifQ..aXY.eA.dA"]"#
    let tree = TextTree(text)
    #expect(
      tree.listing.filter { $0.contains(">") } == [
        "$[0]>header = eyJhbGciOiJIUzI1NiJ9", "$[0]>header>$.alg = HS256", "$[0]>payload = eyJzdWIiOiIxIn0",
        "$[0]>payload>$.sub = 1", "$[0]>signature = c2ln", "$[2]>header = eyJhbGciOiJkaXIifQ", "$[2]>key = ",
        "$[2]>vector = aXY", "$[2]>payload = eA", "$[2]>tag = dA",
      ]
    )
    #expect(
      tree.replacing("$[0]>payload>$.sub", with: "22")
        == text.replacing("eyJzdWIiOiIxIn0", with: "eyJzdWIiOiIyMiJ9")
    )
  }

  @Test func readsTextInsideBase64() {
    func encoded(_ text: String, urlSafe: Bool = false) -> String {
      String(decoding: Base64.encode(Array(text.utf8), urlSafe: urlSafe), as: UTF8.self)
    }
    func leaves(of value: String) -> [String] {
      TextTree("{\"v\": \"\(value)\"}").listing.dropFirst().map { String($0.dropFirst(4)) }
    }
    #expect(leaves(of: encoded("{\"a\": \"b?b?b\"}", urlSafe: true)) == ["$.a = b?b?b"])
    #expect(leaves(of: encoded("<Response ID='1'/>")) == ["/Response/@ID = 1"])
    #expect(leaves(of: encoded("grant=x&token=abc")) == ["grant = x", "token = abc"])
    #expect(leaves(of: encoded("name:password123")) == ["user = name", "password = password123"])
    #expect(
      leaves(of: encoded(encoded("name:password123"))).last == "/#text>password = password123"
    )
    let lines = encoded("{\"token\": \"of the user\"}")
    let split = "\(lines.prefix(20))\\n\(lines.dropFirst(20))"
    #expect(leaves(of: split) == ["$.token = of the user"])
    let other = encoded("{\"token\": \"of another\"}")
    #expect(
      TextTree("[\"\(split)\"]").replacing("$[0]>$.token", with: "of another")
        == "[\"\(other.prefix(20))\\n\(other.dropFirst(20))\"]"
    )
    for value in [
      "authorizationcode", "0123456789abcdef0123456789abcdef", encoded("plain words, no more"), "name:pw",
    ] {
      #expect(leaves(of: value).isEmpty, "\(value)")
    }
    // Not what encodes its octets: the bits behind the last one are not 0.
    #expect(leaves(of: "bmFtZTpwYXNzd29yZDE=".replacing("DE=", with: "DF=")).isEmpty)
  }
}
