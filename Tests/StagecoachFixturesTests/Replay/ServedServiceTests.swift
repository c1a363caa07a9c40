import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

/// Requests to a server that stands in for a service, and the fields that lead a client back to it.
struct ServedServiceTests {
  /// A request as a server receives it.
  private func request(_ url: String) throws -> Request {
    let target = try TargetURI(parsing: url)
    var request = Request.get(url)
    (request.head.scheme, request.head.authority) = (target.scheme, target.authority)
    request.head.path = target.requestTarget
    return request
  }

  @Test(arguments: [
    ("https://a.test", "http://127.0.0.1:80/x", "/x"),
    ("https://a.test/v1", "http://127.0.0.1/x?y", "/v1/x?y"),
    // Behind a changed address the path is that of the service.
    ("https://a.test/v1", "http://a.test:8080/v1/x", "/v1/x"),
    ("https://a.test/v1", "http://a.test./v1/x", "/v1/x"),
    ("https://a.test/v1", "http://A.test/v1?x", "/v1?x"),
    ("https://a.test/v1", "http://a.test/v1", "/v1"), ("https://a.test/v1", "http://a.test/v10", "/v1/v10"),
    ("https://a.test/v1", "http://b.a.test/v1/x", "/v1/v1/x"),
    ("http://a.test:81/v1", "http://a.test/v1/x", "/v1/v1/x"),
    ("http://a.test:81/v1", "http://a.test:81/v1/x", "/v1/x"),
  ])
  func keepsThePathBelowTheService(_ service: String, _ url: String, _ path: String) throws {
    #expect(ServedService(service).path(of: try request(url)) == path)
  }

  @Test func theWholeServerHasNoPath() throws {
    var options = try request("http://localhost/")
    options.head.path = "*"
    #expect(ServedService("https://a.test/v1").path(of: options) == "*")
  }

  private func local(_ field: HTTPField.Name, _ value: String, _ service: String, named: Bool) throws
    -> String?
  {
    let asked = try request(named ? "http://a.test/" : "http://localhost/")
    return ServedService(service).local([field: value], for: asked)[field]
  }

  @Test(arguments: [
    ("https://a.test/v1", "https://a.test/v1/x?y#z", "/x?y#z"), ("https://a.test/v1", "/v1/x", "/x"),
    ("https://a.test/v1", "//a.test/v1", "/"), ("https://a.test/v1", "https://a.test/v1?x", "/?x"),
    ("https://a.test/v1", "https://a.test/v10", "https://a.test/v10"),
    ("https://a.test/v1", "/other", "/other"),
    ("https://a.test/v1", "x", "x"), ("https://a.test", "https://a.test", "/"),
    ("https://a.test", "/x", "/x"),
    ("https://a.test", "https://a.test.evil.test/x", "https://a.test.evil.test/x"),
    ("https://a.test", "https://b.test/x", "https://b.test/x"),
    ("https://a.test", "//b.test/x", "//b.test/x"),
    ("https://a.test", "http://a.test/x", "http://a.test/x"),
  ])
  func aRedirectToTheServiceLeadsToTheServer(_ service: String, _ location: String, _ expected: String) throws
  {
    #expect(try local(.location, location, service, named: false) == expected)
  }

  @Test(arguments: [
    ("https://a.test/v1/x", "/v1/x"), ("/v1/x", "/v1/x"), ("https://a.test/y", "/y"),
    ("https://b.test/x", "https://b.test/x"),
  ])
  func aRedirectOfAClientThatNamesTheServiceKeepsItsPath(_ location: String, _ expected: String) throws {
    #expect(try local(.location, location, "https://a.test/v1", named: true) == expected)
  }

  @Test func rewritesCookiesForTheServer() throws {
    let cookie = "a=1; Domain=a.test; Path=/v1; HttpOnly"
    #expect(try local(.setCookie, cookie, "https://a.test/v1", named: false) == "a=1; Path=/; HttpOnly")
    #expect(
      try local(.setCookie, "a=1;path=/v1/x", "https://a.test/v1", named: false) == "a=1; Path=/x"
    )
    #expect(try local(.setCookie, "a=1; Path=/v10", "https://a.test/v1", named: false) == "a=1; Path=/v10")
    #expect(try local(.setCookie, "path=1; Path=/", "https://a.test", named: false) == "path=1; Path=/")
    #expect(try local(.setCookie, cookie, "https://a.test/v1", named: true) == cookie)
  }

  @Test func aSecureCookieIsSentBackWithoutTLS() throws {
    let cookie = "Domain=1; Secure; Path=/; SameSite=None"
    for named in [false, true] {
      #expect(
        try local(.setCookie, cookie, "https://a.test", named: named) == "Domain=1; Path=/; SameSite=None"
      )
      #expect(try local(.setCookie, cookie, "http://a.test", named: named) == cookie)
      let promised = "__Host-a=1; Secure; Path=/"
      #expect(try local(.setCookie, promised, "https://a.test", named: named) == promised)
    }
    // A browser would refuse it without the attribute.
    var asked = try request("http://localhost/")
    asked.fields[.init("Sec-Fetch-Site")!] = "same-site"
    #expect(ServedService("https://a.test").local([.setCookie: cookie], for: asked)[.setCookie] == cookie)
  }

  @Test func aScenarioHasTheServicesOfItsExchanges() {
    var scenario = Scenario()
    scenario.origins = [
      .init(name: "unused", origin: "https://u.test"), .init(name: "api", origin: "https://a.test/v1"),
    ]
    let targets = ["https://b.test/x", "{api}/x", "{api}", "https://b.test:81?x", "https://b.test/y"]
    scenario.exchanges = targets.map {
      .init(id: $0, request: .init("GET", $0), reply: .init(.init(HTTPResponse(status: .ok))))
    }
    let services = scenario.services
    #expect(services.map(\.service.url) == ["https://a.test/v1", "https://b.test", "https://b.test:81"])
    #expect(services.map(\.exchanges) == [2, 2, 1])
    scenario.exchanges = []
    #expect(scenario.services.map(\.service.url) == ["https://u.test", "https://a.test/v1"])
  }
}
