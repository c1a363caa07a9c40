import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

/// Each name in pairs: what is a secret under it, and the same name where it is harmless.
struct SecretJudgeTests {
  private static let key = "q7Hw2LzX9bRt4KpV0sDm"

  // MARK: Members

  @Test(arguments: [
    ("access_token", "abc"), ("refreshToken", "x1"), ("id_token", "z"), ("client_secret", "hunter"),
    ("password", "complete"), ("password", "a b"), ("newPassword", "p"), ("passwd", "x"),
    ("passphrase", "one two"),
    ("user_pwd", "x"), ("api_key", "k1"), ("apiKey", "abc"), ("APIKEY", "abc"), ("X-API-Key", "abc"),
    ("account_key", "abc="), ("encryption_key", "abc"), ("encryptionKey", "abc"), ("private_key", "abc"),
    ("signing_key", "abc"), ("subscription-key", "abc"), ("form_key", "a8Kd02kd"), ("_csrf", "abc-123"),
    ("csrfToken", "abc"), ("csrfmiddlewaretoken", "abc"), ("authenticity_token", "abc"),
    ("_wpnonce", "a1b2c3"),
    ("__RequestVerificationToken", "abc"), ("__VIEWSTATE", "/wEPDwUKLTE"), ("xsrf", "abc"),
    ("SAMLResponse", "PHNhbWw"),
    ("device_code", "GmRhmhcxhwAzkoEqiMEg"), ("user_code", "WDJB-MJHT"), ("code_verifier", "dBjftJeZ4CVP"),
    ("verification_code", "123456"), ("security_code", "123"), ("backup_code", "1234-5678"),
    ("totp", "123456"),
    ("otp", "0042"), ("otpCode", "123456"), ("passcode", "1234"), ("cvv", "123"), ("cvc", "999"),
    ("card_number", "4111111111111111"), ("cardNumber", "4111 1111 1111 1111"),
    ("account_number", "00123456"),
    ("iban", "DE89370400440532013000"), ("mnemonic", "abandon ability able about above absent"),
    ("seed_phrase", "abandon ability able about"), ("session_id", "abc"), ("sessionId", "12ab"),
    ("PHPSESSID", "abc"),
    ("session", "8f2k-22ld-01"), ("signature", "nR8ab/x2+0a="), ("assertion", "PHNhbWw6QXNzZXJ0"),
    ("jwt", "abc"),
    ("secretId", "abc-def"), ("SecretString", "abc"), ("AWSAccessKeyId", "abc"),
    ("connectionString", "abcdef"),
    ("authorization", "Bearer abc"), ("x-functions-key", "abc"), ("password_hash", "$2b$12$abc"),
    ("psk", "wlan 1"),
    ("spring.datasource.password", "x"), ("user[password]", "x"), ("token1", "abc"),
    ("x-hub-signature-256", "sha256=0a1b"),
    // Ten languages.
    ("passwort", "geheim"), ("Kennwort", "x"), ("mot_de_passe", "x"), ("mdp", "x"), ("contraseña", "x"),
    ("contrasena", "x"), ("senha", "x"), ("wachtwoord", "x"), ("hasło", "x"), ("haslo", "x"), ("пароль", "x"),
    ("Пароль", "x"), ("密码", "x"), ("パスワード", "x"), ("비밀번호", "x"), ("geheimnis", "xy"), ("токен", "xy"),
    ("令牌", "xy"), ("jeton", "a1b2-c3d4"), ("schluessel", "q7Hw2LzX9bRt4KpV0sDm"),
    ("clave_api", "q7Hw2LzX9bRt4KpV0sDm"),
    ("losungswort", "x"), ("kodeord", "x"), ("jelszó", "x"), ("lozinka", "x"), ("kata_sandi", "x"),
    ("mật_khẩu", "x"), ("κωδικός", "x"), ("סיסמה", "x"), ("पासवर्ड", "x"), ("รหัสผ่าน", "x"), ("暗証番号", "x"),
    ("암호", "x"), ("salaisuus", "xy"), ("hemmelighed", "xy"), ("segreto", "xy"), ("비밀키", "xy"),
    ("cle_api", "x1"), ("clave_privada", "x1"), ("chave_api", "x1"), ("chiave_segreta", "x1"),
    ("klucz_api", "x1"),
    ("секретный_ключ", "x1y2"), ("gizli_anahtar", "x1"),
    // Joined, and with a word behind it.
    ("userpass", "x"), ("adminpw", "x"), ("passwordConfirmation", "x"), ("secretValue", "abc"),
    ("DB_PASSWORD_TEST", "x"),
    ("security_answer", "Fluffy"), ("rest_nonce", "a1b2c3d4e5"), ("_nonce", "9f1c2b3a4d"),
    ("tok", "b2f9yw5b"),
    ("remember_me", "k3j9x0q2m5z8"), ("password", "correct horse battery staple"),
    ("password", "Purple monkey"),
    // Only what looks like a key.
    ("deploy_key", "qu5h8zmeyxyxn99"), ("partner_key", "sbTNqxIS2x7"),
    ("manualEntryKey", "JBSW Y3DP EHPK 3PXP"),
    ("key", "q7Hw2LzX9bRt4KpV0sDm"), ("X-Rapid-Key", "q7Hw2LzX9bRt4KpV0sDm"),
    ("appid", "b1b15e88fa797225412429c1c50c122a"),
    ("auth_data", "q7Hw2LzX9bRt4KpV0sDm"), ("sig", "q7Hw2LzX9bRt4KpV0sDm"), ("code", "q7Hw2LzX9bRt4KpV0sDm"),
  ]) func aMemberIsASecret(name: String, value: String) {
    let judged = JudgedMessage(.json("{\"\(name)\": \"\(value)\"}"))
    #expect(judged.values == [value], "\(name)")
  }

