import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

@Suite struct RedactorTests {
  private func redacted(field name: String, _ value: String) throws -> String {
    let name = try #require(HTTPField.Name(name))
    let message = RedactableMessage(
      method: "GET",
      target: "/",
      fields: HTTPFields([HTTPField(name: name, value: value)])
    )
    return try redactAll([message]).messages[0].fields[0].value
  }

  private func redacted(_ body: String, _ type: MediaType?) throws -> String {
    try redactAll([.init(response: [:], body: Bytes(body), mediaType: type)]).messages[0].text
  }

  @Test(
    arguments: [
      ("Authorization", "Bearer abcdef123", "Bearer {{secret:AUTHORIZATION#1}}"),
      ("authorization", "abcdef123", "{{secret:AUTHORIZATION#1}}"),
      ("Authorization", "Basic \(EncodedSecret.base64("bob:hunter22"))", "Basic {{secret:BASIC#1}}"),
      ("Proxy-Authorization", "Bearer x.y", "Bearer {{secret:PROXY_AUTHORIZATION#1}}"),
      (
        "Authorization",
        "Digest username=\"bob\", realm=\"r\", nonce=\"n\", uri=\"/\", response=\"6629fae49393a05397450978507c4ef1\", "
          + "qop=auth, nc=00000001, cnonce=\"0a4f113b\", algorithm=MD5, opaque=\"5ccc\"",
        "Digest username=\"bob\", realm=\"r\", nonce=\"n\", uri=\"/\", response=\"{{secret:DIGEST_RESPONSE#1}}\", "
          + "qop=auth, nc=00000001, cnonce=\"0a4f113b\", algorithm=MD5, opaque=\"5ccc\""
      ),
      (
        "Authorization", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/x, SignedHeaders=host, Signature=5d672d79",
        "AWS4-HMAC-SHA256 {{secret:AUTHORIZATION#1}}"
      ),
      (
        "Cookie", "a=1234567; theme=dark; b=\"q w\"",
        "a={{secret:A#1}}; theme={{secret:THEME#1}}; b=\"{{secret:B#1}}\""
      ),
      (
        "Set-Cookie", "sid=31d4d96e; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly",
        "sid={{secret:SID#1}}; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly"
      ),
      ("Cookie", "a=1; b=true", "a={{secret:A#1}}; b={{secret:B#1}}"),
      ("Set-Cookie", "sid=; Max-Age=0", "sid=; Max-Age=0"),
      ("X-Api-Key", "abc", "{{secret:X_API_KEY#1}}"),
      ("Access-Control-Allow-Credentials", "true", "true"),
      ("WWW-Authenticate", "Digest realm=\"r\", nonce=\"abc\"", "Digest realm=\"r\", nonce=\"abc\""),
      ("Location", "https://a/?code=abc123def&state=x", "https://a/?code={{secret:CODE#1}}&state=x"),
      ("Referer", "https://bob:pa55word@a/", "https://bob:{{secret:URL_PASSWORD#1}}@a/"),
      (
        "Link", "<https://a/?page=2&api_key=k1k2k3>; rel=next",
        "<https://a/?page=2&api_key={{secret:API_KEY#1}}>; rel=next"
      ),
      ("X-Note", "key ghp_0123456789abcdefghijABCDEFGHIJ012345.", "key {{secret:GIT_HUB_TOKEN#1}}."),
    ] as [(String, String, String)]
  )
  func fields(name: String, value: String, expected: String) throws {
    #expect(try redacted(field: name, value) == expected)
  }

