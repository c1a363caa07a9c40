import Stagecoach
import Testing

@testable import StagecoachFixtures

/// Secrets under every name and of every form, in every format and place, with random values.
struct SecretGenerationTests {
  private static let word = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

  /// The names, with the values that they have.
  private enum Value { case any, token, digits, words, random }

  private static let names: [(value: Value, names: String)] = [
    (
      .any,
      "password passwd passphrase new_password userPassword client_secret clientSecret secret pwd passwort kennwort"
    ),
    (
      .any,
      "mot_de_passe contrasena senha wachtwoord haslo losenord adgangskode DB_PASSWORD PGPASSWORD MYSQL_PWD"
    ),
    (
      .token,
      "Ocp-Apim-Subscription-Key x-functions-key DD-APPLICATION-KEY DD-API-KEY SAMLResponse device_code code_verifier"
    ),
    (
      .token,
      "account_key encryption_key AccountKey SharedAccessKey api_key X-Api-Key apikey access_token refresh_token"
    ),
    (
      .token,
      "id_token csrf_token _csrf form_key authenticity_token __RequestVerificationToken xsrf-token session_id"
    ),
    (
      .token,
      "sessionId PHPSESSID JSESSIONID private_token X-Vault-Token X-Auth-Token _authToken secret_key secretKey"
    ),
    (
      .token,
      "signing_key master_key private_key user_code backup_code recovery_code SecretString oauth_token jeton"
    ),
    (
      .token,
      "X-Shopify-Access-Token Private-Token X-Figma-Token sas_token webhook_secret x-goog-api-key geheimnis"
    ),
    (
      .digits,
      "otp totp cvv passcode verification_code security_code account_number card_number sms_code otp_code"
    ),
    (.words, "mnemonic seed_phrase recovery_phrase"),
    (
      .random,
      "key sig appid auth_data X-Rapid-Key Fastly-Key X-Query-Key schluessel hmac app_key integration_key"
    ),
  ]

  /// Names of rule sets that were not used for the list: each says only whose key it is.
  private static let otherNames = """
    adafruit_io asana bittrex clojars codecov_upload cohere coinbase contentful_delivery datadog_rum droneci etsy_keystring \
    finicity finnhub flickr freshbooks gitter gocardless intercom kraken kucoin launchdarkly_sdk looker mattermost \
    messagebird netlify nytimes plaid rapidapi sendbird sidekiq_contrib snyk squarespace sumologic travisci trello twitch \
    twitter_bearer_v2 yandex zendesk
    """.split(separator: " ").map(String.init)

  private static func value(_ kind: Value, _ generator: inout SecretGenerator) -> String {
    switch kind {
    case .any:
      Bool.random(using: &generator)
        ? generator.secret(length: 8...40, word + "-_") + "7"
        : "q" + generator.secret(length: 6...30, punctuated) + "7Z"
    case .token: generator.secret(length: 12...64, word + "-_") + "7Z"
    case .digits: "7" + generator.secret(length: 7...7, "0123456789")
    case .words:
      (0..<12).map { _ in generator.secret(length: 5...8, "abcdefghijklmnoprstuvw") }.joined(separator: " ")
    case .random: mixed(&generator, 24...48)
    }
  }

  private static let punctuated = word + "\"&<>'%=:?#@!$;,é€"

  /// A key with letters of both cases, and digits that are never far apart.
  private static func mixed(_ generator: inout SecretGenerator, _ length: ClosedRange<Int>) -> String {
    let text = generator.secret(length: length, word)
    return String(text.enumerated().map { $0.offset % 5 == 2 ? Character("\($0.offset % 10)") : $0.element })
  }

