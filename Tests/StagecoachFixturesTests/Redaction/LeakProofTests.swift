import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

/// Random secrets in every position and encoding.
@Suite struct LeakProofTests {
  /// A message for each position that reveals a secret, with the secret encoded as the position requires.
  static let positions: [(name: String, make: @Sendable (String) -> RedactableMessage)] = [
    ("query", { .init(method: "GET", target: "/a?x=1&access_token=\(EncodedSecret.percent($0))&y=2#z") }),
    ("fragment", { .init(method: "GET", target: "/a#id_token=\(EncodedSecret.percent($0))") }),
    ("bearer", { .init(method: "GET", target: "/", fields: [.authorization: "Bearer \($0)"]) }),
    (
      "basic",
      {
        .init(
          method: "GET",
          target: "/",
          fields: [.authorization: "Basic \(EncodedSecret.base64("bob:\($0)"))"]
        )
      }
    ),
    ("field", { .init(method: "GET", target: "/", fields: [.init("X-Api-Key")!: $0]) }),
    (
      "cookie",
      { .init(method: "GET", target: "/", fields: [.cookie: "a=b; sid=\(EncodedSecret.percent($0))"]) }
    ),
    ("set-cookie", { .init(response: [.setCookie: "sid=\(EncodedSecret.percent($0)); Path=/; HttpOnly"]) }),
    (
      "location",
      { .init(response: [.location: "https://a.test/cb?code=\(EncodedSecret.percent($0))&state=1"]) }
    ),
    ("form", { body("grant_type=x&client_secret=\(EncodedSecret.form($0))", .form) }),
    (
      "json",
      { body("{\"user\": \"bob\", \"auth\": {\"accessToken\": \"\(EncodedSecret.json($0))\"}}", .json) }
    ),
    ("json list", { body("{\"api_keys\": [\"\(EncodedSecret.json($0))\"]}", .json) }),
    ("xml element", { body("<a><Password>\(EncodedSecret.markup($0))</Password></a>", .xml) }),
    ("xml attribute", { body("<a><b apiKey=\"\(EncodedSecret.markup($0))\"/></a>", .xml) }),
    ("html form", { body("<input name=csrf_token value=\"\(EncodedSecret.markup($0))\">", .html) }),
    (
      "multipart",
      {
        body(
          "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\($0)\r\n--b--\r\n",
          .multipartForm.with(.init(name: "boundary", value: "b")!)
        )
      }
    ),
    (
      "link in JSON",
      { body("{\"next\": \"https:\\/\\/a.test\\/?api_key=\(EncodedSecret.percent($0))&page=2\"}", .json) }
    ),
    ("link in HTML", { body("<a href='/x?page=1&amp;api_key=\(EncodedSecret.percent($0))'>", .html) }),
  ]

  static func body(_ text: String, _ type: MediaType) -> RedactableMessage {
    .init(response: [.contentType: type.description], body: Bytes(text))
  }

  static func token(_ secret: String) -> String {
    secret.filter { SecretGenerator.token.contains($0) } + "x7x7x7"
  }
  static func field(_ secret: String) -> String { secret.filter(\.isASCII).withoutOuterSpaces }

