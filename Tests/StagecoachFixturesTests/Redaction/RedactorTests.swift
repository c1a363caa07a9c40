import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

@Suite struct RedactorTests {
  private static let token = "tok_8Fh2kQ9vLw3XzR7b"

  private func reply(_ type: String, _ body: String) -> RedactableMessage {
    RedactableMessage(response: [.contentType: type], body: Bytes(body))
  }

  private func text(_ message: RedactableMessage) -> String {
    message.body.map { String(decoding: $0) } ?? ""
  }

  private func redacted(_ type: String, _ body: String, _ options: RedactionOptions = RedactionOptions())
    throws
    -> String
  {
    text(try Redactor(options).redact(reply(type, body)))
  }

  @Test(arguments: [
    (
      "application/json", #"{"id": 1234567890, "otp": "tok9\u002dx", "access_token":"\#(token)", "n": null}"#,
      #"{"id": 1234567890, "otp": "SECRET-OTP-1", "access_token":"SECRET-ACCESS_TOKEN-1", "n": null}"#
    ),
    (
      "application/x-www-form-urlencoded", "user=ada&password=a%20b%26c&grant_type=password",
      "user=ada&password=SECRET-PASSWORD-1&grant_type=password"
    ),
    (
      "application/xml", "<login><user>ada</user><password>p&amp;q</password></login>",
      "<login><user>ada</user><password>SECRET-PASSWORD-1</password></login>"
    ),
    (
      "text/plain", "the token is \(token), and DB_PASSWORD=x9!kk2",
      "the token is \(token), and DB_PASSWORD=SECRET-DB_PASSWORD-1"
    ),
    (
      "application/json", #"{"sessions": 1523456, "errors": {"password": ["is too short"]}}"#,
      #"{"sessions": 1523456, "errors": {"password": ["is too short"]}}"#
    ),
  ])
  func redactedContentKeepsItsFormat(_ type: String, _ body: String, _ expected: String) throws {
    #expect(try redacted(type, body) == expected)
  }

