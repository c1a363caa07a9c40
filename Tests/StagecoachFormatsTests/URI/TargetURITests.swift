import StagecoachFormats
import Testing

@Suite struct TargetURITests {
  private static func reason(_ uri: String) -> URIError.Reason? {
    do throws(URIError) {
      _ = try TargetURI(parsing: uri)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func componentsAreSplit() throws {
    let uri = try TargetURI(parsing: "HTTPS://Example.COM:8443/a/b?x=1&y=/?#top?")
    #expect(uri.scheme == "https")
    #expect(uri.isSecure)
    #expect(uri.host == "example.com")
    #expect(uri.port == 8443)
    #expect(uri.effectivePort == 8443)
    #expect(uri.authority == "example.com:8443")
    #expect(uri.path == "/a/b")
    #expect(uri.query == "x=1&y=/?")
    #expect(uri.requestTarget == "/a/b?x=1&y=/?")
    #expect(uri.fragment == "top?")
    #expect(uri.description == "https://example.com:8443/a/b?x=1&y=/?#top?")
  }

  @Test(
    arguments: [
      ("http://h", "/", nil, nil),
      ("http://h/", "/", nil, nil),
      ("http://h?", "/", "", nil),
      ("http://h?q", "/", "q", nil),
      ("http://h#", "/", nil, ""),
      ("http://h#f", "/", nil, "f"),
      ("http://h/p?", "/p", "", nil),
      ("http://h/p?#", "/p", "", ""),
      ("http://h/p#?", "/p", nil, "?"),
      ("http://h/p#a#b", "/p", nil, "a%23b"),
      ("http://h//p//", "//p//", nil, nil),
      ("http://h/a/b/../.././../c/.", "/c/", nil, nil),
      ("http://h/..", "/", nil, nil),
      ("http://h//..", "/", nil, nil),
      ("http://h/.well-known/..a/b.", "/.well-known/..a/b.", nil, nil),
      ("http://h/p?../x", "/p", "../x", nil),
    ] as [(String, String, String?, String?)]
  )
  func absentAndEmptyDiffer(uri: String, path: String, query: String?, fragment: String?) throws {
    let uri = try TargetURI(parsing: uri)
    #expect(uri.path == path)
    #expect(uri.query == query)
    #expect(uri.fragment == fragment)
    #expect(uri.requestTarget == path + (query.map { "?\($0)" } ?? ""))
  }

  @Test(arguments: [
    ("http://h/a b?c d#e f", "http://h/a%20b?c%20d#e%20f"),
    ("http://h/\u{E9}?\u{20AC}#\u{1F600}", "http://h/%C3%A9?%E2%82%AC#%F0%9F%98%80"),
    ("http://h/%zz%7E%2f%2F%e9%", "http://h/%25zz%7E%2f%2F%e9%25"),
    ("http://h/%4?%4#%4", "http://h/%254?%254#%254"),
    ("http://h/a\\b?c\\d", "http://h/a%5Cb?c%5Cd"),
    ("http://h/\"<>^`{|}?\"<>^`{|}", "http://h/%22%3C%3E%5E%60%7B%7C%7D?%22%3C%3E%5E%60%7B%7C%7D"),
    ("http://h/a[0]?a[]=1", "http://h/a[0]?a[]=1"),
    ("http://h/!$&'()*+,;=:@-._~", "http://h/!$&'()*+,;=:@-._~"),
    ("http://h/%2e%2E/x", "http://h/%2e%2E/x"),
    ("http://h/t, /u", "http://h/t,%20/u"),
    (" \t http://h/p\t ", "http://h/p"),
  ])
  func whatAURIMayNotHoldIsEncodedAndTheRestIsLeft(uri: String, expected: String) throws {
    #expect(try TargetURI(parsing: uri).description == expected)
  }

  @Test func aZoneStaysInTheAuthorityAndKeepsItsCase() throws {
    #expect(try TargetURI(parsing: "http://[FE80::1%25Eth0]:81/").authority == "[fe80::1%25Eth0]:81")
  }

  @Test func octetsThatAreNotUTF8AreEncodedAsTheyAre() throws {
    let uri = try TargetURI(parsing: Array("http://h/caf".utf8) + [0xE9, 0xFF])
    #expect(uri.path == "/caf%E9%FF")
    #expect(try uri.resolving([0x80]).path == "/%80")
  }

  @Test(arguments: [
    ("http://h:80/", nil as Int?, "h"), ("http://h:/", nil, "h"), ("https://h:443/", nil, "h"),
    ("https://h:80/", 80, "h:80"), ("http://h:00081/", 81, "h:81"), ("http://h:65535", 65535, "h:65535"),
  ])
  func defaultPortsLeaveTheAuthority(uri: String, port: Int?, authority: String) throws {
    let uri = try TargetURI(parsing: uri)
    #expect(uri.authority == authority)
    #expect(uri.effectivePort == port ?? (uri.isSecure ? 443 : 80))
  }

  @Test(arguments: [
    "http://h:0/", "http://h:65536/", "http://h:abc/", "http://h:-1/", "http://h:+1/", "http://h:8 0/",
    "http://h:99999999999999999999999999/", "http://[::1]:x/",
  ])
  func invalidPortsAreRefused(uri: String) {
    #expect(Self.reason(uri) == .invalidPort)
  }

  @Test(
    arguments: [
      ("", .missingScheme), ("/p", .missingScheme), ("//h/p", .missingScheme), ("h/p", .missingScheme),
      ("?q", .missingScheme), ("1http://h/", .missingScheme),
      ("foo:bar", .unsupportedScheme), ("localhost:8080/p", .unsupportedScheme),
      ("ftp://h/", .unsupportedScheme), ("httpx://h/", .unsupportedScheme),
      ("file:///etc", .unsupportedScheme),
      ("http:", .missingAuthority), ("http:t", .missingAuthority), ("http:/t", .missingAuthority),
      ("https:?q", .missingAuthority),
      ("http://", .emptyHost), ("http:///t", .emptyHost), ("http://:80/", .emptyHost),
      ("http://?q", .emptyHost),
      ("http://m\u{FC}nchen.de/", .nonASCIIHost), ("http://m%C3%BCnchen.de/", .percentInHost),
      ("http://ex ample/", .invalidHost), ("http://a:b:c/", .invalidHost), ("http://::1/", .invalidHost),
      ("http://a<b/", .invalidHost), ("http://a]/", .invalidHost), ("http://[::1]x/", .invalidHost),
      ("http://a|b/", .invalidHost),
      ("http://[::1/", .invalidIPv6Address), ("http://[]/", .invalidIPv6Address),
      ("http://[v1.x]/", .invalidIPv6Address),
      ("http://[fe80::1%25]/", .zoneIdentifier), ("http://[fe80::1%eth0]/", .zoneIdentifier),
      ("http://[fe80::1%25a%20]/", .zoneIdentifier),
      ("http://u@h/", .userInformation), ("http://u:p@h/", .userInformation),
      ("http://@h/", .userInformation),
      ("http:\\\\h\\p", .backslash), ("http:/\\h", .backslash), ("http://good\\@evil/", .backslash),
      ("\\\\h\\p", .backslash), ("http://h\\p", .backslash),
      ("http://h/a\tb", .controlCharacter), ("http://h/a\nb", .controlCharacter),
      ("http://h/a\rb", .controlCharacter), ("http://h/\u{0}", .controlCharacter),
      ("http://h/?\u{7F}", .controlCharacter), ("http://h/#\u{1}", .controlCharacter),
      ("http://h\n/", .controlCharacter), ("http://u\n@h/", .controlCharacter),
      ("http://h/\n", .controlCharacter),
    ] as [(String, URIError.Reason)]
  )
  func invalidURIsAreRefusedByName(uri: String, reason: URIError.Reason) {
    #expect(Self.reason(uri) == reason)
  }

  @Test func hostsAreLimited() throws {
    let longest = String(repeating: "a", count: 255)
    #expect(try TargetURI(parsing: "http://\(longest)/").host == longest)
    #expect(Self.reason("http://\(longest)a/") == .invalidHost)
  }

  @Test func lengthIsLimitedBeforeAndAfterEncoding() throws {
    let room = TargetURI.maximumLength - "https://h:65535/".utf8.count
    let longest = "https://h:65535/" + String(repeating: "a", count: room)
    #expect(try TargetURI(parsing: longest).description == longest)
    #expect(Self.reason(longest + "a") == .tooLong)
    #expect(Self.reason("http://h/" + String(repeating: " ", count: 6000) + "a") == .tooLong)
    #expect(Self.reason("http://h/#" + String(repeating: " ", count: 6000) + "a") == .tooLong)
    #expect(Self.reason("http://h/p" + String(repeating: " ", count: 20_000)) == .tooLong)
    let base = try TargetURI(parsing: longest.dropLast() + "/")
    #expect(throws: URIError.self) { try base.resolving(String(repeating: "b", count: 100)) }
  }

  @Test(arguments: ["http://u:p@h:81/x", "http://@h:81/x", "http://a@b:c@h:81/x", "http://\u{FC}% @h:81/x"])
  func userInformationIsStrippedOnDemand(uri: String) throws {
    let stripped = try TargetURI(parsing: uri, userInformation: .strip)
    #expect(stripped.description == "http://h:81/x")
    let base = try TargetURI(parsing: "http://other/")
    #expect(try base.resolving(uri, userInformation: .strip) == stripped)
    #expect(throws: URIError.self) { try base.resolving(uri) }
  }

  @Test func equalityFollowsTheSchemeNormalization() throws {
    let uri = try TargetURI(parsing: "http://example.com")
    for same in [
      "HTTP://EXAMPLE.com/", "http://example.com:80", "http://example.com:/", "http://example.com/.",
    ] {
      let same = try TargetURI(parsing: same)
      #expect(same == uri)
      #expect(Set([same, uri]).count == 1)
    }
    for other in [
      "https://example.com", "http://example.com?", "http://example.com#", "http://example.com:81",
    ] {
      #expect(try TargetURI(parsing: other) != uri)
    }
  }

  @Test func originsCompareSchemeHostAndPort() throws {
    let uri = try TargetURI(parsing: "http://example.com/a")
    for same in ["http://Example.com:80/b?c", "http://example.com#x"] {
      let same = try TargetURI(parsing: same)
      #expect(uri.isSameOrigin(as: same))
      #expect(uri.origin == same.origin)
    }
    for other in ["https://example.com/a", "http://example.com:443/", "http://www.example.com/"] {
      let other = try TargetURI(parsing: other)
      #expect(!uri.isSameOrigin(as: other))
      #expect(uri.origin != other.origin)
    }
    #expect(uri.origin.description == "http://example.com")
    #expect(try TargetURI(parsing: "https://[::1]:80/x").origin.description == "https://[::1]:80")
  }

  @Test(arguments: [
    ("http://example.com", "http://example.com/"),
    ("http://example.com/v1", "http://example.com/v1/"),
    ("http://example.com/v1/", "http://example.com/v1/"),
    ("http://example.com/v1?key=1", "http://example.com/v1/?key=1"),
    ("http://example.com/v1/?key=/", "http://example.com/v1/?key=/"),
    ("http://example.com/v1#f", "http://example.com/v1/#f"),
    ("http://example.com/v1?#", "http://example.com/v1/?#"),
    ("https://example.com:8443/v1", "https://example.com:8443/v1/"),
  ])
  func basesEndInASlash(uri: String, expected: String) throws {
    let base = try TargetURI(parsing: uri).asBase
    #expect(base.description == expected)
    #expect(base.asBase == base)
    #expect(try TargetURI(parsing: expected) == base)
  }
}
