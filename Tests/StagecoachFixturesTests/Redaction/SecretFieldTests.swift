import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

/// Secrets in fields, markup, parts and signatures.
struct SecretFieldTests {
  @Test(arguments: [
    ("Authorization", "Bearer abc", ["abc"]), ("Authorization", "Basic am86aHVudGVyMg==", ["hunter2"]),
    ("Authorization", "Basic c2tfYWJjMTIzOg==", ["sk_abc123"]), ("Authorization", "Token abc", ["abc"]),
    ("Authorization", "abc", ["abc"]), ("Proxy-Authorization", "Basic am86aHVudGVyMg==", ["hunter2"]),
    (
      "Authorization",
      #"Digest username="jo", realm="r", nonce="n1", uri="/", response="6629fae", qop=auth, nc=00000001, cnonce="0a4f""#,
      ["6629fae", "00000001", "0a4f"]
    ),
    (
      "Authorization",
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=host;x-amz-date, Signature=5d672d",
      ["AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request", "5d672d"]
    ),
    (
      "Authorization",
      #"OAuth realm="x", oauth_consumer_key="0685bd91", oauth_token="ad180jjd", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1", oauth_nonce="7d8f", oauth_signature="wOJIO9A2""#,
      ["0685bd91", "ad180jjd", "1", "7d8f", "wOJIO9A2"]
    ),
    ("X-Api-Key", "abc", ["abc"]), ("Ocp-Apim-Subscription-Key", "abc", ["abc"]),
    ("x-functions-key", "abc", ["abc"]),
    ("DD-APPLICATION-KEY", "abc", ["abc"]), ("DD-API-KEY", "abc", ["abc"]), ("X-Vault-Token", "abc", ["abc"]),
    ("X-CSRF-Token", "abc", ["abc"]), ("X-Auth-Key", "abc", ["abc"]), ("X-Honeycomb-Team", "abc1", ["abc1"]),
    ("X-Rapid-Key", "q7Hw2LzX9bRt4KpV0sDm", ["q7Hw2LzX9bRt4KpV0sDm"]), ("X-Session-Id", "abc", ["abc"]),
    ("X-Auth", "user=jo, token=abc", ["abc"]), ("X-Session-Timeout", "30", []), ("X-Token-Type", "jwt", []),
    ("X-Auth-User", "jo", []), ("X-Auth-Email", "jo@example.com", []),
    ("Idempotency-Key", "q7Hw2LzX9bRt4KpV0sDm", []),
    ("Sec-WebSocket-Key", "q7Hw2LzX9bRt4KpV0sDmAA==", []), ("Surrogate-Key", "a b", []),

    ("Access-Control-Allow-Headers", "X-Api-Key, Authorization", []), ("Authority", "example.com", []),
    ("WWW-Authenticate", #"Bearer realm="api", error="invalid_token""#, []),
    ("WWW-Authenticate", #"Digest realm="r", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#, []),
    ("Authentication-Info", #"rspauth="6629fae", nextnonce="abc""#, ["6629fae"]),
    ("Location", "https://app.example/cb?code=abc&state=xyz", ["abc", "xyz"]),
    ("Location", "/users/1234567890123456", []),
    ("Referer", "https://app.example/?token=abc&lang=de", ["abc"]),
    ("Link", #"<https://api.example/?page=2&access_token=abc>; rel="next""#, ["abc"]),
    ("Cookie", "sid=abc; theme=dark; lang=de", ["abc"]),
    ("Cookie", "PHPSESSID=1; _ga=GA1.2.1234567890.1234567890", []),
    ("Cookie", "connect.sid=s%3Aabc; JSESSIONID=1AB; sidebar=collapsed; country=DE", ["s:abc", "1AB"]),
    ("Cookie", "prefs=q7Hw2LzX9bRt4KpV0sDm; tz=Europe/Berlin; visits=12", ["q7Hw2LzX9bRt4KpV0sDm"]),
    ("Set-Cookie", "laravel_session=abc; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly", ["abc"]),
    ("Set-Cookie", "theme=dark; Path=/session; Domain=.token.example", []),
    ("Set-Cookie", "remember_me=deleted; Max-Age=0", []), ("Set-Cookie", "XSRF-TOKEN=abc; Secure", ["abc"]),
  ]) func findsTheSecretsOfAField(name: String, value: String, secrets: [String]) {
    #expect(JudgedMessage(.field(name, value)).values == secrets)
  }

  @Test func knowsTheNamesOfCredentials() {
    #expect(JudgedMessage(.field("Authorization", "Basic am86aHVudGVyMg==")).names == ["BASIC_PASSWORD"])
    #expect(JudgedMessage(.field("Authorization", "Bearer abc")).names == ["AUTHORIZATION"])
    #expect(JudgedMessage(.field("Cookie", "connect.sid=abc")).names == ["CONNECT_SID"])
    #expect(JudgedMessage(.field("X-Api-Key", "abc")).names == ["X_API_KEY"])
    #expect(JudgedMessage(.get("https://jo:hunter@db.example/")).names == ["URL_PASSWORD"])
  }

  @Test(arguments: [
    (
      "/o?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=A%2F2&X-Amz-Date=20240101T000000Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=abc",
      ["SIGNATURE_CREDENTIAL", "SIGNATURE_DATE", "SIGNATURE_EXPIRES", "SIGNATURE"]
    ),
    (
      "/o?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=a&X-Goog-Date=1&X-Goog-Expires=2&X-Goog-Signature=abc",
      ["SIGNATURE_CREDENTIAL", "SIGNATURE_DATE", "SIGNATURE_EXPIRES", "SIGNATURE"]
    ),
    (
      "/c/b?sv=2022-11-02&sr=b&sp=r&st=2024-01-01&se=2024-01-02&skoid=a&sig=abc%3D",
      ["SIGNATURE_ST", "SIGNATURE_SE", "SIGNATURE_SKOID", "SIGNATURE"]
    ),
    (
      "/o?AWSAccessKeyId=a&Expires=1700000000&Signature=abc",
      ["SIGNATURE_AWSACCESSKEYID", "SIGNATURE_EXPIRES", "SIGNATURE"]
    ),
    (
      "/o?oauth_nonce=a&oauth_timestamp=1&oauth_signature=abc&oauth_version=1.0",
      ["SIGNATURE_NONCE", "SIGNATURE_TIMESTAMP", "SIGNATURE"]
    ),
  ]) func findsTheParametersOfASignature(target: String, names: [String]) {
    let judged = JudgedMessage(.get(target))
    #expect(judged.names == names)
    #expect(judged.names.allSatisfy(SecretJudge.isOneTime))
  }

  @Test func otherParametersAreNotASignature() {
    #expect(JudgedMessage(.get("/?se=1&st=2&expires=3&policy=4&signature_type=5")).values == [])
    for name in ["ACCESS_TOKEN", "PASSWORD", "CODE", "AUTHORIZATION", "DIGESTS", "X_SIGNATURE_KEY"] {
      #expect(!SecretJudge.isOneTime(name))
    }
    #expect(SecretJudge.isOneTime("DIGEST_RESPONSE"))
  }

  @Test(arguments: [
    (#"<add key="DbPassword" value="abc"/>"#, ["abc"]), (#"<add key="Theme" value="dark"/>"#, []),
    (#"<password>abc</password>"#, ["abc"]),
    (#"<wsse:Password Type="PasswordText">a b</wsse:Password>"#, ["a b"]),
    (#"<user password="abc" tz="x"/>"#, ["abc"]), (#"<property name="password">abc</property>"#, ["abc"]),
    (
      #"<plist><dict><key>ApiToken</key><string>abc</string><key>Name</key><string>x</string></dict></plist>"#,
      ["abc"]
    ),
    (#"<struct><member><name>password</name><value><string>abc</string></value></member></struct>"#, ["abc"]),
    (#"<struct><member><name>title</name><value><string>abc</string></value></member></struct>"#, []),
    (#"<member><name>token</name><value>abc</value></member>"#, ["abc"]),
    (#"<token_type>bearer1</token_type>"#, []),
    (#"<login><user>jo</user><pin>1234</pin></login>"#, ["1234"]), (#"<secretary>Jo</secretary>"#, []),
    (#"<errors><password>is too short</password></errors>"#, []), (#"<token>abc</token>"#, ["abc"]),
  ]) func findsTheSecretsOfXML(xml: String, secrets: [String]) {
    #expect(JudgedMessage(.content("application/xml", "<r>\(xml)</r>")).values == secrets)
  }

  @Test(arguments: [
    (#"<input name="csrf_token" type="hidden" value="abc">"#, ["abc"]),
    (#"<input type="password" value="abc">"#, ["abc"]),
    (#"<input type=password name=pw1 value=abc>"#, ["abc"]), (#"<input name="q" value="token">"#, []),
    (#"<textarea name="private_key">abc</textarea>"#, ["abc"]),
    (#"<meta name="csrf-token" content="abc">"#, ["abc"]),
    (#"<meta name="csrf-param" content="authenticity_token">"#, []),
    (#"<meta name="author" content="Jo">"#, []),
    (#"<a accesskey="s" href="/a?token=abc">x</a>"#, ["abc"]),
    (#"<button name="password">Show</button>"#, []),
    (#"<label for="password">Password</label>"#, []),
    (#"<input type="password" placeholder="Password" value="">"#, []),
    (#"<code>abc</code><kbd>x</kbd>"#, []),
    (#"<script>var token = "abc-1"; var x = "y"</script>"#, ["abc-1"]),
    (
      #"<input type="hidden" name="__VIEWSTATE" value="/wEPDw"><input name="__VIEWSTATEGENERATOR" value="CA0B0334">"#,
      ["/wEPDw"]
    ),
  ]) func findsTheSecretsOfHTML(html: String, secrets: [String]) {
    #expect(JudgedMessage(.content("text/html", "<html><body>\(html)</body></html>")).values == secrets)
  }

  @Test(arguments: [
    ("password", "abc", ["abc"]), ("client_secret", "abc", ["abc"]), ("title", "abc", []),
    ("password_hint", "dog", []),
    ("file", "password=abc", ["abc"]),
  ]) func findsTheSecretsOfAPart(name: String, content: String, secrets: [String]) {
    let body = "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(content)\r\n--b--\r\n"
    #expect(JudgedMessage(.content("multipart/form-data; boundary=b", body)).values == secrets)
  }

  @Test(arguments: [
    ("DB_PASSWORD=abc\nTZ=UTC\n", ["abc"]), ("export API_TOKEN='abc'\n", ["abc"]),
    ("password: abc\ntz: x\n", ["abc"]),
    ("//registry.npmjs.org/:_authToken=abc\n", ["abc"]),
    ("machine a.example login jo password abc\n", ["abc"]),
    ("Server=db;User ID=jo;Password=a b;", ["a b"]), ("host=db user=jo password=abc\n", ["abc"]),
    ("cs: AccountName=a;AccountKey=YWJj+/==;EndpointSuffix=x\n", ["YWJj+/=="]),
    ("PWD=/home/jo\nSHELL=/bin/sh\n", []),
    ("postgres://jo:abc@db.example/x\n", ["abc"]), ("The password is required.\n", []),
  ]) func findsTheSecretsOfAText(text: String, secrets: [String]) {
    #expect(JudgedMessage(.content("text/plain", text)).values == secrets)
  }

  // MARK: Options

  @Test func theUserAddsAndKeepsNamesAndPaths() {
    var options = RedactionOptions()
    options.secretNames = ["X-Tenant", "active"]
    options.allowedNames = ["token", "X-Api-Key", "sid"]
    options.secretPaths = ["$.user.ref"]
    options.allowedPaths = ["$.user.password"]
    let json =
      #"{"xTenant": "a", "token": "b", "active": true, "user": {"ref": 7, "password": "c", "pwd": "d"}}"#
    #expect(JudgedMessage(.json(json), options).values == ["a", "7", "d"])
    #expect(JudgedMessage(.field("X-Api-Key", "abc"), options).values == [])
    #expect(JudgedMessage(.field("X-Tenant", "abc"), options).values == ["abc"])
    #expect(JudgedMessage(.field("Cookie", "sid=abc; token=def"), options).values == [])
    #expect(
      JudgedMessage(.json(#"{"token": "ghp_0123456789012345678901234567890123456"}"#), options).values == []
    )
  }
}
