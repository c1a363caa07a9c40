import StagecoachFormats
import Testing

@Suite struct URIResolutionTests {
  /// RFC 3986 5.4.1 and 5.4.2. A URI without a path has the path `/` (RFC 9110 4.2.3).
  @Test(arguments: [
    ("g", "http://a/b/c/g"),
    ("./g", "http://a/b/c/g"),
    ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"),
    ("//g", "http://g/"),
    ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"),
    (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"),
    ("..", "http://a/b/"),
    ("../", "http://a/b/"),
    ("../g", "http://a/b/g"),
    ("../..", "http://a/"),
    ("../../", "http://a/"),
    ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"),
    ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"),
    ("/../g", "http://a/g"),
    ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"),
  ])
  func resolvesTheExamplesOfRFC3986(reference: String, expected: String) throws {
    let base = try TargetURI(parsing: "http://a/b/c/d;p?q")
    #expect(try base.resolving(reference).description == expected)
  }

  @Test(
    arguments: [
      ("g:h", .unsupportedScheme), ("http:g", .missingAuthority), ("http:", .missingAuthority),
      ("http:///t", .emptyHost), ("///t", .emptyHost), ("\\\\h\\p", .backslash), ("/\\h", .backslash),
      ("\\/h", .backslash), ("//u@h/", .userInformation), ("a\tb", .controlCharacter),
      ("//h:0/", .invalidPort), ("mailto:a@b", .unsupportedScheme),
    ] as [(String, URIError.Reason)]
  )
  func referencesThatLeaveHTTPAreErrors(reference: String, reason: URIError.Reason) throws {
    let base = try TargetURI(parsing: "http://a/b/c/d;p?q")
    let error = #expect(throws: URIError.self) { try base.resolving(reference) }
    #expect(error?.reason == reason)
  }

  @Test(arguments: [
    ("foo", "http://example.com/v1/foo"),
    ("foo?bar=baz", "http://example.com/v1/foo?bar=baz"),
    ("/foo", "http://example.com/foo"),
    ("foo/", "http://example.com/v1/foo/"),
    ("/foo/", "http://example.com/foo/"),
    ("http://example2.com/", "http://example2.com/"),
    ("../foo", "http://example.com/foo"),
    ("./foo", "http://example.com/v1/foo"),
    ("?a=b", "http://example.com/v1/?a=b"),
    ("//other.com/x", "http://other.com/x"),
    ("", "http://example.com/v1/"),
    ("foo bar", "http://example.com/v1/foo%20bar"),
    ("\\foo", "http://example.com/v1/%5Cfoo"),
    ("2024-01-01T10:00", "http://example.com/v1/2024-01-01T10:00"),
    ("host.example/p", "http://example.com/v1/host.example/p"),
    ("?", "http://example.com/v1/?"),
    ("#", "http://example.com/v1/#"),
    ("//other.com", "http://other.com/"),
    ("//other.com?q", "http://other.com/?q"),
    (" \tfoo ", "http://example.com/v1/foo"),
    ("a/../../../../b", "http://example.com/b"),
    ("..//b", "http://example.com//b"),
  ])
  func resolvesBelowABase(reference: String, expected: String) throws {
    let base = try TargetURI(parsing: "http://example.com/v1").asBase
    #expect(try base.resolving(reference).description == expected)
  }

  @Test func aNameWithAColonIsReadAsAScheme() throws {
    let base = try TargetURI(parsing: "http://example.com/v1/")
    let error = #expect(throws: URIError.self) { try base.resolving("foo:bar") }
    #expect(error?.reason == .unsupportedScheme)
    #expect(error?.excerpt == "foo")
  }

  @Test func resolvesAgainstABaseWithoutPathOrWithAQuery() throws {
    #expect(try TargetURI(parsing: "http://h").resolving("g").description == "http://h/g")
    #expect(try TargetURI(parsing: "http://h?q#f").resolving("g").description == "http://h/g")
    #expect(try TargetURI(parsing: "http://h/p?q#f").resolving("").description == "http://h/p?q")
    #expect(try TargetURI(parsing: "http://h/p?q#f").resolving("?").description == "http://h/p?")
    #expect(try TargetURI(parsing: "http://h/a/b?x/y").resolving("g").description == "http://h/a/g")
  }

  @Test func schemeAndPortComeFromTheBaseOnlyWithoutAnAuthority() throws {
    let base = try TargetURI(parsing: "https://h:8443/p")
    #expect(try base.resolving("x").description == "https://h:8443/x")
    #expect(try base.resolving("//h/x").description == "https://h/x")
    #expect(try base.resolving("http://h/x").description == "http://h/x")
  }
}
