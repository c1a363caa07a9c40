import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// Random graphs of redirects over several origins, schemes and ports, from a seed that is fixed.
@Suite struct RedirectPropertyTests {
  private static let origins = [
    "http://a.example", "https://a.example", "http://a.example:8080", "https://a.example:8080",
    "https://sub.a.example", "http://b.example", "https://b.example", "http://a.example:443",
  ]
  private static let codes = [301, 302, 303, 307, 308, 301, 302, 303, 307, 308, 300, 399]
  private static let secretNames = ["Authorization", "Cookie", "X-Api-Key", "X-Own", "Origin"]
  private static let secret = "s3cret"

  /// A page, which redirects or is the end of the way.
  struct Node {
    let url: String
    let code: Int
    /// The page it leads to, and how the `Location` says so.
    let next: Int
    let location: String?
    let fields: HTTPFields
  }

  /// A graph and a request that is sent into it.
  struct Case {
    var nodes: [Node] = []
    var request: Request
    var redirects: Redirects

    init(_ random: inout SplitMix) {
      let count = Int.random(in: 2...10, using: &random)
      let origins = (0..<count).map { _ in RedirectPropertyTests.origins.randomElement(using: &random) ?? "" }
      for index in 0..<count {
        let next = Int.random(in: 0..<count, using: &random)
        let isEnd = Int.random(in: 0..<8, using: &random) == 0
        nodes.append(
          Node(
            url: "\(origins[index])/\(index)",
            code: isEnd ? 200 : RedirectPropertyTests.codes.randomElement(using: &random) ?? 302,
            next: next,
            location: isEnd ? nil : Self.location(of: next, at: origins[next], from: origins[index], &random),
            fields: Int.random(in: 0..<4, using: &random) == 0 ? [.setCookie: "a=b"] : [:]
          )
        )
      }
      let methods: [HTTPRequest.Method] = [.get, .post, .put, .head, .delete]
      let once = Request.Body.oneShot(AsyncStream<Bytes> { $0.finish() }, length: 0)
      let bodies: [Request.Body] = [.empty, .bytes("content"), once]
      request = Request(
        methods.randomElement(using: &random) ?? .get,
        "\(nodes[0].url)#fragment",
        body: bodies.randomElement(using: &random) ?? .empty
      )
      for name in ["X-Public"] + RedirectPropertyTests.secretNames.shuffled(using: &random) {
        let value = name == "X-Public" ? "p" : RedirectPropertyTests.secret
        if let name = HTTPField.Name(name) { request.fields.append(HTTPField(name: name, value: value)) }
      }
      if let own = HTTPField.Name("x-own") { request.options.sensitiveFields.insert(own) }
      var rules = RedirectRules()
      rules.allowsInsecure = Int.random(in: 0..<4, using: &random) > 0
      rules.sendsReferer = Bool.random(using: &random)
      rules.failsOnOneShotBodies = Bool.random(using: &random)
      let careless = RedirectPolicy.ask { proposal in
        for field in proposal.redirected.fields where proposal.request.fields[field.name] == nil {
          proposal.request.fields.append(field)
        }
        proposal.request.fields[.authorization] = RedirectPropertyTests.secret
        return .follow
      }
      let policies: [RedirectPolicy] = [.follow, .follow, .sameOriginOnly, careless]
      redirects = Redirects(
        policy: policies.randomElement(using: &random) ?? .follow,
        limit: Int.random(in: 0...25, using: &random),
        rules: rules
      )
    }

    /// One of the many ways to say where.
    private static func location(
      of index: Int,
      at origin: String,
      from here: String,
      _ random: inout SplitMix
    ) -> String {
      let (scheme, authority) = (origin.prefix { $0 != ":" }, origin.drop { $0 != "/" }.dropFirst(2))
      var forms = [
        "\(origin)/\(index)", " \(origin.uppercased())/\(index)\t",
        "\(scheme)://user:pass@\(authority)/\(index)",
        "\(origin)/./x/../\(index)#other", "\(origin)/\(index)#",
      ]
      if here.hasPrefix("\(scheme):") { forms.append("//\(authority)/\(index)") }
      if here == origin { forms += ["\(index)", "./\(index)", "/\(index)", "../../\(index)"] }
      return forms.randomElement(using: &random) ?? ""
    }
  }