  @Test func aKindThatHoldsNoTextGetsAMadeUpValueThatIsListed() throws {
    let body =
      #"{"pin":4711,"card_number":"4111 1111 1111 1111","password":"550e8400-e29b-41d4-a716-446655440000"}"#
    let redactor = Redactor()
    let message = reply("application/json", body)
    try redactor.learn([message])
    let result = try redactor.redact(message, side: "reply", listed: [])
    let value = try JSONValue(parsing: [UInt8](result.message.body ?? Bytes()))
    let pin = try #require(value["pin"]?.intValue)
    #expect(pin != 4711 && (1000...9999).contains(pin))
    let card = try #require(value["card_number"]?.stringValue)
    #expect(card != "4111 1111 1111 1111")
    #expect(CardNumber.range(in: Array(card.utf8), at: 0)?.count == 19)
    let password = try #require(value["password"]?.stringValue)
    #expect(SecretValues.isUUID(password.utf8) && password != "550e8400-e29b-41d4-a716-446655440000")
    #expect(
      result.listed == [
        Scenario.RedactedLeaf("reply.body", "$.pin", "PIN-1"),
        Scenario.RedactedLeaf("reply.body", "$.card_number", "CARD_NUMBER-1"),
        Scenario.RedactedLeaf("reply.body", "$.password", "PASSWORD-1"),
      ]
    )
    // What is made up follows from the name and the form alone.
    let other = Redactor()
    let another = reply("application/json", body.replacing("4711", with: "1234"))
    try other.learn([another])
    let second = try other.redact(another, side: "reply", listed: [])
    #expect(text(second.message) == text(result.message))
  }

  @Test func aSecretHasOneNameWhereverItStands() throws {
    let login = RedactableMessage(
      response: [.contentType: "application/json", .setCookie: "session=\(Self.token); Path=/"],
      body: Bytes(#"{"access_token": "\#(Self.token)"}"#)
    )
    let request = RedactableMessage(
      method: "GET",
      target: "https://api.example.com/files/\(Self.token)/a?x=1#y",
      fields: [.authorization: "Bearer \(Self.token)", .referer: "https://x.example/?u=\(Self.token)"]
    )
    let redactor = Redactor()
    try redactor.learn([login, request])
    let (a, b) = (try redactor.redact(login), try redactor.redact(request))
    let name = try #require(a.fields[.setCookie]?.dropFirst(8).prefix { $0 != ";" })
    #expect(name.hasPrefix("SECRET-") && text(a) == #"{"access_token": "\#(name)"}"#)
    #expect(b.target == "https://api.example.com/files/\(name)/a?x=1#y")
    #expect(b.fields[.authorization] == "Bearer \(name)")
    #expect(b.fields[.referer] == "https://x.example/?u=\(name)")
  }

  @Test(arguments: EncodedSecret.allCases)
  func aKnownSecretIsFoundInEveryEncoding(_ encoding: EncodedSecret) throws {
    var options = RedactionOptions()
    options.secrets["KEY"] = "correct horse/battery+staple"
    let text = "before \(encoding("correct horse/battery+staple")) after"
    let result = try redacted("text/plain", text, options)
    #expect(result.hasPrefix("before ") && result.hasSuffix(" after"))
    #expect(result.contains("SECRET-KEY-1"), "\(encoding): \(result)")
  }

  @Test(arguments: [
    // Several kinds of escapes in one value.
    ("correct horse/battery+staple", #"correct%20horse&#47;battery\u002bstaple"#),
    ("correct horse/battery+staple", "correct%2520horse/battery%252Bstaple"),
    // Base64 in lines, as mail has it.
    ("correct horse/battery+staple", "Y29ycmVjdCBob3JzZS9i\r\nYXR0ZXJ5K3N0YXBsZQ=="),
    // What looks like an escape is a part of the secret.
    (#"p%41ss&amp;"word"#, #"p%41ss&amp;\"word"#),
    (#"p%41ss&amp;"word"#, #"p%41ss&amp;"word"#),
    (#"p%41ss&amp;"word"#, "p%2541ss%26amp%3B%22word"),
  ])
  func aKnownSecretIsFoundBelowEscapes(_ secret: String, _ written: String) throws {
    var options = RedactionOptions()
    options.secrets["KEY"] = secret
    let result = try redacted("text/plain", "before \(written) after", options)
    #expect(result == "before SECRET-KEY-1 after")
  }

  @Test func aWebTokenKeepsWhatTellsItsUse() throws {
    let claims = #"{"iss":"https://id.example.com","exp":1700000000,"password":"hunter2!","aud":"api"}"#
    let head = Base64.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8), urlSafe: true, padded: false)
    let payload = Base64.encode(Array(claims.utf8), urlSafe: true, padded: false)
    let token = String(decoding: head + [0x2E] + payload, as: UTF8.self) + ".c2lnbmF0dXJlLXNpZ25hdHVyZQ"
    let redactor = Redactor()
    let message = reply("application/json", #"{"id_token":"\#(token)"}"#)
    try redactor.learn([message])
    let result = try redactor.redact(message, side: "reply", listed: [])
    #expect(result.listed == [Scenario.RedactedLeaf("reply.body", "$.id_token", "ID_TOKEN-1")])
    let value = try JSONValue(parsing: [UInt8](result.message.body ?? Bytes()))["id_token"]?.stringValue ?? ""
    let parts = value.split(separator: ".")
    #expect(parts.count == 3 && parts[0] == String(decoding: head, as: UTF8.self))
    #expect(parts[2] == "SECRET-ID_TOKEN-1")
    let decoded = String(decoding: Base64.decode(parts[1].utf8), as: UTF8.self)
    #expect(decoded == claims.replacing("hunter2!", with: "SECRET-PASSWORD-1"))
  }

  @Test func aPartOfContentKeepsItsLength() throws {
    var message = reply("application/json", #""access_token": "\#(Self.token)", "x": 1}"#)
    message.isPartial = true
    let redactor = Redactor()
    try redactor.learn([reply("application/json", #"{"access_token":"\#(Self.token)"}"#)])
    let result = try redactor.redact(message)
    #expect(result.body?.count == message.body?.count && !text(result).contains(Self.token))
  }

  @Test func aSecretInBinaryContentIsReplacedByAsManyOctets() throws {
    let octets = [0, 1, 0xFF, 0xFE] + Array(Self.token.utf8) + [0, 0xC3]
    let message = RedactableMessage(response: [.contentType: "application/octet-stream"], body: Bytes(octets))
    let redactor = Redactor()
    try redactor.learn([reply("application/json", #"{"access_token":"\#(Self.token)"}"#)])
    let result = try redactor.redact(message)
    let body = [UInt8](result.body ?? Bytes())
    #expect(body.count == octets.count && body.firstOffset(of: Array(Self.token.utf8)) == nil)
    #expect(
      Array(body.prefix(4)) == Array(octets.prefix(4)) && Array(body.suffix(2)) == Array(octets.suffix(2))
    )
  }

  @Test func namesAndPathsOfTheUserDecide() throws {
    var options = RedactionOptions()
    options.redact("tenant")
    options.redact("$.user.birthday")
    options.keep("$.token")
    options.keep("session_id")
    let body =
      #"{"tenant":"acme","user":{"birthday":"1990-05-17"},"token":"\#(Self.token)","session_id":"abc1"}"#
    let result = try redacted("application/json", body, options)
    #expect(result.contains(#""tenant":"SECRET-TENANT-1""#) && !result.contains("1990-05-17"))
    #expect(result.contains(#""token":"\#(Self.token)""#) && result.contains(#""session_id":"abc1""#))
  }

  @Test func aDetectorFindsMore() throws {
    var options = RedactionOptions()
    options.detector = { text in text.matches(of: /EMP-\d{6}/).map { String($0.output) } }
    #expect(
      try redacted("application/json", #"{"note":"ask EMP-123456"}"#, options)
        == #"{"note":"ask SECRET-CUSTOM-1"}"#
    )
  }

  @Test func nothingOfASecretShowsInADescription() throws {
    let redactor = Redactor()
    try redactor.learn([reply("application/json", #"{"access_token":"\#(Self.token)"}"#)])
    var text = "\(redactor)"
    dump(redactor, to: &text)
    #expect(!text.contains(Self.token) && redactor.secretCount == 1)
  }

  /// A number of one digit has eight others: where they are taken, two secrets get one, and none keeps its own.
  @Test func aMadeUpNumberIsNeverTheRealOne() throws {
    var book = SecretBook()
    for number in 1...40 {
      let placeholder = Placeholder(name: "PIN", number: number)
      let value = Array("\(number % 9 + 1)".utf8)
      #expect(book.madeUpValue(.number, like: value, for: placeholder) != value, "\(number)")
    }
  }
}