  @Test(
    arguments: [
      ("{\"token\":\"a\\\"b/c\",\"n\":1}", "{\"token\":\"{{secret:TOKEN#1}}\",\"n\":1}", .json),
      ("{\"otp\": 123456, \"pin_token\": 12}", "{\"otp\": \"{{secret:OTP#1}}\", \"pin_token\": 12}", .json),
      (
        "{\"a\":[{\"password\":\"p4ssw0rd\"},\"p4ssw0rd\"]}",
        "{\"a\":[{\"password\":\"{{secret:PASSWORD#1}}\"},\"{{secret:PASSWORD#1}}\"]}", .json
      ),
      ("a=1&session=true&token=1", "a=1&session={{secret:SESSION#1}}&token={{secret:TOKEN#1}}", .form),
      ("{\"session\": true, \"token\": \"none\"}", "{\"session\": true, \"token\": \"none\"}", .json),
      ("data: {\"token\": \"abc123\"}\n\n", "data: {\"token\": \"{{secret:TOKEN#1}}\"}\n\n", .eventStream),
      ("{\"token\": \"cut off", "{\"token\": \"{{secret:TOKEN#1}}", .json),
      ("a=1&user%5Bpassword%5D=x+y&b=2", "a=1&user%5Bpassword%5D={{secret:USER_PASSWORD#1}}&b=2", .form),
      (
        "payload=%7B%22token%22%3A%22abc123def%22%7D", "payload=%7B%22token%22%3A%22{{secret:TOKEN#1}}%22%7D",
        .form
      ),
      (
        "<r><t:Token xmlns:t='u'>abc &amp; d</t:Token></r>",
        "<r><t:Token xmlns:t='u'>{{secret:TOKEN#1}}</t:Token></r>", .xml
      ),
      (
        "<r secretKey='x1'><![CDATA[y]]></r>", "<r secretKey='{{secret:SECRET_KEY#1}}'><![CDATA[y]]></r>",
        .xml
      ),
      (
        "<Password><![CDATA[a<b]]></Password>", "<Password><![CDATA[{{secret:PASSWORD#1}}]]></Password>", .xml
      ),
      (
        "<dict><key>ApiToken</key><string>abc123</string></dict>",
        "<dict><key>ApiToken</key><string>{{secret:API_TOKEN#1}}</string></dict>", .propertyList
      ),
      (
        "<meta name=\"csrf-token\" content=\"ab==\">",
        "<meta name=\"csrf-token\" content=\"{{secret:CSRF_TOKEN#1}}\">",
        .html
      ),
      (
        #"{"query": "mutation { login(user: \"bob\", password: \"p4ss-word\") { ok } }"}"#,
        #"{"query": "mutation { login(user: \"bob\", password: \"{{secret:PASSWORD#1}}\") { ok } }"}"#, .json
      ),
      ("var apiKey = 'abc123';", "var apiKey = '{{secret:API_KEY#1}}';", .javaScript),
      ("card 4111 1111 1111 1111.", "card {{secret:CARD_NUMBER#1}}.", .plainText),
      (
        "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl!", "jwt {{secret:JSON_WEB_TOKEN#1}}!",
        .plainText
      ),
      (
        "{\"k\":\"-----BEGIN RSA PRIVATE KEY-----\\nMIIBOgIBAAJBAKj34\\nGkxFhD90\\n-----END RSA PRIVATE KEY-----\\n\"}",
        "{\"k\":\"-----BEGIN RSA PRIVATE KEY-----\\n{{secret:PRIVATE_KEY#1}}\\n-----END RSA PRIVATE KEY-----\\n\"}",
        .json
      ),
    ] as [(String, String, MediaType)]
  )
  func bodies(body: String, expected: String, type: MediaType) throws {
    #expect(try redacted(body, type) == expected)
    #expect(try redacted(expected, type) == expected)
  }

