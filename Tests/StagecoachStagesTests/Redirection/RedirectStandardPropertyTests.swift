import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// Random walks through the standard chain, over several origins, schemes and ports, from a seed that is fixed.
@Suite(.timeLimit(.minutes(1))) struct RedirectStandardPropertyTests {
  private static let origins = [
    "http://a.example", "https://a.example", "https://a.example:8080", "https://sub.a.example",
    "http://b.example", "https://b.example",
  ]

  /// A page that may ask who one is, sets cookies that say whose they are, and leads to another.
  private struct Page {
    var url = ""
    var isGuarded = false
    var cookies: [String] = []
    var location: String?

    init(_ index: Int, of origins: [String], _ random: inout SplitMix) {
      let origin = origins[index]
      url = "\(origin)/\(index)"
      isGuarded = Bool.random(using: &random)
      let host = origin.drop { $0 != "/" }.dropFirst(2).prefix { $0 != ":" }
      if Bool.random(using: &random) { cookies.append("host=\(host); Path=/") }
      if host.hasSuffix("a.example"), Bool.random(using: &random) {
        cookies.append("domain=a.example; Path=/; Domain=a.example")
      }
      if origin.hasPrefix("https:"), Bool.random(using: &random) {
        cookies.append("secure=\(host); Path=/; Secure")
      }
      if Int.random(in: 0..<8, using: &random) > 0 {
        let next = Int.random(in: 0..<origins.count, using: &random)
        location = "\(origins[next])/\(next)"
      }
    }

    func answer(_ request: Request) -> Response {
      var response = location.map { redirect($0) } ?? Response(.ok)
      if isGuarded, request.authorization == nil {
        response = .challenge(#"Digest realm="r", nonce="n", qop="auth""#, #"Basic realm="r""#)
      }
      for cookie in cookies { response.fields.append(HTTPField(name: .setCookie, value: cookie)) }
      return response
    }
  }

  /// What was seen, so that a walk that shows nothing is not taken for one that is right.
  private struct Tally {
    var answers = 0
    var cookies = 0
    var detours = 0
  }

  @Test func secretsStayWithTheirOriginInTheStandardChain() async throws {
    var random = SplitMix(state: 21)
    var tally = Tally()
    for round in 0..<100 {
      let origins = (0..<Int.random(in: 2...8, using: &random)).map { _ in
        Self.origins.randomElement(using: &random) ?? ""
      }
      let pages = origins.indices.map { Page($0, of: origins, &random) }
      let transport = HandlerTransport { request in
        pages.first { $0.url == request.url }?.answer(request) ?? Response(.notFound)
      }
      let store = MemoryCredentialStore()
      for (index, origin) in Self.origins.enumerated() where Bool.random(using: &random) {
        let isPreemptive = Bool.random(using: &random)
        try store.set(Credential(user: "\(index)", password: "p", isPreemptive: isPreemptive), for: origin)
      }
      var rules = RedirectRules()
      rules.allowsInsecure = true
      let pipeline = Pipeline.standard(
        over: transport,
        redirects: Redirects(rules: rules),
        authentication: Authentication(store: store)
      )
      var request = Request.get(pages[0].url)
      try request.addField("X-Own", "s3cret")
      try request.addField("Cookie", "own=s3cret")
      request.options.sensitiveFields.insert(try #require(HTTPField.Name("X-Own")))
      do {
        _ = try await Client(pipeline, configuration: .init(clock: ManualTime())).send(request)
      } catch let error as ExchangeError {
        #expect(!"\(error)".contains("s3cret"))
      }
      try check(transport.requests, &tally, Comment(rawValue: "round \(round)"))
    }
    #expect(tally.answers > 45)
    #expect(tally.cookies > 45)
    #expect(tally.detours > 15)
  }

  private func check(_ requests: [Request], _ tally: inout Tally, _ round: Comment) throws {
    var first: String?
    var hasLeft = false
    for request in requests {
      let (scheme, authority) = (request.head.scheme ?? "", request.head.authority ?? "")
      let origin = "\(scheme)://\(authority)"
      hasLeft = hasLeft || origin != first ?? origin
      if hasLeft, origin == first { tally.detours += 1 }
      first = first ?? origin

      let own = try #require(HTTPField.Name("X-Own"))
      #expect(request.fields[own] == (hasLeft ? nil : "s3cret"), round)
      let host = authority.prefix { $0 != ":" }
      let cookies = request.fields[.cookie]?.split(separator: "; ").map { $0.split(separator: "=") } ?? []
      #expect(cookies.contains(["own", "s3cret"]) == !hasLeft, round)
      for cookie in cookies where cookie != ["own", "s3cret"] {
        tally.cookies += 1
        switch cookie[0] {
        case "domain": #expect(host == cookie[1] || host.hasSuffix(".\(cookie[1])"), round)
        case "secure": #expect(host == cookie[1] && scheme == "https", round)
        default: #expect(host == cookie[1], round)
        }
      }
      guard let value = request.authorization else { continue }
      tally.answers += 1
      let sent = AuthenticationChallenge.parse(value).challenges.first
      let user = sent?[parameter: "username"] ?? BasicCredentials.decode(value)?.user
      #expect(user == Self.origins.firstIndex(of: origin).map { "\($0)" }, round)
      #expect(scheme == "https" || value.hasPrefix("Digest"), round)
    }
  }
}
