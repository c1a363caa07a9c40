import StagecoachFormats
import Testing

@Suite struct HostAndPortTests {
  @Test(
    arguments: [
      ("example.com", "example.com", "example.com", "example.com"),
      ("example.com:80", "example.com", "example.com", "example.com:80"),
      ("example.com:443", "example.com", "example.com:443", "example.com"),
      ("[::1]:8080", "::1", "[::1]:8080", "[::1]:8080"),
      ("[fe80::1%25eth0]", "fe80::1%eth0", "[fe80::1]", "[fe80::1]"),
      ("example.com:", "example.com", "example.com", "example.com"),
    ] as [(String, String, String, String)]
  )
  func splitsHostAndPortAndWritesTheHostField(authority: String, address: String, http: String, https: String)
    throws
  {
    let place = try #require(HostAndPort(authority))
    #expect(place.address == address)
    #expect(place.hostField(scheme: "http") == (authority == "example.com:80" ? "example.com" : http))
    #expect(place.hostField(scheme: "https") == https)
  }

  @Test(arguments: ["[::1", "[::1]x", "a:b", "a:99999", "a:-1"])
  func refusesAMalformedAuthority(text: String) {
    #expect(HostAndPort(text) == nil)
  }
}