  @Test(arguments: positions.indices)
  func nothingRemains(position: Int) throws {
    let (name, make) = Self.positions[position]
    var random = SecretGenerator(state: UInt64(position))
    for round in 0..<6 {
      var secret = random.secret().withoutOuterSpaces + "Q9"
      if name == "bearer" { secret = Self.token(secret) }
      if name == "field" { secret = Self.field(secret) }
      // The same value elsewhere, in every encoding, alone and in the middle of other text.
      let elsewhere = EncodedSecret.allCases.flatMap { encoding -> [RedactableMessage] in
        let encoded = encoding(secret)
        return [
          .init(response: [.contentType: "text/plain"], body: Bytes("see \(encoded) there")),
          .init(
            response: [.contentType: "application/json"],
            body: Bytes("{\"a\": [\"\(EncodedSecret.json(encoded))\"]}")
          ),
          .init(method: "GET", target: "/p/\(EncodedSecret.percent(encoded))/q"),
          .init(
            response: [.contentType: "application/octet-stream"],
            body: Bytes([0, 255] + Array(encoded.utf8))
          ),
        ]
      }
      let inside: [RedactableMessage] = ["", "a", "ab"].flatMap { prefix in
        [EncodedSecret.base64, .base64url, .hexadecimal].map { encoding in
          .init(response: [:], body: Bytes("see \(encoding("\(prefix)\(secret)zz"))"))
        }
      }
      let messages = elsewhere + inside + [make(secret)]
      let (redactor, redacted) = try redactAll(messages)
      let proof = redactor.leakProof
      for (original, message) in zip(messages, redacted) {
        #expect(
          proof.leaks(in: original.files).count >= 1,
          "\(name), \(round): not found in \(original.text)"
        )
        #expect(proof.leaks(in: message.files).isEmpty, "\(name), \(round)")
        #expect(original != message)
        for file in message.files {
          let text = String(decoding: file.bytes)
          for encoding in EncodedSecret.allCases where encoding != .raw || secret.count > 8 {
            #expect(!text.contains(encoding(secret)), "\(name), \(encoding): \(text)")
          }
        }
      }
      // The second pass changes nothing.
      for message in redacted {
        for (once, twice) in zip(
          message.texts(withBody: true),
          try redactor.redact(message).texts(withBody: true)
        ) {
          #expect(String(decoding: once.text, as: UTF8.self) == String(decoding: twice.text, as: UTF8.self))
        }
      }
    }
  }

  @Test func leaksAreReportedWithoutTheirValue() throws {
    let (redactor, _) = try redactAll([.init(method: "GET", target: "/?access_token=s3cr3tvalue")])
    let files: [(name: String, bytes: Bytes)] = [
      ("clean.json", "{\"a\": \"{{secret:ACCESS_TOKEN#1}}\"}"), ("a.txt", "12 s3cr3tvalue"),
      ("b.txt", Bytes("x=" + EncodedSecret.base64("s3cr3tvalue"))),
    ]
    let leaks = redactor.leakProof.leaks(in: files)
    #expect(leaks.map(\.file) == ["a.txt", "b.txt"])
    #expect(leaks.map(\.offset) == [3, 2])
    #expect(leaks.map(\.placeholder) == ["{{secret:ACCESS_TOKEN#1}}", "{{secret:ACCESS_TOKEN#1}}"])
    #expect(leaks.map(\.encoding) == [.raw, .base64])
    let error = #expect(throws: RedactionError.self) { try redactor.leakProof.verify(files) }
    #expect(error?.description.contains("s3cr3t") == false)
    for value in [redactor as Any, redactor.leakProof, leaks] {
      var dumped = ""
      dump(value, to: &dumped)
      #expect(!dumped.contains("s3cr3t") && !"\(value)".contains("s3cr3t"))
    }
  }

  @Test func shortSecretsAreSearchedBehindTheirNames() throws {
    let (redactor, redacted) = try redactAll([
      .init(method: "GET", target: "/1234?pin_token=1234&page=1234"),
      .init(response: [.contentType: "application/json"], body: "{\"password\": \"ab\", \"x\": \"ab\"}"),
      .init(method: "GET", target: "/?lang=en&code=us", fields: [.cookie: "lang=en"]),
      .init(response: [:], body: "{\"lang\": \"en\", \"code\": \"us\"}", mediaType: .json),
    ])
    #expect(redacted[0].target == "/1234?pin_token={{secret:PIN_TOKEN#1}}&page=1234")
    #expect(redacted[1].text == "{\"password\": \"{{secret:PASSWORD#1}}\", \"x\": \"ab\"}")
    #expect(redacted[2].target == "/?lang=en&code={{secret:CODE#1}}")
    let proof = redactor.leakProof
    #expect(redacted.allSatisfy { proof.leaks(in: $0.files).isEmpty })
    #expect(proof.leaks(in: [("a", "/1234?page=1234, ab, password abc")]).isEmpty)
    #expect(
      proof.leaks(in: [("a", "?pin_token=1234"), ("b", "{\"Password\": \"ab\"}")]).map(\.file) == ["a", "b"]
    )
  }

  /// The base64 of one secret starts like another secret.
  @Test func secretsThatOverlapAreAllFound() throws {
    let long = "abcdefghij"
    let short = String(EncodedSecret.base64(long).prefix(8))
    let base64: String = EncodedSecret.base64("-" + short)
    let text = "\(short)x \(short) \(EncodedSecret.base64(long)) \(short)_ \(base64)"
    let (redactor, redacted) = try redactAll([
      .init(method: "GET", target: "/?token=\(long)&password=\(short)x"),
      .init(method: "GET", target: "/?client_secret=\(short)"),
      .init(response: [:], body: Bytes(text)),
    ])
    #expect(redacted.allSatisfy { redactor.leakProof.leaks(in: $0.files).isEmpty })
    let expected =
      "{{secret:PASSWORD#1}} {{secret:CLIENT_SECRET#1}} {{secret:TOKEN#1}} {{secret:CLIENT_SECRET#1}}_ "
    #expect(redacted[2].text.hasPrefix(expected))
  }

  @Test func aSecretThatOccursInPlaceholdersIsNoLeak() throws {
    let (redactor, redacted) = try redactAll([
      .init(method: "GET", target: "/?password=secret&client_secret=PASSWORD"),
      .init(response: [:], body: Bytes("secret PASSWORD \(EncodedSecret.base64("a secret"))")),
    ])
    #expect(redacted[0].target == "/?password={{secret:PASSWORD#1}}&client_secret={{secret:CLIENT_SECRET#1}}")
    #expect(redacted.allSatisfy { redactor.leakProof.leaks(in: $0.files).isEmpty })
    #expect(redacted[1].text.hasPrefix("{{secret:PASSWORD#1}} {{secret:CLIENT_SECRET#1}} "))
  }

  @Test func manySecretsInMuchText() throws {
    var random = SecretGenerator(state: 5)
    let secrets = (0..<300).map { _ in random.secret(length: 20...40, SecretGenerator.token) }
    let redactor = Redactor()
    try redactor.learn(secrets.map { .init(method: "GET", target: "/?token=\(EncodedSecret.percent($0))") })
    var text = ""
    for index in 0..<2_000 { text += "line \(index) with {\"text\": \"a\\nb &amp; c %20\"}\n" }
    let proof = redactor.leakProof
    #expect(proof.leaks(in: [("a", Bytes(text))]).isEmpty)
    #expect(proof.leaks(in: [("a", Bytes(text + secrets[123] + text))]).count == 1)
  }
}

extension String {
  var withoutOuterSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
