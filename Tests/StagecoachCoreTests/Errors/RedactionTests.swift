import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct RedactionTests {
  /// A text of an error, and what is shown of it.
  @Test(arguments: [
    (#"{"access_token":"eyJ0","expires_in":"3600"}"#, #"{"access_token":[redacted],"expires_in":"3600"}"#),
    (#"{"a" : {"Password" : "x\"y", "b":1}}"#, #"{"a" : {"Password" : [redacted], "b":1}}"#),
    (#"{"session":{"id":"s","n":[1,"]"]},"c":2}"#, #"{"session":[redacted],"c":2}"#),
    (#"{"client_secret":"cut o"#, #"{"client_secret":[redacted]"#),
    (#"{"api_key":12345,"code":404}"#, #"{"api_key":[redacted],"code":404}"#),
    ("a=1&token=abc&b=2", "a=1&token=[redacted]&b=2"),
    ("refresh_token=abc", "refresh_token=[redacted]"),
    ("<a><password>x y</password><b>z</b></a>", "<a><password>[redacted]</password><b>z</b></a>"),
    (#"<login secret="s" name="n"/>"#, #"<login secret=[redacted] name="n"/>"#),
    ("invalid token: please log in", "invalid token: [redacted] log in"),
    (#"{"author":"Ada","token"}"#, #"{"author":"Ada","token"}"#),
    (
      #"{"privateKey":"s","client_assertion":"s","otp":1}"#,
      #"{"privateKey":[redacted],"client_assertion":[redacted],"otp":[redacted]}"#
    ),
    (
      #"{"device_code":"s","user_code":"s","totp":1,"Passwort":"s","_csrf":"s"}"#,
      #"{"device_code":[redacted],"user_code":[redacted],"totp":[redacted],"Passwort":[redacted],"_csrf":[redacted]}"#
    ),
    (
      #"{"Пароль":"s","mot_de_passe":"s","senha":"s"}"#,
      #"{"Пароль":[redacted],"mot_de_passe":[redacted],"senha":[redacted]}"#
    ),
    (
      #"{"hasLocation":1,"theSlot":2,"passOrder":3,"usher":4,"lessenHassle":5}"#,
      #"{"hasLocation":1,"theSlot":2,"passOrder":3,"usher":4,"lessenHassle":5}"#
    ),
    ("", ""), ("\"", "\""), ("token=", "token=[redacted]"), ("token", "token"),
    ("{\"token\":", "{\"token\":[redacted]"),
  ])
  func contentLosesTheSecretsThatHaveNames(text: String, shown: String) {
    #expect(Redaction.excerpt(text) == shown)
    // Wherever it is cut off.
    for end in text.utf8.indices {
      if let start = String(text.utf8[..<end]) { _ = Redaction.excerpt(start) }
    }
  }

  @Test(arguments: [
    ("/", "/"), ("/a?b=c", "/a?b=c"), ("/?", "/?"), ("/?token", "/?token"),
    ("/?token=", "/?token=[redacted]"),
    ("/?token=s", "/?token=[redacted]"), ("/?a=1&Access_Token=s&b=2", "/?a=1&Access_Token=[redacted]&b=2"),
    ("/?a&&password=s=t&", "/?a&&password=[redacted]&"),
    ("/?X-Amz-Signature=s", "/?X-Amz-Signature=[redacted]"),
    ("/?sig=s&key=s&code=s&pass=s", "/?sig=[redacted]&key=[redacted]&code=[redacted]&pass=[redacted]"),
    ("/?private_key=s&assertion=s&otp=s", "/?private_key=[redacted]&assertion=[redacted]&otp=[redacted]"),
    (
      "/?client_assertion=s&otpCode=s&x-otp=s",
      "/?client_assertion=[redacted]&otpCode=[redacted]&x-otp=[redacted]"
    ),
    (
      "/?private%5Fkey=s&%74oken=s&accessKey=s",
      "/?private%5Fkey=[redacted]&%74oken=[redacted]&accessKey=[redacted]"
    ),
    ("/?footpath=1&cooking=1&sortOption=1", "/?footpath=1&cooking=1&sortOption=1"),
    ("/?keyboard=us&coder=1&design=2", "/?keyboard=us&coder=1&design=2"),
    ("/?client_secret=s?token=t", "/?client_secret=[redacted]"), ("/token=s", "/token=s"),
    ("/cb#access_token=s&state=1", "/cb#access_token=[redacted]&state=1"),
    ("/?token=s#part&x=1", "/?token=[redacted]#part&x=1"),
    ("/?auth[token]=s", "/?auth[token]=[redacted]"), ("/?auth%5Btoken%5D=s", "/?auth%5Btoken%5D=[redacted]"),
  ])
  func queriesLoseTheirSecrets(target: String, redacted: String) {
    #expect(Redaction.target(target) == redacted)
  }

  @Test func fieldsLoseTheirSecretsAndKeepTheirOrder() {
    let fields: HTTPFields = [
      .accept: "a", .authorization: "s", .cookie: "s", HTTPField.Name("x-api-key")!: "s", .server: "b",
      .proxyAuthorization: "s", .setCookie: "s", .setCookie: "s", HTTPField.Name("X-Auth-Token")!: "s",
      HTTPField.Name("Api-Key")!: "s", HTTPField.Name("X-Amz-Security-Token")!: "s",
      HTTPField.Name("X-CSRF-Token")!: "s", HTTPField.Name("X-Client-Secret")!: "s",
      HTTPField.Name("X-Auth")!: "s", HTTPField.Name("X-Access-Key")!: "s", HTTPField.Name("X-OTP")!: "s",
      .wwwAuthenticate: "Basic", HTTPField.Name("X-Author")!: "c",
    ]
    let redacted = Redaction.fields(fields)
    #expect(redacted.map(\.name) == fields.map(\.name))
    #expect(redacted.filter { $0.value != "[redacted]" }.map(\.value) == ["a", "b", "Basic", "c"])
  }

  @Test func urlsInFieldsLoseTheirSecretsToo() {
    let fields: HTTPFields = [
      .location: "https://u:p@h/cb?code=s&state=1", .referer: "http://h/?token=s",
      .contentLocation: "/a?sig=s",
      HTTPField.Name("Link")!: "</?token=public>",
    ]
    #expect(
      Redaction.fields(fields).map(\.value) == [
        "https://[redacted]@h/cb?code=[redacted]&state=1", "http://h/?token=[redacted]", "/a?sig=[redacted]",
        "</?token=public>",
      ]
    )
  }

  /// What ends an authority may be a part of a password that nobody encoded: then there is no port.
  @Test(arguments: [
    ("http://h/x@y", "http://h/x@y"), ("http://u@h/x@y", "http://[redacted]@h/x@y"),
    ("http://h:80/x@y", "http://h:80/x@y"), ("http://[::1]:80/x@y", "http://[::1]:80/x@y"),
    ("http://ä.example/x@y", "http://ä.example/x@y"), ("http://u:p/w@h/x", "http://[redacted]@h/x"),
    ("http://u:p?w@h/x", "http://[redacted]@h/x"), ("http://u:99999/w@h/x", "http://[redacted]@h/x"),
    ("http://[u/w@h/x", "http://[redacted]@h/x"),
  ])
  func hidesPasswordsThatAreNotEncoded(url: String, shown: String) {
    #expect(Redaction.fields([.referer: url]).map(\.value) == [shown])
  }

  @Test func headsLoseUserInformationAndSecrets() {
    let request = HTTPRequest(
      method: .get,
      scheme: "https",
      authority: "user:t0p@h:1",
      path: "/?token=s",
      headerFields: [.authorization: "s"]
    )
    let head = Redaction.head(request)
    #expect(head.authority == "[redacted]@h:1")
    #expect(head.path == "/?token=[redacted]")
    #expect(head.headerFields[.authorization] == "[redacted]")
    #expect(Redaction.url(of: request) == "https://[redacted]@h:1/?token=[redacted]")
    #expect(
      Redaction.head(HTTPResponse(status: .ok, headerFields: [.setCookie: "s"])).headerFields[.setCookie]
        == "[redacted]"
    )
  }

  @Test func aRequestWithoutTargetHasNoURL() {
    #expect(Redaction.url(of: HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)) == "")
  }

  @Test func whatIsHarmlessIsNotTouched() {
    let fields: HTTPFields = [.accept: "a", .location: "/b?c=d"]
    #expect(Redaction.fields(fields) == fields)
  }
}
