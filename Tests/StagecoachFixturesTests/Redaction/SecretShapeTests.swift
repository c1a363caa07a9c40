import Testing

@testable import StagecoachFixtures

struct SecretShapeTests {
  private static let hex = "0123456789abcdef"
  private static let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
  private static let word = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

  /// A key: what is in braces is replaced by so many random characters, such as `{w36}`.
  static func make(_ form: String, seed: UInt64) -> String {
    var generator = SecretGenerator(state: seed)
    var result = ""
    var rest = form[...]
    while let open = rest.firstIndex(of: "{"), let close = rest.firstIndex(of: "}") {
      result += rest[..<open]
      let count = Int(rest[rest.index(open, offsetBy: 2)..<close]) ?? 0
      let alphabet =
        switch rest[rest.index(after: open)] {
        case "h": hex
        case "u": upper
        case "d": "123456789"
        case "l": "abcdefghijklmnopqrstuvwxyz"
        case "b": word + "-_"
        default: word
        }
      // The last character is a digit where there may be one, since a key without any is taken for a word.
      let body = generator.secret(length: count...count, alphabet)
      result += alphabet.contains("5") ? body.dropLast() + "5" : body
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  static let forms: [(kind: String, form: String)] = [
    ("age key", "AGE-SECRET-KEY-1{u58}"), ("Airtable token", "pat{w14}.{h64}"), ("Alibaba key", "LTAI{w20}"),
    ("Anthropic key", "sk-ant-api03-{b93}AA"), ("Artifactory key", "AKCp{w69}"),
    ("Bitcoin key", "xprv{w107}"),
    ("Atlassian token", "ATATT3{b186}"),
    ("AWS key", "AKIA{u16}"), ("AWS key", "ASIA{u16}"), ("Brevo key", "xkeysib-{h64}-{w16}"),
    ("Cloudflare key", "v1.0-{h24}-{h146}"), ("Databricks token", "dapi{h32}"),
    ("DigitalOcean token", "dop_v1_{h64}"), ("DigitalOcean token", "dor_v1_{h64}"),
    ("Discord webhook", "discord.com/api/webhooks/{d18}/{b68}"), ("Docker token", "dckr_pat_{b27}"),
    ("Doppler token", "dp.pt.{w43}"), ("Dynatrace token", "dt0c01.{w24}.{w64}"),
    ("EasyPost key", "EZAK{w54}"),
    ("Facebook token", "EAAG{w120}"), ("Figma token", "figd_{b40}"), ("Fly token", "fo1_{b43}"),
    ("Flutterwave key", "FLWSECK_TEST-{w32}-X"), ("GitHub token", "ghp_{w36}"), ("GitHub token", "ghs_{w36}"),
    ("GitHub token", "github_pat_{w22}_{w59}"), ("GitLab token", "glpat-{b20}"),
    ("GitLab token", "glrt-{b20}"),
    ("Google key", "AIza{b35}"), ("Google token", "ya29.{b60}"), ("Google secret", "GOCSPX-{b28}"),
    ("Grafana token", "glc_{w64}"), ("Grafana token", "glsa_{w32}_{h8}"), ("Groq key", "gsk_{w52}"),
    ("Heroku key", "HRKU-AA{b58}"), ("HubSpot token", "pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}"),
    ("Hugging Face token", "hf_{l34}"), ("Linear key", "lin_api_{w40}"), ("Mailgun key", "key-{h32}"),
    ("Netlify token", "nfp_{w36}"), ("New Relic key", "NRAK-{u27}"), ("Notion token", "ntn_{d11}{w35}"),
    ("npm token", "npm_{w36}"), ("OpenAI key", "sk-proj-{b74}T3BlbkFJ{b74}"),
    ("OpenAI key", "sk-{w20}T3BlbkFJ{w20}"), ("OpenRouter key", "sk-or-v1-{h64}"),
    ("OpenShift token", "sha256~{b43}"), ("Perplexity key", "pplx-{w48}"),
    ("Plaid token", "access-sandbox-{h8}-{h4}-{h4}-{h4}-{h12}"), ("PlanetScale token", "pscale_tkn_{b43}"),
    ("Postman key", "PMAK-{h24}-{h34}"), ("Pulumi token", "pul-{h40}"),
    ("PyPI token", "pypi-AgEIcHlwaS5vcmc{b80}"),
    ("Replicate token", "r8_{w37}"), ("RubyGems key", "rubygems_{h48}"), ("SendGrid key", "SG.{b22}.{b43}"),
    ("Sentry token", "sntryu_{h64}"), ("Sentry token", "sntrys_{w80}"), ("Shippo token", "shippo_live_{h40}"),
    ("Shopify token", "shpat_{h32}"), ("Shopify token", "shpss_{h32}"),
    ("Slack token", "xoxb-{d12}-{d12}-{w24}"),
    ("Slack webhook", "hooks.slack.com/services/T{u9}/B{u9}/{w24}"),
    ("Slack webhook", "hooks.slack.com/commands/T{u9}/{d6}/{w24}"),
    ("Sourcegraph token", "sgp_{h40}"), ("Square token", "sq0atp-{b22}"), ("Stripe key", "sk_live_{w24}"),
    ("Stripe key", "rk_test_{w24}"), ("Stripe key", "whsec_{w32}"), ("Supabase key", "sbp_{h40}"),
    ("Tailscale key", "tskey-auth-{w11}-{w32}"), ("Telegram token", "{d9}:AA{b33}"),
    ("Twilio key", "SK{h32}"),
    ("Typeform token", "tfp_{b59}"), ("Vault token", "hvs.{b90}"), ("Vault token", "s.{w24}"),
    ("Vercel token", "vercel_blob_rw_{w40}"),
    ("JSON Web Token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI{w20}.{b43}"),
    ("JSON Web Token", "eyJhbGciOiJkaXIifQ..{b16}.{b40}.{b22}"),
    ("JSON Web Token", "eyJhbGciOiJSU0EtT0FFUCJ9.{b342}.{b16}.{b40}.{b22}"),
  ]

  @Test(arguments: forms) func aShapeIsFoundAsAWholeAndInAText(kind: String, form: String) {
    let key = Self.make(form, seed: 35)
    #expect(SecretShapes.whole(Array(key.utf8))?.text == kind, "\(key)")
    for (before, after) in [("", ""), ("the key ", " is old"), ("k=", "&x=1"), ("\"", "\","), ("(", ").")] {
      let text = Array((before + key + after).utf8)
      let found = SecretShapes.all(in: text)
      #expect(
        found.map { String(decoding: text[$0.range], as: UTF8.self) } == [key],
        "\(before)\(key)\(after)"
      )
    }
    // It is no key with another letter before it, and is found once.
    #expect(SecretShapes.all(in: Array("x\(key)".utf8)).allSatisfy { $0.range.lowerBound > 0 })
  }

  @Test func knowsFortyForms() {
    #expect(Set(KeyForm.table.map(\.kind)).count >= 40)
  }

  @Test(arguments: [
    "sk-line-through", "sk-eyes-of-a-very-long-and-winding-name", "glc_", "SG.one.two", "key-value-store-2",
    "npm_config_registry", "npm_lifecycle_event_2", "pat", "patience.is.a.virtue", "dapi.example.com/v1",
    "hf_hub_download_1", "s.length", "s.getElementsByClassName1(x)", "AKIAmanto", "SKU-2024-00017",
    "bot:hello",
    "bot12:34", "xoxo", "shpatula_1", "hvs.org/members-2024", "pul-lover-size-12", "dp.pt.example.com",
    "ya29.com", "AIzawa-san", "eyJrun.com", "md-col-12", "pypi-server-2.0", "figd_a", "glpat-x1",
    "access-sandbox-1", "pplx-70b-online", "r8_small", "ghp_short1", "EAAA", "secret_word_of_the_day_1",
    "discord.com/api/webhooks", "hooks.slack.com/services",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQ\n",
    "-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END CERTIFICATE-----",
    "4111111111111111",
    "1710000000000000", "https://user@example.com/", "Basic auth is required here",
    "Bearer of good news 2024",
  ]) func aLookAlikeIsNotASecret(text: String) {
    #expect(SecretShapes.all(in: Array(text.utf8)).isEmpty)
  }

  @Test(arguments: ["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])
  func aPrivateKeyIsFoundWithoutItsFrame(label: String) {
    let key = "MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0g5"
    let text = Array("-----BEGIN \(label)-----\n\(key)\n-----END \(label)-----\n".utf8)
    #expect(SecretShapes.all(in: text).map { String(decoding: text[$0.range], as: UTF8.self) } == [key])
  }

  @Test(arguments: ["Version: GnuPG v2\n\n", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n"])
  func aPrivateKeyIsFoundBehindItsHeaders(headers: String) {
    let key = "MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0g5"
    let text = "-----BEGIN RSA PRIVATE KEY-----\n\(headers)\(key)\n-----END RSA PRIVATE KEY-----\n"
    let octets = Array(text.utf8)
    #expect(SecretShapes.all(in: octets).map { String(decoding: octets[$0.range], as: UTF8.self) } == [key])
    // The header lines are no settings.
    let message = RedactableMessage.content("text/plain", text)
    #expect(MessageTree(message).parts.last?.tree.nodes.first?.leaf?.inner == nil)
  }

  @Test func aKeyInsideBase64IsNotReported() {
    let key = Self.make("EAAG{w120}", seed: 35)
    let font = "AAEAAAAPAIAAAwBwR1NVQrD+s+0AAAD8AAAAVk9TLzIi7AruuDCx0O84QM/"
    #expect(SecretShapes.all(in: Array((font + key).utf8)).isEmpty)
    #expect(SecretShapes.all(in: Array("/v1/\(key)".utf8)).count == 1)
  }

  @Test func aCardNumberIsFoundInGroups() {
    for text in ["4111 1111 1111 1111", "5500-0055-5555-5559", "3782 822463 10005"] {
      #expect(SecretShapes.whole(Array(text.utf8)) == .cardNumber)
    }
    #expect(SecretShapes.whole(Array("4111 1111 1111 1112".utf8)) == nil)
  }
}
