import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

struct SecretReportTests {
  private func lines(_ message: RedactableMessage, _ options: RedactionOptions = RedactionOptions())
    -> [String]
  {
    SecretReport(options).lines([("reply", message)])
  }

  @Test(arguments: [
    "q7Hw2LzX9bRt4KpV0sDmE8yU", "9f86d081884c7d659a2feaa0c55ad015", "Zm9vYmFyMTIzcXV4Qm96IUA5OQ==",
    "k3j9x0q2m5z8b7v1c4n6p0w2", "Xy7-kQ_2mN9pLr4TsV8wBz3FhJ6", "4b1dA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9",
    "A3-ABCDEF-1B2C3D4E5F6-A1B2C-D3E4F-G5H6I-J7K8L", "AQVNyVqBi-XoJ1cAo7VIxq6ztgXm3owqowtso5Qb",
    "EZ3kLmPq8RsTuVwXyZ0aBcDeFgHiJkLmNoPq",
  ]) func aRandomTextIsReported(value: String) {
    #expect(lines(.json(#"{"a": {"\#("custom")": "\#(value)"}}"#)).count == 1)
    #expect(lines(.json(#"{"a": "the value \#(value) was made"}"#)).count == 1)
    #expect(lines(.field("X-Custom", value)).count == 1)
    #expect(lines(.get("/a?custom=\(value.replacing("=", with: "%3D"))")).count == 1)
    #expect(lines(.content("application/xml", "<r><a>\(value)</a></r>")).count == 1)
    #expect(lines(.content("text/plain", "see \(value) there")).count == 1)
    #expect(!lines(.json(#"{"a": "\#(value)"}"#)).joined().contains(value))
  }

  @Test(arguments: [
    "550e8400-e29b-41d4-a716-446655440000", "The quick brown fox jumps over it", "application/vnd.api+json",
    "2024-05-17T08:15:30.123456Z", "getElementsByClassNameAndTagName2", "a-long-slug-of-a-post-from-2024-05",
    "SECRET-ACCESS_TOKEN-1", "token SECRET-ACCESS_TOKEN-1 was revoked",
    "sha256-47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
    "sha384-oqVuAfXRKap7fdgcCY5uykM6-R9GqQ8K-uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a",
    "data:image/png;base64,q7Hw2LzX9bRt4KpV0sDmE8yUq7Hw2LzX9bRt4KpV0sDmE8yU",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
    "main.3f2a9c1b7d5e8f60a1b2.chunk.js", "1.2.840.113549.1.1.11.4.5.6.7",
    "10.0.0.1, 192.168.100.200, 172.16.254.1",
    "AAAAAAAAAAAAAAAAAAAAAAAA1", "11111111111111111111111111111111", "org.apache.commons.lang3.StringUtils",
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0Z3VS5JJcds3xfn", "en-US,en;q=0.9,de-DE;q=0.8,de;q=0.7",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.109 Safari/537.36",
    "123456789012345678901234567890", "+49 30 1234567890 1234567890", "ISO_8859_1_CHARSET_NAME_LATIN",
    "arn:aws:s3:::my-bucket-2024",
    "/usr/local/lib/python3.11/site-packages", "Donaudampfschifffahrtsgesellschaft1",
    "rgba(255, 255, 255, 0.85)", "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
  ]) func aHarmlessTextIsNotReported(value: String) {
    #expect(lines(.json(#"{"a": "\#(value)"}"#)) == [])
    #expect(lines(.content("text/plain", value)) == [])
  }

