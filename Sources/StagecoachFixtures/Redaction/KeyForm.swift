/// The form of a key by which a service recognizes its own: a fixed text, and behind it characters of a kind and a number.
struct KeyForm: Sendable {
  /// A run of characters, or one character that stands between two runs.
  private enum Part {
    case run(Alphabet, ClosedRange<Int>)
    case mark(UInt8)
  }

  private enum Alphabet: Character {
    case hexadecimal = "h", digits = "d", upperAndDigits = "u", lettersAndDigits = "w", base64url = "b",
      base64 = "B"
    /// What may be in a token: also points, and percent escapes.
    case token = "t"

    func contains(_ octet: UInt8) -> Bool {
      switch self {
      case .hexadecimal: octet.isHexDigit
      case .digits: octet.isDigit
      case .upperAndDigits: octet.isUpperCase || octet.isDigit
      case .lettersAndDigits: octet.isAlphanumeric
      case .base64url: octet.isAlphanumeric || octet == UInt8(ascii: "-") || octet == UInt8(ascii: "_")
      case .base64: octet.isBase64Digit || octet == UInt8(ascii: "=")
      case .token: octet.isAlphanumeric || octet.isOne(of: "-_.%=")
      }
    }
  }

  private static let maxLength = 2_048

  let kind: SecretKind
  private let parts: [Part]
  /// Whether a key may have no digit. A word that happens to start like a key has none.
  private let mayBeWord: Bool

  /// - Parameters:
  ///   - parts: Runs such as `h32` (32 hexadecimal digits), `b20+` (20 or more) and `w40-60`, and the characters between
  ///     them; a `!` at the end if there may be no digit.
  private init(_ kind: String, _ parts: String) {
    self.kind = SecretKind(kind)
    mayBeWord = parts.hasSuffix("!")
    self.parts = parts.filter { $0 != "!" }.split(separator: " ").compactMap { part in
      guard let first = part.first, let alphabet = Alphabet(rawValue: first), part.count > 1 else {
        return part.utf8.first.map(Part.mark)
      }
      let counts = part.dropFirst().split { $0 == "-" || $0 == "+" }.compactMap { Int($0) }
      let max = part.hasSuffix("+") ? Self.maxLength : counts.last ?? 1
      return .run(alphabet, (counts.first ?? 1)...max)
    }
  }

  /// Returns the offset behind the key whose start ends at an offset; `nil` if there is none.
  private func end(in text: [UInt8], from body: Int) -> Int? {
    var position = body
    var last: Alphabet?
    for part in parts {
      switch part {
      case .mark(let mark):
        guard text.has(position, { $0 == mark }) else { return nil }
        position += 1
        last = nil
      case .run(let alphabet, let counts):
        let run = text[position...].prefix(counts.upperBound, while: alphabet.contains)
        guard run.count >= counts.lowerBound else { return nil }
        position = run.endIndex
        last = alphabet
      }
    }
    // A longer run is something else.
    guard
      last.map({ alphabet in !text.has(position) { alphabet.contains($0) && $0.isAlphanumeric } }) ?? true,
      mayBeWord || text[body..<position].contains(where: \.isDigit)
    else { return nil }
    while text[position - 1] == UInt8(ascii: ".") { position -= 1 }
    return position
  }

  /// Returns the key that starts at an offset, where a word starts.
  static func key(in text: [UInt8], at start: Int) -> SecretShapes.Finding? {
    var found: SecretShapes.Finding?
    starts.forEach(in: text, at: start, before: text.count) { count, form in
      guard let end = form.end(in: text, from: start + count) else { return false }
      // In a path, the token of Telegram has a word before it.
      let isPath = count == 3 && text[start..<(start + 3)].elementsEqual("bot".utf8)
      found = SecretShapes.Finding(range: (isPath ? start + 3 : start)..<end, kind: form.kind)
      return true
    }
    return found
  }

  private static let starts = TextStarts(
    table.flatMap { kind, prefixes, parts in
      prefixes.split(separator: " ").map { (String($0), KeyForm(kind, parts)) }
    }
      // The token of Telegram starts with the number of the bot.
      + (1...9).map { ("\($0)", KeyForm("Telegram token", "d6-11 : b35")) }
  )