  @Test(arguments: [
    ("token_type", "Bearer"), ("token_type", "mac"), ("grant_type", "password"),
    ("password_policy", "strong enough"),
    ("tokenType", "jwt"), ("secretary", "Ms Jones"), ("secretaryName", "Jones"), ("tokenizer", "standard"),
    ("tz", "Europe/Berlin"), ("country", "DE"), ("author", "q7Hw2LzX9bRt4KpV0sDm"), ("authors", "A. B."),
    ("coAuthor", "x"), ("authority", "https://login.example.com/common"), ("token", "none"), ("password", ""),
    ("password", "********"), ("password", "••••••••"), ("password", "${DB_PASSWORD}"),
    ("token", "{{token}}"),
    ("session_timeout", "30"), ("sessionDuration", "00:04:00"), ("sessions", "1523456"),
    ("session", "morning"),
    ("session", "Opening keynote"), ("signature", "foo(int, int)"), ("signature", "Best regards, Jo"),
    ("credentials", "include"), ("credentials", "same-origin"), ("auth", "basic"),
    ("cookie_policy", "strict"),
    ("cookieDomain", ".example.com"), ("token_endpoint", "https://a.example/token"),
    ("tokenUrl", "/oauth/token"),
    ("token", "https://a.example/token"), ("csrf_param", "authenticity_token"),
    ("csrfHeader", "X-CSRF-TOKEN"),
    ("password_hint", "the dog"), ("api_key_name", "default"), ("secret_name", "prod/db"),
    ("secretArn", "arn:aws:x"),
    ("key", "name"), ("key", "photos/2024/a.jpg"), ("public_key", "q7Hw2LzX9bRt4KpV0sDm"),
    ("cache_key", "q7Hw2LzX9bRt4KpV0sDm"), ("primaryKey", "id"), ("X-Rapid-Key", "abc"), ("code", "DE"),
    ("code", "not_found"), ("code", "E1042"), ("country_code", "FR"), ("postal_code", "10115"),
    ("status_code", "ok"),
    ("pin", "red"), ("pin", "17"), ("cvv", "required"), ("cvc", "match"),
    ("sid", "SM0123456789abcdef0123456789abcdef"),
    ("sid", "abc"), ("state", "NY"), ("nonce", "abc"), ("pass", "Boarding"), ("number", "4111111111111111"),
    ("d", "M0 0L10 10"), ("k", "value"), ("p", "3"), ("ticket", "PROJ-123"), ("mnemonic", "MOV"), ("otp", ""),
    ("footpath", "a1b2c3d4e5f6"), ("nextPageToken", "CAUQAA"), ("page_token", "CAUQAA"), ("passenger", "Jo"),
    ("bypassOrder", "x1y2"), ("hasLocation", "here"), ("theSlot", "7a"), ("compass", "north"),
    ("clave", "09162"),
    ("schluessel", "09162"), ("parola", "ciao"), ("forgot_password", "/account/forgot"),
    ("access_key", "none"),
    ("hash", "9f86d081884c7d659a2feaa0c55ad015"), ("commitHash", "6dcb09b5b57875f334f61aebed695e2e4193db5e"),
    ("token_id", "tok_1N3T00LkdIwHu7ixt44h1F8k"), ("app_id", "APP-80W284485P519543T"),
    ("masterSecretKmsKeyId", "a1b2-c3d4"), ("x-correlation-key", "q7Hw2LzX9bRt4KpV0sDm"),
    ("sessionStartTS", "1715933730123"),
    ("AuthFlow", "USER_PASSWORD_AUTH"), ("tracking_code", "1Z999AA10123456784"), ("accessKey", "s"),
    // Base64 of `04:User583231` and `next_cursor:123`.
    ("node_id", "MDQ6VXNlcjU4MzIzMQ=="), ("cursor", "bmV4dF9jdXJzb3I6MTIz"),
    ("sync_token", "CPDAlvWDx70CEPDAlvWDx70C"),
    ("token", "SHIB"), ("token", " world"), ("eos_token", "</s>"), ("tokenSymbol", "USDC"),
    ("tokenomics", "deflationary"), ("tokenLifetime", "15m"), ("secretRotation", "weekly"),
    ("sessionAffinity", "ClientIP"),
    ("csrf_protection", "strict"), ("last_password_change", "2023-12-01"), ("token_balance", "1500.25"),
    ("password", "Password"), ("password", "Mot de passe"), ("password", "Passwort"), ("apiKey", "API key"),
    ("password", "Password required"), ("passwordTooShort", "At least 8 characters"),
    ("secret", "<your secret>"),
    ("rememberMe", "forever"), ("authorization", "Bearer $TOKEN"), ("deploy_key", "production"),
    ("input_token", "NextToken"), ("apiKey", "xxxxxxxxxxxx"),
    ("auth_method", "oidc"), ("id", "4539578763621486"), ("tracking", "1234567890123456"), ("monkey", "x9"),
    ("keyboard", "qwerty-2024-layout"), ("obsession", "running-2024-x"), ("signature_algorithm", "RS256"),
    ("authorization_endpoint", "https://a.example/authorize"), ("session_state", "active"),
  ]) func aMemberIsHarmless(name: String, value: String) {
    let judged = JudgedMessage(.json("{\"\(name)\": \"\(value)\"}"))
    #expect(judged.values == [], "\(name)")
  }