  @Test func ordinaryTextsStay() throws {
    let texts: [(String, MediaType)] = [
      (
        """
        {"id": 4012888888881882345, "created": 1761224400123, "author": "Tolkien", "code": "not_found", "key": "PROJ-12",
        "token_type": "Bearer", "usage": {"prompt_tokens": 1234567, "max_tokens": 4096}, "session": null,
        "uuid": "550e8400-e29b-41d4-a716-446655440000", "sha": "7fd1a60b01f91b314f59955a4e4d4e80d8edf11d",
        "authorization_endpoint": "https://a.test/authorize", "password_policy": "required", "error": {"code": 404},
        "scopes_supported": ["openid"], "text": "The secret of the password: \\"keep the token\\".", "price": 37.144963
        , "etag": "W/\\"33a64df551425fcc55e4d42a148795d9f25f89d4\\"", "image": "data:image/png;base64,iVBORw0KGgoAAAANS"}
        """, .json
      ),
      (
        """
        <!DOCTYPE html><html><head><title>Sign in: password & token</title><meta name="keywords" content="auth, key">
        <meta name="author" content="Somebody Else"></head><body><form action="/login?next=/a&amp;page=2">
        <input type="password" name="password" placeholder="Your password"><input name="code" value="EN">
        <code>let token = read()</code><a accesskey="n" href="/n">n</a><p>See <a href="/docs?section=tokens#authorization">the Bearer scheme</a>.</p>
        <script>var page = {"name": "home", "count": 3}; if (a < b && c) { x = "key=value" }</script></body></html>
        """, .html
      ),
      ("<Error><Code>NoSuchKey</Code><Key>photos/2026/a.jpg</Key></Error>", .xml),
      (
        "Basic knowledge of Bearer tokens; call +49 30 1234 5678 9012 or see eyJ for more. sk_live_ is a prefix.",
        .plainText
      ),
      ("name=Joe+Bloggs&page=2&author=Tolkien&sort=created_at", .form),
    ]
    for (text, type) in texts {
      #expect(try redacted(text, type) == text)
      #expect(SecretScan().findings(in: "a", Bytes(text)).isEmpty)
    }
  }

  @Test func laterFindingsReplaceEarlierOccurrences() throws {
    let (_, messages) = try redactAll([
      .init(method: "GET", target: "/users/tok_9f8e7d6c?x=1"),
      .init(
        response: [.init("X-Echo")!: "tok_9f8e7d6c"],
        body: "{\"access_token\":\"tok_9f8e7d6c\"}",
        mediaType: .json
      ),
      .init(
        method: "GET",
        target: "/",
        fields: [
          .authorization: "Bearer tok_9f8e7d6c", .init("X-Copy")!: EncodedSecret.base64("tok_9f8e7d6c"),
        ]
      ),
    ])
    #expect(messages[0].target == "/users/{{secret:ACCESS_TOKEN#1}}?x=1")
    #expect(messages[1].fields[0].value == "{{secret:ACCESS_TOKEN#1}}")
    #expect(messages[2].fields[.authorization] == "Bearer {{secret:ACCESS_TOKEN#1}}")
    #expect(messages[2].fields[.init("X-Copy")!] == "{{secret:ACCESS_TOKEN#1}}")
  }

  @Test func aPasswordOfBasicCredentialsIsReplacedElsewhere() throws {
    let (_, messages) = try redactAll([
      .init(
        method: "GET",
        target: "/",
        fields: [.authorization: "Basic \(EncodedSecret.base64("bob:pass:w0rd"))"]
      ),
      .init(response: [:], body: Bytes("pass:w0rd, bob:pass:w0rd, \(EncodedSecret.base64("bob:pass:w0rd"))")),
    ])
    #expect(messages[1].text == "{{secret:BASIC_PASSWORD#1}}, {{secret:BASIC#1}}, {{secret:BASIC#1}}")
  }

