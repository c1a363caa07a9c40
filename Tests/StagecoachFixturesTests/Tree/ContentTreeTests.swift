import StagecoachCore
import Testing

@testable import StagecoachFixtures

/// Forms, parts, events and text, and which of these content is.
@Suite struct ContentTreeTests {
  @Test func readsAndRewritesForms() {
    let tree = TextTree("a=1&b%5B%5D=x+y%21&a=2&c&d=&=", "application/x-www-form-urlencoded")
    #expect(tree.listing == ["a = 1", "b[] = x y!", "a[1] = 2", " = c", "d = "])
    #expect(tree.replacing("b[]", with: "é +") == "a=1&b%5B%5D=%C3%A9%20%2B&a=2&c&d=&=")
  }

  @Test func readsAndRewritesMultipartBodies() {
    let text = [
      "preamble", "--b", "Content-Disposition: form-data; name=\"pin\"", "", "1234", "--b",
      "content-disposition: form-data; name=json", "Content-Type: application/json", "", "{\"a\": \"b\"}",
      "--b",
      "Content-Disposition: form-data; name=\"pin\"; filename=x", "", "c=d&e=f", "--b", "", "no name",
      "--b--", "epilogue",
    ].joined(separator: "\r\n")
    let tree = TextTree(text, "multipart/form-data; boundary=b")
    #expect(
      tree.listing == [
        "pin/#text = 1234", "json/#text = {\"a\": \"b\"}", "json/#text>$.a = b", "pin[1]/#text = c=d&e=f",
        "pin[1]/#text>c = d", "pin[1]/#text>e = f", "$[3]/#text = no name",
      ]
    )
    #expect(tree.replacing("json/#text>$.a", with: "x") == text.replacing("\"b\"}", with: "\"x\"}"))
    let truncated = TextTree(
      String(decoding: text.utf8.prefix(65), as: UTF8.self),
      "multipart/form-data; boundary=b"
    )
    #expect(truncated.listing == ["pin/#text = 1234"])
  }

  @Test func readsAndRewritesEventStreams() {
    let text = "event: a\r\ndata: {\"x\": 1}\r\ndata:two\r\n\r\n: comment\n\nid: 7\rdata: three"
    #expect(
      TextTree(text, "text/event-stream").listing == [
        "$[0].event = a", "$[0].data = {\"x\": 1}", "$[0].data>$.x = 1 (number)", "$[0].data[1] = two",
        "$[1].id = 7", "$[1].data = three",
      ]
    )
  }

  @Test func readsAndRewritesAssignments() {
    let text = """
      DB_PASSWORD=x y&z # comment
      export B='q r'
      password: hunter2 # comment
        - token: "a\\"b"
      //registry.example/:_authToken=npm_x
      machine h
        login l password p
      Server=a;Password=p w;
      host=h password=secret
      if (a == b) { see https://u:q@h/a?token=t. }
      time: 10:30, and so on
      """
    let tree = TextTree(text, "text/plain")
    #expect(
      tree.listing.dropFirst().map { String($0.dropFirst("/#text>".count)) } == [
        "DB_PASSWORD = x y&z", "B = q r", "password = hunter2", "token = a\"b", "_authToken = npm_x",
        "login = l",
        "password[1] = p", "Server = a", "Password = p w", "host = h", "password[2] = secret",
        "url.authority.user = u",
        "url.authority.password = q", "url.path[0] = a", "url.query.token = t", "time = 10:30, and so on",
      ]
    )
    #expect(
      tree.replacing("/#text>token", with: "SECRET-TOKEN-1")
        == text.replacing("a\\\"b", with: "SECRET-TOKEN-1")
    )
  }

  @Test func readsAssignmentsInsideValues() {
    let text =
      #"{"a": "Server=tcp:x,1433;Initial Catalog=My Db;User ID=sa;Password=p w;", "b": "user=u password=p", "c": "Note: a"}"#
    #expect(
      TextTree(text).listing.filter { $0.contains(">") } == [
        "$.a>Server = tcp:x,1433", "$.a>Catalog = My Db", "$.a>ID = sa", "$.a>Password = p w", "$.b>user = u",
        "$.b>password = p",
      ]
    )
  }

  @Test func readsTextsInPrograms() {
    let text = "const a = {apiKey: \"x\", b: 'y', c: z}; d = e"
    #expect(
      TextTree(text, "text/javascript").listing.dropFirst() == ["/#text>apiKey = x", "/#text>b = y"]
    )
  }

  @Test(arguments: [
    ("{\"a\": 1}", nil, ContentFormat.json), ("[INFO] a", nil, .text), ("<html><br></html>", nil, .html),
    ("<a/>", "text/plain", .xml), ("a=b", nil, .form), ("YWJj=", nil, .text), ("a b=c", nil, .text),
    ("Server=a;Key=b+c", nil, .text),
    ("{\"a\": 1}", "application/x-www-form-urlencoded", .json), ("<html>", "application/json", .html),
    ("{\"a\": 1}", "text/html", .json), ("12", "application/problem+json", .json),
    ("a", "image/svg+xml", .xml),
    ("{}", "image/png", .binary), ("a", "application/yaml", .text),
    ("a", "multipart/mixed; boundary=b", .multipart(boundary: "b")),
    ("a", "multipart/mixed", .text), ("{\"a\": 1}", "application/json; charset=utf-16", .binary),
    ("{\0\"\0", "application/json", .binary), ("\u{FEFF}{}", nil, .json),
  ])
  func recognizesTheFormatOfContent(_ text: String, _ type: String?, _ format: ContentFormat) {
    #expect(ContentFormat(type.flatMap { MediaType($0) }, Array(text.utf8)) == format)
  }

  @Test func binaryContentIsOneLeaf() {
    let octets: [UInt8] = [0xFF, 0xD8, 0x20, 0x61, 0x3D, 0x62, 0x0A]
    let tree = TextTree(content: octets, nil)
    #expect(tree.nodes.compactMap { $0.leaf?.range } == [0..<7])
  }
}