  @Test(arguments: [
    ("id", "q7Hw2LzX9bRt4KpV0sDmE8yU"), ("userId", "q7Hw2LzX9bRt4KpV0sDmE8yU"),
    ("node_id", "MDQ6VXNlcjU4MzIzMQabc12"),
    ("sha", "9f86d081884c7d659a2feaa0c55ad0159f86d081"),
    ("commit", "9f86d081884c7d659a2feaa0c55ad0159f86d081"),
    ("etag", "q7Hw2LzX9bRt4KpV0sDmE8yU"), ("integrity", "q7Hw2LzX9bRt4KpV0sDmE8yU"),
    ("nextPageToken", "q7Hw2LzX9bRt4KpV0sDmE8yU"),
    ("cursor", "Y3Vyc29yOnYyOpK5MjAyNC0wNS0xN1"), ("traceId", "4bf92f3577b34da6a3ce929d0e0e4736"),
    ("fingerprint", "9f86d081884c7d659a2feaa0c55ad015"), ("publicKey", "q7Hw2LzX9bRt4KpV0sDmE8yU"),
    ("image", "q7Hw2LzX9bRt4KpV0sDmE8yU"), ("avatarUrl", "https://cdn.example/u/q7Hw2LzX9bRt4KpV0sDm.png"),
    ("checksum", "9f86d081884c7d659a2feaa0c55ad015"), ("version", "9f86d081884c7d659a2feaa0c55ad015"),
  ]) func aNameSaysThatAValueIsHarmless(name: String, value: String) {
    #expect(lines(.json(#"{"\#(name)": "\#(value)"}"#)) == [])
  }

