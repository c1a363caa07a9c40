import HTTPTypes
import StagecoachCore
import Testing

@testable import StagecoachFixtures

@Suite struct FieldTreeTests {
  @Test(
    arguments: [
      (.authorization, "Bearer abc.def~", ["Bearer/#text = abc.def~"]),
      (.authorization, "token", ["/#text = token"]),
      (
        .authorization, "Basic dXNlcjpwOmE=",
        ["Basic/#text = dXNlcjpwOmE=", "Basic/#text>user = user", "Basic/#text>password = p:a"]
      ),
      (.authorization, "Basic dXNlcjpwOmF", ["Basic/#text = dXNlcjpwOmF"]),
      (
        .proxyAuthorization, "Digest username=\"a\\\"b\", nc=01, uri=\"/x,y\"",
        ["Digest.username = a\"b", "Digest.nc = 01", "Digest.uri = /x,y"]
      ),
      (
        .authorization, "AWS4-HMAC-SHA256 Credential=A/b, SignedHeaders=host;date,Signature=ff",
        [
          "AWS4-HMAC-SHA256.Credential = A/b", "AWS4-HMAC-SHA256.SignedHeaders = host;date",
          "AWS4-HMAC-SHA256.Signature = ff",
        ]
      ),
      (.authorization, "Negotiate YWJj=", ["Negotiate/#text = YWJj="]),
      (
        .wwwAuthenticate, "Digest realm=\"x, y\", nonce=n, Basic realm=\"z\", Negotiate, NTLM YQ==",
        ["Digest.realm = x, y", "Digest.nonce = n", "Basic.realm = z", "NTLM/#text = YQ=="]
      ),
      (
        .cookie, "a=b; a=\"c d\"; e=%7B%22f%22:1%7D; g",
        ["a = b", "a[1] = c d", "e = {\"f\":1}", "e>$.f = 1 (number)", " = g"]
      ),
      (.setCookie, "a=b; Path=/; HttpOnly", ["a = b", "attributes.Path = /"]),
      (.location, "/cb?code=1", ["/#text = /cb?code=1", "/#text>path[0] = cb", "/#text>query.code = 1"]),
      (.location, "//h/a", ["/#text = //h/a", "/#text>path[0] = a"]),
      (
        HTTPField.Name("Link")!, "<https://h/?page=2>; rel=next, </c>; rel=\"a, b\"",
        [
          "[0]/#text = https://h/?page=2", "[0]/#text>path[0] = ", "[0]/#text>query.page = 2",
          "[0].rel = next", "[1]/#text = /c", "[1]/#text>path[0] = c", "[1].rel = a, b",
        ]
      ),
      (.contentDisposition, "attachment; filename=\"a;b\"", ["/#text = attachment", "filename = a;b"]),
      (.contentType, "multipart/mixed; boundary=x", ["/#text = multipart/mixed", "boundary = x"]),
      (.server, " a/1 ", ["/#text = a/1"]),
      (.cacheControl, "max-age=5, private", ["/#text = max-age=5, private", "/#text>max-age = 5"]),
    ] as [(HTTPField.Name, String, [String])]
  )
  func readsTheLeavesOfAField(_ name: HTTPField.Name, _ value: String, _ leaves: [String]) {
    let tree = TextTree(name, value)
    let field = name.canonicalName
    let expected = leaves.map { $0.hasPrefix("/") || $0.hasPrefix("[") ? field + $0 : "\(field).\($0)" }
    #expect(tree.listing == expected)
    #expect(tree.rewritten { _ in .inside } == tree.text)
  }

  @Test func rewritesALeafOfAField() {
    #expect(
      TextTree(.authorization, "Basic dXNlcjpw").replacing("authorization.Basic/#text>password", with: "é")
        == "Basic dXNlcjrDqQ=="
    )
    #expect(
      TextTree(.authorization, "Digest a=\"b\", c=d").replacing("authorization.Digest.a", with: "\"")
        == "Digest a=\"\\\"\", c=d"
    )
    #expect(TextTree(.cookie, "a=b;c=%41").replacing("cookie.c", with: ";") == "a=b;c=%3B")
  }

  @Test func numbersRepeatedFields() {
    let fields: HTTPFields = [.server: "a", .setCookie: "b=c"]
    var message = RedactableMessage(response: fields)
    message.fields.append(HTTPField(name: .setCookie, value: "b=d"))
    let trees = MessageTree(message)
    #expect(
      trees.parts.flatMap(\.tree.listing) == ["server/#text = a", "set-cookie.b = c", "set-cookie[1].b = d"]
    )
    #expect(TextTree(fields: message.fields, at: 2).listing == ["set-cookie[1].b = d"])
  }
}