  @Test(arguments: [
    (#"{"otp": 123456}"#, "123456"), (#"{"cvv": 123}"#, "123"), (#"{"passcode": 4711}"#, "4711"),
    (#"{"account_number": 12345678}"#, "12345678"),
    (#"{"card_number": 4111111111111111}"#, "4111111111111111"),
    (#"{"token": 1234567}"#, "1234567"), (#"{"password": 1234}"#, "1234"),
    (#"{"user": "jo", "pin": 1234}"#, "1234"),
    (#"{"recoveryCodes": [11112222]}"#, "11112222"),
  ]) func aNumberIsASecret(json: String, value: String) {
    #expect(JudgedMessage(.json(json)).values == [value])
  }

  @Test(arguments: [
    #"{"sessions": 1523456}"#, #"{"session": 1523456}"#, #"{"tokens": 1523456}"#,
    #"{"total_tokens": 1523456}"#,
    #"{"token_expires": 1699999999}"#, #"{"expires_in": 3600000}"#, #"{"token_count": 1234567}"#,
    #"{"pin": 17}"#,
    #"{"pin": 13, "mode": "output"}"#, #"{"code": 401}"#, #"{"code": 123456}"#, #"{"password": true}"#,
    #"{"password": null}"#, #"{"token": 12}"#, #"{"password_changed": 1699999999}"#,
    #"{"signature": 1234567}"#,
    #"{"id": 4539578763621486}"#, #"{"number": 4539578763621486}"#, #"{"sessions": [1523456, 1523457]}"#,
    #"{"prompt_tokens": 1234567, "completion_tokens": 1234567}"#, #"{"cookies": 1234567}"#,
    #"{"secrets": 1234567}"#,
  ]) func aNumberIsHarmless(json: String) {
    #expect(JudgedMessage(.json(json)).values == [])
  }

  // MARK: Places

  @Test(arguments: [
    (#"{"errors": {"password": ["is too short"]}}"#, []), (#"{"password": ["This field is required."]}"#, []),
    (#"{"errors": {"token": "invalid"}}"#, []), (#"{"labels": {"password": "Password"}}"#, []),
    (#"{"messages": {"login.password": "Your password"}}"#, []),
    (#"{"i18n": {"de": {"password": "Passwort"}}}"#, []),
    (#"{"translations": {"token": "Jeton"}}"#, []),
    (#"{"properties": {"password": {"type": "string"}}}"#, []),
    (#"{"login.password.label": "Enter your password"}"#, []),
    (#"{"password": {"minLength": "8", "pattern": "x"}}"#, []),
    (#"{"errors": {"token": "q7Hw2LzX9bRt4KpV0sDm"}}"#, ["q7Hw2LzX9bRt4KpV0sDm"]),
    (#"{"recoveryCodes": ["abcd-1234", "efgh-5678"]}"#, ["abcd-1234", "efgh-5678"]),
    (#"{"backup_codes": ["12345678"]}"#, ["12345678"]),
    (#"{"mnemonic": ["abandon", "ability"]}"#, ["abandon", "ability"]),
    (#"{"tokens": ["q7Hw2LzX9b", "x"]}"#, ["q7Hw2LzX9b"]),
    (#"{"passwords": ["hunter2hunter2"]}"#, ["hunter2hunter2"]),
    (#"{"token": {"value": "abc", "id": 7}}"#, []), (#"{"session": {"user": "jo"}}"#, []),
    (#"{"name": "X-Api-Key", "value": "abc"}"#, ["abc"]),
    (#"{"value": "abc", "name": "X-Api-Key"}"#, ["abc"]),
    (#"{"key": "password", "value": "abc"}"#, ["abc"]), (#"{"Key": "Theme", "Value": "dark"}"#, []),
    (#"[{"name": "Accept", "value": "q7Hw"}, {"name": "token", "value": "x1"}]"#, ["x1"]),
    (#"[["X-Api-Key", "abc"], ["Accept", "text/html"]]"#, ["abc"]), (#"["password", "abc"]"#, []),
    (#"{"cookies": [{"name": "sid", "value": "abc"}, {"name": "lang", "value": "de"}]}"#, ["abc"]),
    (#"{"code": "TX", "state": "texas"}"#, []),
    (#"{"state": "q7Hw-22ld", "code": "aB3-c4d5"}"#, ["q7Hw-22ld", "aB3-c4d5"]),
    (#"{"kty": "oct", "k": "GawgguFyGrWK"}"#, ["GawgguFyGrWK"]),
    (#"{"kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSD", "d": "870MB6gfuTJ4"}"#, ["870MB6gfuTJ4"]),
    (
      #"{"kty": "RSA", "n": "0vx7agoebGcQ", "e": "AQAB", "d": "X4cTteJY_gn4", "p": "83i-7IvMGXoM", "dq": "s9lAH9fggBsR"}"#,
      ["X4cTteJY_gn4", "83i-7IvMGXoM", "s9lAH9fggBsR"]
    ),
    (#"{"username": "jo", "pin": "1234"}"#, ["1234"]), (#"{"email": "a@b.c", "pass": "x y"}"#, ["x y"]),
    (#"{"number": "4111111111111111", "cvc": "123"}"#, ["4111111111111111", "123"]),
    (#"{"user": "jo", "clave": "secreto"}"#, ["secreto"]),
    (#"{"code": 200, "message": "ok", "user": "jo"}"#, []),
    (#"{"payload": "{\"password\": \"abc\", \"tz\": \"x\"}"}"#, ["abc"]),
    (#"{"url": "https://jo:hunter@db.example/x?token=abc&lang=de"}"#, ["hunter", "abc"]),
    (#"{"log": "login with password=abc and lang=de"}"#, ["abc"]),
    (#"{"adminPassword": {"value": "tiger-7"}}"#, ["tiger-7"]),
    (#"{"db_password": {"sensitive": true, "type": "string", "value": "tiger-7"}}"#, ["tiger-7"]),
    (#"{"tokens": [{"name": "ci", "value": "tv-1x2y3z4a"}]}"#, ["tv-1x2y3z4a"]),
    (#"{"password": {"label": "Password", "value": "none"}}"#, []),
    (#"{"ParameterKey": "MasterPassword", "ParameterValue": "tiger"}"#, ["tiger"]),
    (#"{"ParameterKey": "InstanceType", "ParameterValue": "t3.micro"}"#, []),
    (#"{"key": "foo", "type": "secret", "value": "tiger"}"#, ["tiger"]),
    (#"{"Name": "/db", "Type": "SecureString", "Value": "tiger"}"#, ["tiger"]),
    (#"{"keyName": "key1", "value": "q7Hw2LzX9bRt4KpV0sDm"}"#, ["q7Hw2LzX9bRt4KpV0sDm"]),
    (#"{"token": "tiger2", "logprob": -0.3}"#, []), (#"{"legend": {"password": "Passwords"}}"#, []),
    (#"{"password": ["is too short (minimum is 8 characters)"]}"#, []),
    (#"{"keyid": "SHA256:jl3b", "sig": "MEUCIQCX49atNeSDYZP8bQ7"}"#, []),
    (#"{"sig": "MEUCIQCX49atNeSDYZP8bQ7"}"#, ["MEUCIQCX49atNeSDYZP8bQ7"]),
    (#"{"html": "<a href=\"https://a.example/reset?token=9f8e7d6c&to=jo\">x</a>"}"#, ["9f8e7d6c"]),
    (#"{"blob": "am86dGlnZXI="}"#, []), (#"{"credentials": "am86dGlnZXI="}"#, ["am86dGlnZXI="]),
  ]) func thePlaceDecidesWhatIsASecret(json: String, secrets: [String]) {
    #expect(JudgedMessage(.json(json)).values == secrets)
  }

  @Test(arguments: [
    ("/?code=DE", []), ("/?code=US&state=CA", []), ("/?code=10&state=Texas", []), ("/?code=FR", []),
    ("/?code=abc&state=xyz", ["abc", "xyz"]), ("/cb?state=NY", []),
    (
      "/authorize?response_type=code&client_id=a&state=s1&nonce=n1&code_challenge=E9Melhoa&code_challenge_method=S256",
      ["s1", "n1", "E9Melhoa"]
    ),
    ("/?access_token=a", ["a"]), ("/?api_key=k1&q=tz", ["k1"]), ("/?key=AIza-none", []),
    ("/?key=name&sort=asc", []),
    ("/?key=q7Hw2LzX9bRt4KpV0sDm", ["q7Hw2LzX9bRt4KpV0sDm"]), ("/?session_timeout=30", []),
    ("/?pin=12&mode=out", []),
    ("/login?user=jo&pin=1234", ["1234"]), ("/?sid=abc", []), ("/login?sid=abc1", ["abc1"]),
    (
      "/?sid=q7Hw2LzX9bRt4KpV0sDm",
      ["q7Hw2LzX9bRt4KpV0sDm"]
    ),
    ("/?ticket=ST-1856339-aA5Yuvrxzpv8Tau1cYQ7", ["ST-1856339-aA5Yuvrxzpv8Tau1cYQ7"]), ("/?ticket=1234", []),
    ("/callback#access_token=abc&token_type=bearer", ["abc"]),
    ("/reset/q7Hw2LzX9bRt4KpV0sDm", ["q7Hw2LzX9bRt4KpV0sDm"]),
    ("/sessions/550e8400-e29b-41d4-a716-446655440000", []), ("/token/list", []),
    ("/files/q7Hw2LzX9bRt4KpV0sDm", []),
    (
      "/bot123456789:AAF8dkw02kdlDKEls02kdl02DKELsl02kdd/getMe",
      ["123456789:AAF8dkw02kdlDKEls02kdl02DKELsl02kdd"]
    ),
    (
      "/api/webhooks/123456789012345678/q7Hw2LzX9bRt4KpV0sDmq7Hw2LzX9bRt4KpV0sDmq7Hw2LzX9bRt4KpV0sDm12345678",
      ["q7Hw2LzX9bRt4KpV0sDmq7Hw2LzX9bRt4KpV0sDmq7Hw2LzX9bRt4KpV0sDm12345678"]
    ),
    ("/services/T0AB12CD3/B0AB12CD3/q7Hw2LzX9bRt4KpV0sDm1234", ["q7Hw2LzX9bRt4KpV0sDm1234"]),
    ("https://ghp0a1b2c3d4e5@api.example/x", ["ghp0a1b2c3d4e5"]), ("https://jo@api.example/x", []),
  ]) func findsSecretsInATarget(target: String, secrets: [String]) {
    let judged = JudgedMessage(.get(target))
    // What the shape finds inside of a segment is not the whole leaf.
    let found =
      target.hasPrefix("/bot")
      ? SecretShapes.all(in: Array(target.utf8)).map {
        String(decoding: Array(target.utf8)[$0.range], as: UTF8.self)
      }
      : judged.values
    #expect(found == secrets)
  }

  @Test(arguments: [
    ("grant_type=password&username=a&password=password", ["password"]),
    ("grant_type=authorization_code&code=abcd&redirect_uri=x", ["abcd"]),
    ("grant_type=refresh_token&refresh_token=r1", ["r1"]), ("client_id=a&client_secret=b1&scope=tz", ["b1"]),
    ("user=jo&pass=x", ["x"]), ("pass=12&fail=3", []), ("otp=123456", ["123456"]),
    ("lang=de&country=DE&code=DE", []),
    ("_csrf=abc&title=Secret+garden", ["abc"]), ("password=", []), ("sig=abc", []),
  ]) func findsSecretsInAForm(form: String, secrets: [String]) {
    #expect(JudgedMessage(.form("/x", form)).values == secrets)
  }

  @Test(arguments: [
    ("smtp: {host: mail, password: tiger}\n", ["tiger"]),
    ("a:\n  secret: >-\n    tiger\n  scope: x\n", ["tiger"]),
    ("db.password:tiger\nserver.port:80\n", ["tiger"]), ("$config['api_key'] = 'tiger';\n", ["tiger"]),
    ("Try curl -H 'X-Api-Key: tiger' https://a.example\n", ["tiger"]),
    ("<?php\n$password = 'tiger';\n", ["tiger"]),
    ("Token: a string. Password: at least 8 characters.\n", []), ("export TOKEN=<your token>\n", []),
    ("Note: {a, token: b} or 'it's: so'\n", ["b"]), ("ports: {http: 80, token-port: 81}\n", []),
  ]) func findsSecretsInSettings(text: String, secrets: [String]) {
    #expect(JudgedMessage(.content("text/plain", text)).values == secrets)
  }

  @Test(arguments: [
    ("<table><tr><th>DB_PASSWORD</th><td>tiger</td></tr></table>", ["tiger"]),
    ("<dl><dt class=k>api_key</dt><dd>tiger</dd></dl>", ["tiger"]),
    (
      "<table><tr><td>access_token</td><td>string</td></tr><tr><td>Password</td><td>see below</td></tr></table>",
      []
    ),
    ("<a href='/x?a=1&sessionToken=tiger&b=2'>x</a>", ["tiger"]),
    ("<a href='/x?a=1&amp;token=tiger'>x</a>", ["tiger"]),
    ("<meta http-equiv=refresh content='0;url=/cb?token=tiger&x=2'>", ["tiger"]),
  ]) func findsSecretsInAPage(page: String, secrets: [String]) {
    #expect(JudgedMessage(.content("text/html", page)).values == secrets)
  }

  /// Most texts in a program are names, messages and parts of addresses.
  @Test(arguments: [
    (#"var c={apiKey:"q7Hw2LzX9bRt4KpV0sDm",token:"a1-b2c3"};"#, ["q7Hw2LzX9bRt4KpV0sDm", "a1-b2c3"]),
    (#"e={token:"mus-0-int_srch-apl",INVALID_TOKEN:"INVALID_TOKEN",rememberMe:".js-remember-me"}"#, []),
    (
      #"t+="&apikey="+encodeURIComponent(n)+"&x=";d={key:"_get360HorizontalAngle"};a.code="MODULE_NOT_FOUND""#,
      []
    ),
    (#"f("https://a.example/?token=tiger&x=1");a={on:"u.token=JSON.stringify(n.token);u.b=1"}"#, ["tiger"]),
    (
      #"m={password:"Password required",DEBUG_KEY:"f7c9180f-5c45-47b4-8de4-428015f096c0",cookie:"a_cookie=1"}"#,
      []
    ),
  ]) func findsSecretsInAProgram(program: String, secrets: [String]) {
    #expect(JudgedMessage(.content("text/javascript", program)).values == secrets)
    #expect(
      JudgedMessage(.content("text/html", "<html><script>\(program)</script></html>")).values == secrets
    )
  }

  @Test func findsSecretsInAFormDeclaredAsAPage() {
    let form = "oauth_token=tiger&oauth_token_secret=lion&user_id=7"
    #expect(JudgedMessage(.content("text/html", form)).values == ["tiger", "lion"])
  }

  @Test func findsACodeInALoginRequest() {
    #expect(JudgedMessage(.json("/login/verify", #"{"code": "123456"}"#)).values == ["123456"])
    #expect(JudgedMessage(.json("/login/verify", #"{"code": 123456}"#)).values == ["123456"])
    #expect(JudgedMessage(.json("/orders", #"{"code": "123456"}"#)).values == [])
    #expect(JudgedMessage(.json("/login", #"{"code": "DE"}"#)).values == [])
    #expect(JudgedMessage(.json("/login", #"{"session": "morning", "pin": 1234}"#)).values == ["1234"])
  }
}
