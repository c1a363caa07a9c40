import Testing

@testable import StagecoachFixtures

@Suite struct TargetTreeTests {
  @Test(arguments: [
    (
      "/a/b%20c?x=1&y=a+b&x=2&flag",
      ["path[0] = a", "path[1] = b c", "query.x = 1", "query.y = a b", "query.x[1] = 2", "query. = flag"]
    ),
    ("https://h:80/a?code=1", ["path[0] = a", "query.code = 1"]),
    ("{api}/a/?code=1", ["path[0] = a", "path[1] = ", "query.code = 1"]),
    ("https://u:p%3A@h", ["authority.user = u", "authority.password = p:"]),
    ("https://key@h/", ["authority.user = key", "path[0] = "]),
    ("postgres://u:p@h/db", ["authority.user = u", "authority.password = p", "path[0] = db"]),
    (
      "/a;m=1;n;m=2/b",
      ["path[0]/#text = a", "path[0].m = 1", "path[0]. = n", "path[0].m[1] = 2", "path[1] = b"]
    ),
    ("/cb#access_token=a&state=b", ["path[0] = cb", "fragment.access_token = a", "fragment.state = b"]),
    ("/#/cb?code=1", ["path[0] = ", "fragment/#text = /cb", "fragment.code = 1"]),
    ("/a#top", ["path[0] = a", "fragment = top"]),
    ("*", ["path[0] = *"]),
    ("", []),
  ])
  func readsTheLeavesOfATarget(_ target: String, _ leaves: [String]) {
    let tree = TextTree(target: target)
    #expect(tree.listing == leaves)
    #expect(tree.rewritten { _ in .inside } == tree.text)
  }

  @Test func rewritesALeafOfATarget() {
    let tree = TextTree(target: "/a%2fb/c?redirect=https%3a%2f%2fh%2f%3Fcode%3Dx&y=%zz")
    #expect(
      tree.replacing("path[1]", with: "ü/") == "/a%2fb/%C3%BC%2F?redirect=https%3a%2f%2fh%2f%3Fcode%3Dx&y=%zz"
    )
    #expect(
      tree.replacing("query.redirect>query.code", with: "a b")
        == "/a%2fb/c?redirect=https%3A%2F%2Fh%2F%3Fcode%3Da%2520b&y=%zz"
    )
    #expect(tree.values["query.y"] == "%zz")
  }
}
