import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

@Suite struct SecretScanTests {
  @Test func findsSecretsInFixtures() {
    let manifest = """
      {
        "exchanges": [{
          "request": {"target": "{api}/users?api_key=k3yk3yk3y&page=1", "fields": [
            ["Accept", "text/plain"],
            ["Authorization", "Bearer tok3ntok3n"],
            ["Cookie", "sid={{secret:SID#1}}"],
            ["X-Api-Key", "{{secret:X_API_KEY#1}}"]
          ], "body": {"text": "{\\"password\\": \\"p4ssw0rd\\"}"}},
          "note": "https://bob:pa55@a.test/ AKIAABCDEFGHIJKLMNOP"
        }]
      }
      """
    let findings = SecretScan().findings(in: "scenario.json", Bytes(manifest))
    #expect(findings.map(\.line) == [3, 5, 8, 9, 9])
    #expect(findings.map(\.kind) == [.name, .name, .name, .urlPassword, .awsKey])
    #expect(findings[0].column == 48)
    #expect(findings[1].excerpt == "      [\"Authorization\", \"Bearer [secret]")
    #expect(findings[4].excerpt == "ote\": \"https://bob:[secret]@a.test/ [secret]")
    for secret in ["k3yk3y", "tok3n", "p4ss", "pa55", "ABCDEFG"] {
      #expect(!findings.contains { $0.description.contains(secret) })
    }
  }

  @Test(
    arguments: [
      ("ghp_0123456789abcdefghijABCDEFGHIJ012345", .gitHubToken),
      ("github_pat_11ABCDEFG0abcdefghijkl_mnop", .gitHubToken), ("glpat-0123456789abcdefABCD", .gitLabToken),
      ("xoxb-123456789012-abcdefABCDEF", .slackToken), ("sk_live_0123456789abcdefghij", .stripeKey),
      ("AIzaSyA0123456789abcdefghijABCDEFGHIJ_-", .googleKey), ("ASIAABCDEFGHIJKLMNOP", .awsKey),
      ("5555-5555-5555-4444", .cardNumber), ("378282246310005", .cardNumber),
      ("eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.", .jsonWebToken),
      ("Bearer 7Gk2pQ9xLm4Rz8Vb3Nw6", .credentials),
    ] as [(String, SecretKind)]
  )
  func shapes(secret: String, kind: SecretKind) {
    for text in [secret, "{\"a\": \"\(secret)\"}", "<a>\(secret)</a>", "x \(secret), y\n"] {
      let findings = SecretScan().findings(in: "a.txt", Bytes(text))
      #expect(findings.map(\.kind) == [kind], "\(text)")
      #expect(findings.allSatisfy { !$0.excerpt.contains(secret) })
    }
    #expect(SecretScan().findings(in: "a.txt", Bytes("x{{secret:A#1}}\(kind.rawValue)")).isEmpty)
  }

  @Test func findsCookiesOfHAR() {
    let har =
      #"{"cookies":[{"name":"sid","value":"a1b2c3d4"}],"headers":[{"name":"Cookie","value":"sid=a1b2c3d4"}]}"#
    #expect(SecretScan().findings(in: "a.har", Bytes(har)).map(\.column) == [36, 89])
  }

  @Test func redactedMessagesHaveNoFindings() throws {
    var random = SecretGenerator(state: 9)
    for (_, make) in LeakProofTests.positions {
      let secret = random.secret(length: 12...40, SecretGenerator.token)
      let (_, messages) = try redactAll([make(secret)])
      for file in messages[0].files where file.name == "body" {
        #expect(SecretScan().findings(in: "a", file.bytes).isEmpty)
      }
    }
  }

  @Test func anyBytesAreRead() throws {
    var random = SecretGenerator(state: 3)
    let pieces = [
      "<", ">", "\"", "{", "[", "]", "}", ":", ",", "&#", "%", "\\u12", "\\", "token", "=", "--b", "\n",
      "\r\n", "-----BEGIN ",
      "PRIVATE KEY-----", "{{secret:", "A#1}}", "://", "@", "eyJ", ".", "é", "4111", "<![CDATA[", "<!--",
      "Basic ", ";", "?",
    ]
    let types: [MediaType?] = [
      nil, .json, .xml, .html, .form, .plainText, .multipartForm.with(.init(name: "boundary", value: "b")!),
    ]
    for round in 0..<300 {
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in pieces.randomElement(using: &random)!
      }.joined()
      var bytes = Array(text.utf8)
      if round % 3 == 0 { bytes = Array(bytes.dropLast(1)) + [0xFF] }
      let field = text.filter { $0.isASCII && !$0.isNewline }
      let message = RedactableMessage(
        method: "GET",
        target: text,
        fields: [
          .authorization: field, .cookie: field, .setCookie: field, .location: field,
          .init("Authentication-Info")!: field,
        ],
        body: Bytes(bytes),
        mediaType: types[round % types.count]
      )
      let redactor = Redactor()
      let redacted = try redactor.redact(message)
      let leaks = redactor.leakProof.leaks(in: redacted.files)
      #expect(leaks.isEmpty, "\(text)\n\(redacted.files.map { String(decoding: $0.bytes) })")
      _ = SecretScan().findings(in: "a.json", Bytes(bytes))
    }
  }
}