  private static func origin(_ request: Request) -> String {
    "\(request.head.scheme ?? "")://\(request.head.authority ?? "")"
  }

  @Test func secretsStayWithTheirOriginAndTheEndIsTyped() async throws {
    var random = SplitMix(state: 20)
    var (followed, detours, errors, responses) = (0, 0, Set<String>(), 0)
    for round in 0..<300 {
      let graph = Case(&random)
      let nodes = graph.nodes
      let transport = HandlerTransport { request in
        guard let index = nodes.firstIndex(where: { $0.url == request.url }) else {
          return Response(.notFound)
        }
        let node = nodes[index]
        return node.location.map { redirect($0, node.code, node.fields) } ?? Response(.ok)
      }
      let outcome = try await RedirectOutcome(graph.request, graph.redirects, over: transport)
      let sent = transport.requests
      let place = Comment(rawValue: "round \(round): \(sent.map(\.url))")

      // Secrets are where they may be, and nowhere else.
      let first = Self.origin(sent[0])
      var hasLeft = false
      for request in sent {
        hasLeft = hasLeft || Self.origin(request) != first
        if hasLeft, Self.origin(request) == first { detours += 1 }
        let secrets = request.fields.filter { $0.value.contains(Self.secret) }.map(\.name.rawName)
        #expect(Set(secrets) == Set(hasLeft ? [] : Self.secretNames), place)
        #expect(request.fields.contains { $0.name.rawName == "X-Public" }, place)
        #expect(!request.fields.contains { $0.value.contains("user") }, place)
      }
      // The way is that of the graph.
      for (before, after) in zip(sent, sent.dropFirst()) {
        let node = try #require(nodes.first { $0.url == before.url }, place)
        #expect(after.url == nodes[node.next].url, place)
        let isDowngrade = before.head.scheme == "https" && after.head.scheme == "http"
        #expect(!isDowngrade || graph.redirects.rules.allowsInsecure, place)
      }
      #expect(sent.map(\.hop) == (0..<Int32(sent.count)).map { $0 }, place)
      #expect(sent.count <= graph.redirects.limit + 1, place)
      followed += sent.count - 1

      // It ends with a response that has the whole way, or with a typed error that has it.
      let hops: [Response.Hop]
      if let error = outcome.error {
        errors.insert("\(error.kind)")
        let chain = try #require(error.underlying as? RedirectChain, place)
        hops = Array(chain.hops.dropLast())
        #expect(chain.hops.count == sent.count, place)
        #expect(error.hops == sent.count - 1, place)
        #expect(!error.description.contains(Self.secret) && !error.description.contains("user:pass"), place)
        #expect(error.response.map { (300..<400).contains($0.status.code) } == true, place)
      } else {
        responses += 1
        hops = try #require(outcome.response, place).history
        #expect(outcome.response?.request?.url == sent.last?.url, place)
      }
      #expect(hops.map(\.request.path) == sent.dropLast().map(\.head.path), place)
      #expect(hops.map(\.request.authority) == sent.dropLast().map(\.head.authority), place)
      #expect(hops.map(\.request.method) == sent.dropLast().map(\.method), place)
      #expect(hops.allSatisfy { Self.codes.prefix(5).contains($0.response.status.code) }, place)
      #expect(!"\(hops) \(outcome.recorder.redirects)".contains(Self.secret), place)
    }
    #expect(followed > 300)
    #expect(detours > 9)
    #expect(responses > 50)
    #expect(
      errors.isSuperset(of: ["redirect.tooMany", "redirect.insecure", "bodyNotReplayable"]),
      "\(errors)"
    )
  }
}