  @Test(arguments: [
    ("ETag", #"W/"q7Hw2LzX9bRt4KpV0sDmE8yU""#), ("If-None-Match", #""9f86d081884c7d659a2feaa0c55ad015""#),
    ("X-Request-Id", "64dc4d1032a8c046502d8367e0b0a1e0"), ("X-Amz-Request-Id", "q7Hw2LzX9bRt4KpV0sDmE8yU"),
    ("x-amz-id-2", "q7Hw2LzX9bRt4KpV0sDmE8yUq7Hw2LzX9bRt4KpV0sDmE8yU="),
    ("X-Amzn-Trace-Id", "Root=1-67891233-abcdef012345678912345678"),
    ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
    ("CF-RAY", "98acebb5ed61bcac-ALA"),
    ("Content-Digest", "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"),
    ("Content-MD5", "Q2hlY2sgSW50ZWdyaXR5IQ=="),
    ("x-client-data", "CLu1yQEIhrbJAQimtskBCKm2yQEIwbbJAQi4hcoBCNeHygEIlYrKAQ=="),
    ("Server", "ECAcc (frc/4CD3) 9f86d081884c7d659a2feaa0c55ad015"),
    (
      "Content-Security-Policy",
      "script-src 'nonce-q7Hw2LzX9bRt4KpV0sDmE8yU' 'sha256-q7Hw2LzX9bRt4KpV0sDmE8yU'"
    ),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ("X-GUploader-UploadID", "ABPtcPq7Hw2LzX9bRt4KpV0sDmE8yUq7Hw2LzX9bRt4K"),
    ("x-fb-debug", "q7Hw2LzX9bRt4KpV0sDmE8yUq7Hw2LzX9bRt4KpV0sDmE8yU"),
    ("NEL", #"{"report_to":"q7Hw2LzX9bRt4KpV0sDmE8yU"}"#),
    ("Link", "</assets/app-q7Hw2LzX9bRt4KpV0sDm.css>; rel=preload"),
    ("Referer", "https://a.example/q7Hw2LzX9bRt4KpV0sDm.html?v=9f86d081884c7d659a2feaa0c55ad015"),
    ("Set-Cookie", "theme=dark; Path=/"), ("x-bounce-id", "blc03-htz-9f86d081884c7d65"),
  ]) func aFieldIsHarmless(name: String, value: String) { #expect(lines(.field(name, value)) == []) }

  @Test func aPageIsHarmless() {
    let page = """
      <!DOCTYPE html><html><head><meta name="viewport" content="width=device-width, initial-scale=1">
      <link rel="stylesheet" href="/static/css/main.9f86d081884c7d65.css" integrity="sha384-q7Hw2LzX9bRt4KpV0sDmE8yUq7Hw2L">
      <script src="https://cdn.example/9f86d081884c7d659a2feaa0c55ad015/app.js?v=9f86d081884c7d659a2feaa0c55ad015"></script>
      <script nonce="q7Hw2LzX9bRt4KpV0sDmE8yU">window.chunks={a:"q7Hw2LzX9bRt4KpV0sDmE8yU"};gtag("config","G-ABC123DEF4")</script>
      <style>.css-1q7hw2lz{background:url(data:image/png;base64,q7Hw2LzX9bRt4KpV0sDmE8yU)}</style></head>
      <body class="css-q7Hw2LzX9bRt4KpV0sDm"><svg><path d="M12.5 3.2c1.9q7Hw2LzX9bRt4KpV0sDm"/></svg>
      <img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" alt="x">
      <p>Commit 9f86d08 was merged on 2024-05-17.</p></body></html>
      """
    #expect(lines(.content("text/html", page)) == [])
    #expect(
      lines(
        .content("text/javascript", #"var m={12:"q7Hw2LzX9bRt4KpV0sDmE8yU"};f("q7Hw2LzX9bRt4KpV0sDmE8yU")"#)
      ) == []
    )
  }

  @Test func aBareCardNumberIsReported() {
    #expect(lines(.json(#"{"ref": "4111111111111111"}"#)) == ["reply.body $.ref: a card number"])
    #expect(lines(.json(#"{"ref": 4111111111111111}"#)) == ["reply.body $.ref: a card number"])
    #expect(lines(.json(#"{"ref": "4111111111111112", "id": 1710000000000000}"#)) == [])
  }

  @Test func whatWasNotReplacedIsReportedByItsNameAndShape() {
    #expect(
      lines(.json(#"{"password": "abc"}"#)) == ["reply.body $.password: a value with the name of a secret"]
    )
    let token = "ghp_0123456789abcdef0123456789abcdef0123"
    #expect(lines(.content("text/plain", "use \(token) now")) == ["reply.body /#text: GitHub token"])
  }

  @Test func aRandomTextBesideAPlaceholderIsReported() {
    let text = "id,key\nSECRET-AWS_KEY-1,q7Hw2LzX9bRt4KpV0sDmE8yU\n"
    #expect(lines(.content("text/csv", text)) == ["reply.body /#text: random, 24 characters"])
    #expect(lines(.content("text/csv", text.replacing("q7Hw2LzX9bRt4KpV0sDmE8yU", with: "x"))) == [])
  }

  @Test func aRandomTextBetweenSettingsIsReported() {
    let text = "lang=de\ndefine('AUTH', 'q7Hw2LzX9bRt4KpV0sDmE8yU');\ntz=UTC\n"
    #expect(lines(.content("text/plain", text)) == ["reply.body /#text: random, 24 characters"])
    #expect(lines(.content("text/plain", text.replacing("q7Hw2LzX9bRt4KpV0sDmE8yU", with: "x"))) == [])
  }

  @Test func reportsAPlaceAndAValueOnce() {
    let rows = (0..<50).map { #"{"a": "q7Hw2LzX9bRt4KpV0sDmE8y\#($0 + 10)"}"# }.joined(separator: ",")
    #expect(lines(.json("[\(rows)]")) == ["reply.body $[0].a: random, 25 characters, 50 times"])
    let pairs = (0..<9).map { number in
      #"{"name": "field\#(number % 2 == 0 ? "A" : "B")", "value": "q7Hw2LzX9bRt4KpV0sDmE8y\#(number)"}"#
    }
    let names = lines(.json("[\(pairs.joined(separator: ","))]")).map { $0.contains("(fieldA)") }
    #expect(names == [true, false])
    let value = "q7Hw2LzX9bRt4KpV0sDmE8yU"
    #expect(
      lines(.json(#"{"a": "\#(value)", "b": "\#(value)"}"#)) == [
        "reply.body $.a: random, 24 characters, 2 times"
      ]
    )
  }

  @Test func whatIsListedOrKeptIsNotReported() {
    var options = RedactionOptions()
    options.allowedNames = ["a"]
    options.allowedPaths = ["$.b.c"]
    let value = "q7Hw2LzX9bRt4KpV0sDmE8yU"
    #expect(lines(.json(#"{"a": "\#(value)", "b": {"c": "\#(value)"}}"#), options) == [])
    var exchange = Scenario.Exchange(
      id: "01",
      request: Scenario.Request(
        "GET",
        "https://a.example/?id=9f86d081884c7d659a2feaa0c55ad015&custom=\(value)"
      ),
      reply: Scenario.Reply(Scenario.Outcome(.complete))
    )
    #expect(SecretReport().lines([exchange]) == ["01 request.target query.custom: random, 24 characters"])
    #expect(
      SecretReport().findings(in: exchange).map(\.text) == [
        "request.target query.custom: random, 24 characters"
      ]
    )
    exchange.redacted = [Scenario.RedactedLeaf("request.target", "query.custom", "CUSTOM-1")]
    #expect(SecretReport().lines([exchange]) == [])
  }
}
