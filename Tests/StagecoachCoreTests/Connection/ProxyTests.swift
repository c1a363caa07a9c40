import Stagecoach
import Testing

@Suite struct ProxyTests {
  @Test(
    arguments: [
      ("http://proxy:3128", .init(.http, host: "proxy", port: 3128)),
      ("proxy.example.com:8080/", .init(.http, host: "proxy.example.com", port: 8080)),
      ("HTTPS://proxy", .init(.https, host: "proxy", port: 443)),
      ("socks5h://[::1]", .init(.socks5h, host: "::1", port: 1080)),
      ("socks://proxy/", .init(.socks5, host: "proxy", port: 1080)),
      ("SOCKS://me:pw@proxy:9", .init(.socks5, host: "proxy", port: 9, user: "me", password: "pw")),
      ("socks4://10.0.0.1:9", .init(.socks4, host: "10.0.0.1", port: 9)),
      ("http://me:p%40ss%3A@proxy:1", .init(.http, host: "proxy", port: 1, user: "me", password: "p@ss:")),
      ("http://m%C3%A9:%2541%@proxy", .init(.http, host: "proxy", port: 80, user: "mé", password: "%41%")),
      ("http://me@proxy", .init(.http, host: "proxy", port: 80, user: "me")),
    ] as [(String, Proxy)]
  )
  func urlsAreRead(url: String, proxy: Proxy) throws {
    #expect(try Proxy(url) == proxy)
  }

  @Test(arguments: [
    "", "http://", "ftp://proxy", "http://proxy:x", "http://proxy:70000", "http://[::1",
    "http://m%E9:p@proxy",
    "http://me:%FF@proxy",
  ])
  func refusesAMalformedProxy(url: String) {
    let error = #expect(throws: ExchangeError.self) { try Proxy(url) }
    #expect(error?.kind == .invalidRequest)
  }

  @Test func thePasswordIsNeitherShownNorInErrors() throws {
    #expect(!"\(try Proxy("http://me:secret@proxy:1"))".contains("secret"))
    let error = #expect(throws: ExchangeError.self) { try Proxy("http://me:secret@proxy:x") }
    #expect(error?.message.contains("secret") == false)
  }
}

@Suite struct ProxyEnvironmentTests {
  private func proxy(
    _ variables: [String: String],
    _ scheme: String = "http",
    _ host: String,
    _ port: Int = 80
  )
    throws -> String?
  {
    try ProxyEnvironment(variables).proxy(scheme: scheme, host: host, port: port)?.host
  }

  @Test func eachSchemeHasItsVariable() throws {
    let variables = ["http_proxy": "http://a:1", "HTTPS_PROXY": "http://b:1", "all_proxy": "http://c:1"]
    #expect(try proxy(variables, "http", "x") == "a")
    #expect(try proxy(variables, "https", "x") == "b")
    #expect(try proxy(["ALL_PROXY": "socks5://c"], "https", "x") == "c")
    #expect(try proxy(["https_proxy": "http://b:1"], "http", "x") == nil)
    #expect(try proxy(["http_proxy": "", "HTTP_PROXY": "http://a:1"], "http", "x") == "a")
    #expect(ProxyEnvironment([:]).isEmpty)
  }

  @Test func aFieldNamedProxyCannotSetItUnderCGI() throws {
    #expect(try proxy(["HTTP_PROXY": "http://evil:1", "REQUEST_METHOD": "GET"], "http", "x") == nil)
    #expect(try proxy(["http_proxy": "http://a:1", "REQUEST_METHOD": "GET"], "http", "x") == "a")
  }

  @Test(
    arguments: [
      ("*", "anything", 80, true), ("example.com", "example.com", 80, true),
      ("example.com", "www.Example.com", 80, true),
      (".example.com", "www.example.com", 80, true), ("*.example.com", "www.example.com", 80, true),
      ("example.com", "badexample.com", 80, false), ("example.com:8080", "example.com", 80, false),
      ("example.com:8080", "example.com", 8080, true), ("10.0.0.0/8", "10.1.2.3", 80, true),
      ("10.0.0.0/8", "11.1.2.3", 80, false), ("10.0.0.0/8", "ten.example", 80, false),
      ("192.168.1.0/25", "192.168.1.127", 80, true), ("192.168.1.0/25", "192.168.1.128", 80, false),
      ("127.0.0.1", "127.0.0.1", 9, true), ("::1", "::1", 9, true), ("fd00::/8", "fd12::1", 9, true),
      ("[::1]:9", "::1", 9, true), ("a, b ,c", "b", 80, true), ("", "b", 80, false),
      ("10.0.0.0/99", "10.0.0.0", 80, false),
    ] as [(String, String, Int, Bool)]
  )
  func exceptionsGoStraight(list: String, host: String, port: Int, isException: Bool) throws {
    let found = try proxy(["http_proxy": "http://a:1", "no_proxy": list], "http", host, port)
    #expect((found == nil) == isException)
  }

  @Test(
    arguments: [
      (["http_proxy": "ftp://a"], "http", "http_proxy"),
      (["HTTPS_PROXY": "http://a:x"], "https", "HTTPS_PROXY"),
      (["all_proxy": "ftp://a"], "http", "all_proxy"), (["ALL_PROXY": "ftp://a"], "https", "ALL_PROXY"),
    ] as [([String: String], String, String)]
  )
  func anInvalidVariableIsNamed(variables: [String: String], scheme: String, name: String) {
    let error = #expect(throws: ExchangeError.self) { try proxy(variables, scheme, "x") }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.contains("variable \(name) ") == true, "\(error as Any)")
  }

  @Test func anInvalidVariableOnlyMattersToTheRequestsThatNeedIt() throws {
    let variables = [
      "http_proxy": "http://a:1", "https_proxy": "ftp://b", "all_proxy": "none://c", "no_proxy": "direct",
    ]
    #expect(try proxy(variables, "http", "x") == "a")
    #expect(try proxy(variables, "https", "direct") == nil)
    #expect(throws: ExchangeError.self) { try proxy(variables, "https", "x") }
    #expect(!ProxyEnvironment(variables).isEmpty)
  }

  /// What GNOME sets.
  @Test func theVariablesOfADesktopAreRead() throws {
    let variables = ["http_proxy": "http://a:1/", "all_proxy": "socks://b:2/", "ALL_PROXY": "socks://b:2/"]
    let environment = ProxyEnvironment(variables)
    #expect(try environment.proxy(scheme: "http", host: "x", port: 80) == Proxy(.http, host: "a", port: 1))
    #expect(
      try environment.proxy(scheme: "https", host: "x", port: 443) == Proxy(.socks5, host: "b", port: 2)
    )
  }
}