  /// A key in one of the alphabets of rule sets.
  private static func random(_ generator: inout SecretGenerator) -> String {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: generator.secret(length: 32...64, "0123456789abcdef")
    case 1: generator.secret(length: 24...40, "0123456789abcdefghijklmnopqrstuvwxyz")
    case 2: generator.secret(length: 40...44, word + "-_")
    default: mixed(&generator, 24...48)
    }
  }

  /// An exchange with a secret.
  private struct Planted {
    let title: String
    let value: String
    let exchange: Scenario.Exchange
  }

  private struct Redacted {
    let planted: Planted
    let exchange: Scenario.Exchange
    let report: [String]

    /// Whether a text has the value in any encoding.
    var holdsValue: Bool {
      let text = exchange.allText
      return EncodedSecret.allCases.contains { text.contains($0(planted.value)) }
    }
  }

  /// Redacts the exchanges of one recording.
  private static func redacted(_ all: [Planted]) throws -> [Redacted] {
    let redactor = Redactor()
    for planted in all { try redactor.learn(planted.exchange) }
    return all.map { planted in
      var omission: String?
      let exchange = redactor.redacted(planted.exchange, omission: &omission).exchange
      #expect(omission == nil, "\(planted.title)")
      return Redacted(planted: planted, exchange: exchange, report: SecretReport().lines([exchange]))
    }
  }

  private static func isPlain(_ name: String) -> Bool {
    name.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
  }

  @Test func noSecretUnderAKnownNameIsLeft() throws {
    var generator = SecretGenerator(state: 35)
    var count = 0
    for (kind, list) in Self.names {
      for name in list.split(separator: " ").map(String.init) {
        let planted = SecretPlacement.all.compactMap { placement -> Planted? in
          guard Self.isPlain(name) || !placement.needsPlainName else { return nil }
          let value = Self.value(kind, &generator)
          return placement.make(name, value).map {
            Planted(title: "\(placement.title) \(name)", value: value, exchange: $0)
          }
        }
        count += planted.count
        for redacted in try Self.redacted(planted) {
          let (title, text) = (redacted.planted.title, redacted.exchange.allText)
          #expect(!redacted.holdsValue, "\(title): \(text)")
          #expect(redacted.exchange.shape == redacted.planted.exchange.shape, "\(title): \(text)")
          #expect(redacted.report == [], "\(title)")
        }
      }
    }
    #expect(count >= 500)
  }

  @Test func noSecretUnderAnUnknownNameIsLeftInSilence() throws {
    var generator = SecretGenerator(state: 53)
    var count = 0
    for name in Self.otherNames {
      let planted = SecretPlacement.all.compactMap { placement -> Planted? in
        // A program has random texts of its own.
        guard placement.title != "script" else { return nil }
        let value = Self.random(&generator)
        return placement.make(name, value).map {
          Planted(title: "\(placement.title) \(name)", value: value, exchange: $0)
        }
      }
      count += planted.count
      for redacted in try Self.redacted(planted) {
        let (title, value) = (redacted.planted.title, redacted.planted.value)
        let isTold = !redacted.report.isEmpty || !redacted.holdsValue
        #expect(isTold, "\(title): \(value)")
        #expect(!redacted.report.joined().contains(value))
        #expect(redacted.exchange.shape == redacted.planted.exchange.shape, "\(title)")
      }
    }
    #expect(count >= 500)
  }

  @Test func noKeyOfAKnownFormIsLeft() throws {
    for (index, form) in SecretShapeTests.forms.enumerated() {
      // Each form in a third of the places.
      let planted = SecretPlacement.all.enumerated().filter { $0.offset % 3 == index % 3 }.compactMap {
        number,
        placement -> Planted? in
        let key = SecretShapeTests.make(form.form, seed: UInt64(100 * index + number))
        return placement.make("note", key).map {
          Planted(title: "\(placement.title) \(form.kind)", value: key, exchange: $0)
        }
      }
      for redacted in try Self.redacted(planted) {
        #expect(!redacted.holdsValue, "\(redacted.planted.title): \(redacted.exchange.allText)")
      }
    }
  }

  @Test func harmlessValuesAreNotReplaced() throws {
    let harmless = [
      ("sessions", "1523456"), ("session_timeout", "30"), ("secretary", "Jo"), ("tz", "UTC"),
      ("country", "DE"),
      ("grant_type", "password"), ("token_type", "bearer"), ("id", "4539578763621486"), ("author", "Jo"),
      ("code", "DE"), ("password_policy", "strong"), ("state", "NY"), ("keyboard", "qwerty"), ("pin", "red"),
      ("sid", "abc"),
    ]
    for (name, value) in harmless {
      let planted = SecretPlacement.all.compactMap { placement in
        placement.make(name, value).map {
          Planted(title: "\(placement.title) \(name)", value: value, exchange: $0)
        }
      }
      for redacted in try Self.redacted(planted) {
        #expect(redacted.exchange == redacted.planted.exchange, "\(redacted.planted.title)")
      }
    }
  }
}