  /// The forms: what it is, how it may start, and what comes then.
  static let table: [(kind: String, prefixes: String, parts: String)] = [
    ("age key", "AGE-SECRET-KEY-1", "u58"),
    ("Airtable token", "pat", "w14 . h64"),
    ("Alibaba key", "LTAI", "w12-24"),
    ("Anthropic key", "sk-ant-", "b20+"),
    ("Artifactory key", "AKCp", "w69 !"),
    ("Atlassian token", "ATATT3 ATCTT3", "t20+"),
    ("AWS key", "AKIA ASIA ABIA ACCA", "u16 !"),
    ("AWS key", "ABSK", "B109+"),
    ("Bitcoin key", "xprv yprv zprv tprv", "w107"),
    ("Brevo key", "xkeysib-", "h64 - w16"),
    ("Cloudflare key", "v1.0-", "h24 - h146"),
    ("Databricks token", "dapi", "h32"),
    ("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", "h64"),
    ("Discord webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", "d17-20 / b60-72"),
    ("Docker token", "dckr_pat_ dckr_oat_", "b27+"),
    ("Doppler token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "t40+"),
    ("Dynatrace token", "dt0c01.", "w24 . w64"),
    ("EasyPost key", "EZAK EZTK", "w54"),
    ("Facebook token", "EAAG EAAM EAAC", "w80+"),
    ("Figma token", "figd_", "b40+"),
    ("Fly token", "fo1_", "b43"),
    ("Fly token", "fm1r_ fm1a_ fm2_", "B100+"),
    ("Flutterwave key", "FLWSECK- FLWSECK_TEST-", "w32 - X"),
    ("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", "w30+"),
    ("GitHub token", "github_pat_", "b22+"),
    (
      "GitLab token",
      "glpat- gldt- glrt- glptt- glcbt- gloas- glft- glsoat- glimt- glagent- glffct- GR1348941", "t16+"
    ),
    ("Google key", "AIza", "b35"),
    ("Google token", "ya29.", "t20+"),
    ("Google secret", "GOCSPX-", "b20+"),
    ("Grafana token", "glc_", "B32+"),
    ("Grafana token", "glsa_", "w32 _ h8"),
    ("Groq key", "gsk_", "w40+"),
    ("Heroku key", "HRKU-", "b36+"),
    ("HubSpot token", "pat-na1- pat-na2- pat-eu1-", "h8 - h4 - h4 - h4 - h12"),
    ("Hugging Face token", "hf_ api_org_", "w34 !"),
    ("Linear key", "lin_api_ lin_oauth_", "w40+"),
    ("Mailgun key", "key-", "h32"),
    ("Mapbox token", "sk.eyJ", "t60+"),
    ("Netlify token", "nfp_", "w36+"),
    ("New Relic key", "NRAK- NRRA-", "u27+"),
    ("New Relic key", "NRII- NRIQ-", "b32"),
    ("Notion token", "ntn_", "d11 w35"),
    ("Notion token", "secret_", "w43"),
    ("npm token", "npm_", "w36"),
    ("OpenAI key", "sk-proj- sk-svcacct- sk-admin-", "b40+"),
    ("OpenAI key", "sk-", "w48 !"),
    ("OpenRouter key", "sk-or-v1-", "h64"),
    ("OpenShift token", "sha256~", "b43"),
    ("Perplexity key", "pplx-", "w40+"),
    ("Plaid token", "access-sandbox- access-development- access-production-", "h8 - h4 - h4 - h4 - h12"),
    ("PlanetScale token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "t32+"),
    ("Postman key", "PMAK-", "h24 - h34"),
    ("Pulumi token", "pul-", "h40"),
    ("PyPI token", "pypi-AgEI", "b60+"),
    ("Replicate token", "r8_", "w37"),
    ("RubyGems key", "rubygems_", "h48"),
    ("SendGrid key", "SG.", "b22 . b43"),
    ("Sentry token", "sntrys_", "B40+"),
    ("Sentry token", "sntryu_", "h64"),
    ("Shippo token", "shippo_live_ shippo_test_", "h40"),
    ("Shopify token", "shpat_ shpss_ shpca_ shppa_", "h32"),
    ("Slack token", "xoxb- xoxp- xoxa- xoxe- xoxe. xoxo- xoxr- xoxs- xoxc- xoxd- xapp-", "t10+"),
    ("Slack webhook", "hooks.slack.com/services/ hooks.slack.com/workflows/", "w8+ / w8+ / w20+"),
    ("Slack webhook", "hooks.slack.com/commands/", "w5+ / d3+ / w20+"),
    ("Sourcegraph token", "sgp_", "h40"),
    ("Square token", "sq0atp- sq0csp-", "b22+"),
    ("Square token", "EAAA", "b60"),
    ("Stripe key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ whsec_", "w16+"),
    ("Supabase key", "sbp_ sb_secret_", "b31+"),
    ("Tailscale key", "tskey-auth- tskey-api- tskey-client- tskey-", "t20+"),
    ("Telegram token", "bot", "d6-12 : b35"),
    ("Twilio key", "SK", "h32"),
    ("Typeform token", "tfp_", "t40+"),
    ("Vault token", "hvs. hvb. hvr.", "b24+"),
    ("Vault token", "s.", "w24"),
    ("Vercel token", "vercel_blob_rw_ vcp_", "b24+"),
  ]
}