  @Test func options() throws {
    var options = RedactionOptions()
    options.secretNames = ["X-Tenant", "invoice_number"]
    options.allowedNames = ["lang", "CODE"]
    options.secretValues = ["open-sesame7"]
    options.detector = { $0.contains("EMP-0042") ? ["EMP-0042"] : [] }
    let message = RedactableMessage(
      method: "POST",
      target: "/EMP-0042?code=abc123",
      fields: [.init("x-tenant")!: "acme", .cookie: "lang=english; a=open-sesame7"],
      body: "{\"invoiceNumber\": \"7\", \"text\": \"say open-sesame7\"}",
      mediaType: .json
    )
    let result = try redactAll([message], options).messages[0]
    #expect(result.target == "/{{secret:CUSTOM#1}}?code=abc123")
    #expect(result.fields[0].value == "{{secret:X_TENANT#1}}")
    #expect(result.fields[1].value == "lang=english; a={{secret:A#1}}")
    #expect(
      result.text == "{\"invoiceNumber\": \"{{secret:INVOICE_NUMBER#1}}\", \"text\": \"say {{secret:A#1}}\"}"
    )
    options.redactsBodies = false
    let (redactor, messages) = try redactAll([message], options)
    #expect(messages[0].body == message.body)
    #expect(redactor.leakProof.leaks(in: messages[0].files).count == 1)
    var dumped = ""
    dump(options, to: &dumped)
    #expect(!dumped.contains("open-sesame7") && !"\(options)".contains("open-sesame7"))
  }

  @Test func aLiveRequestEqualsTheRecordedOne() throws {
    func login(_ password: String, _ key: String, _ sid: String) -> RedactableMessage {
      .init(
        method: "POST",
        target: "/login?api_key=\(key)",
        fields: [.authorization: "Basic \(EncodedSecret.base64("bob:\(password)"))", .cookie: "sid=\(sid)"],
        body: Bytes("{\"password\": \"\(password)\", \"user\": \"bob\"}"),
        mediaType: .json
      )
    }
    func query(_ token: String, _ encoding: EncodedSecret) -> RedactableMessage {
      .init(
        method: "GET",
        target: "/me?access_token=\(encoding(token))",
        fields: [.authorization: "Bearer \(token)", .init("X-Copy")!: EncodedSecret.base64("t=\(token)")]
      )
    }
    let response = RedactableMessage(
      response: [:],
      body: "{\"access_token\": \"recorded/token1\"}",
      mediaType: .json
    )
    let recorded = try redactAll(
      [login("recorded-pw", "k3y-recorded", "1a2b3c4d"), response, query("recorded/token1", .percent)]
    ).messages

    let live = Redactor()
    try live.learn(recorded)
    #expect(try live.redact(login("another-pw!", "k3y-live", "zzz999zzz")) == recorded[0])
    // The client sends what the replayed response contained.
    #expect(try live.redact(query("{{secret:ACCESS_TOKEN#1}}", .percent)) == recorded[2])
    #expect(try live.redact(query("{{secret:ACCESS_TOKEN#1}}", .form)) == recorded[2])
    // Or its own token; the copy in base64 is known by then.
    #expect(try live.redact(query("another-live-token", .percent)) == recorded[2])
    #expect(live.leakProof.leaks(in: recorded.flatMap(\.files)).isEmpty)
  }

  @Test func severalRecordedValuesAreNotConfused() throws {
    func get(_ path: String, _ token: String) -> RedactableMessage {
      .init(method: "GET", target: path, fields: [.authorization: "Bearer \(token)"])
    }
    let recorded = try redactAll([
      get("/a", "token-one-1"), get("/b", "token-two-2"), get("/c", "t1t1t1"), get("/c", "t2t2t2"),
    ])
    .messages
    let live = Redactor()
    try live.learn(recorded)
    #expect(try live.redact(get("/b", "live-two")) == recorded[1])
    #expect(try live.redact(get("/a", "live-one")) == recorded[0])
    let other = try live.redact(get("/c", "live-three")).fields[0].value
    #expect(other == "Bearer {{secret:AUTHORIZATION#5}}")
  }

  @Test func limits() throws {
    let large = RedactableMessage(
      response: [:],
      body: Bytes([UInt8](repeating: 0, count: Redactor.maxPartSize + 1))
    )
    #expect(throws: RedactionError.tooLarge(limit: Redactor.maxPartSize)) { try Redactor().redact(large) }
    let query = (0...Redactor.maxSecretCount).map { "token=value\($0)" }.joined(separator: "&")
    #expect(throws: RedactionError.tooManySecrets(limit: Redactor.maxSecretCount)) {
      try Redactor().learn([.init(method: "GET", target: "/?\(query)")])
    }
  }
}
