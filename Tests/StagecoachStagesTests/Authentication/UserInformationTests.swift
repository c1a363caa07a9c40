import HTTPTypes
import Stagecoach
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// User information in the URL of a request is its credential (reference 2.3), and in a `Location` it is none (1.3).
@Suite(.timeLimit(.minutes(1))) struct UserInformationTests {
  /// Asks for Basic until somebody answers.
  private static var transport: HandlerTransport {
    HandlerTransport { request in
      request.authorization == nil ? .challenge(#"Basic realm="r", charset="UTF-8""#) : Response(.ok)
    }
  }

  private static func sent(
    _ request: Request,
    _ stage: Authentication = Authentication(),
    base: String? = nil
  ) async throws -> (users: [(user: String, password: String)?], heads: [HTTPRequest], log: [String]) {
    let (transport, log) = (Self.transport, Log<String>())
    let pipeline = Pipeline(over: transport) { stage }
    let client = try Client(
      pipeline,
      base: base,
      configuration: .init(monitors: [HandlerMonitor { log.add("\($0.kind)") }])
    )
    _ = try await client.send(request)
    let users = transport.requests.map { $0.authorization.flatMap(BasicCredentials.decode) }
    return (users, transport.requests.map(\.head), log.all)
  }

  @Test(arguments: [
    ("https://ada:secret@h/", "ada", "secret"), ("https://ada@h/", "ada", ""), ("https://ada:@h/", "ada", ""),
    ("https://:secret@h/", "", "secret"), ("https://:@h/", "", ""),
    ("https://a%64a:p%40ss%3a%2F%C3%BC@h/", "ada", "p@ss:/ü"), ("https://ada:a:b@h/", "ada", "a:b"),
    ("https://ada:100%@h/", "ada", "100%"), ("https://ada:a@b@h/", "ada", "a@b"),
    ("https://ada:sécret@h/", "ada", "sécret"), (" https://ada:secret@h/?q=x@y#f@g ", "ada", "secret"),
    ("//ada:secret@h/", "ada", "secret"), ("https://ada:secret@h:443/", "ada", "secret"),
  ])
  func userInformationAnswersAChallenge(url: String, user: String, password: String) async throws {
    let (users, heads, log) = try await Self.sent(.get(url), base: "https://base/")
    #expect(users.map { $0?.user } == [nil, user] && users.map { $0?.password } == [nil, password])
    #expect(heads.allSatisfy { $0.authority == "h" && $0.path?.contains("ada") == false })
    #expect(log.count > 4)
    #expect(!log.contains { $0.contains("ada") || $0.contains("secret") || $0.contains("%40ss") })
  }

  @Test(arguments: [
    "https://@h/", "https://h/ada:secret@h", "https://h/?ada:secret@h", "https://h#ada:secret@h",
  ])
  func malformedUserInformationIsNotACredential(url: String) async throws {
    #expect(try await Self.sent(.get(url)).users.map { $0?.user } == [nil])
  }

  @Test func aURLOfFoundationIsReadLikeThat() async throws {
    let url = try #require(URL(string: "https://ada:p%40ss@h/a"))
    let request = try Request(.get, url: url)
    #expect(request.head.authority == "h" && request.options.credential?.user == "ada")
    #expect(try await Self.sent(request).users.map { $0?.password } == [nil, "p@ss"])
  }

  // MARK: Precedence

  @Test func theCredentialOfTheRequestComesFirst() async throws {
    var request = Request.get("https://ada:secret@h/", as: "eve", "other")
    #expect(try await Self.sent(request).users.map { $0?.user } == [nil, "eve"])
    request.options.credential = nil
    #expect(try await Self.sent(request).users.map { $0?.user } == [nil])
  }

  @Test func theStoreIsUsedAfterUserInformation() async throws {
    let stage = try Authentication(user: "eve", password: "other", for: "https://h", isPreemptive: true)
    #expect(try await Self.sent(.get("https://ada:secret@h/"), stage).users.map { $0?.user } == [nil, "ada"])
    #expect(try await Self.sent(.get("https://h/"), stage).users.map { $0?.user } == ["eve"])
  }

  @Test func keepsTheCallersAuthorizationField() async throws {
    var request = Request.get("https://ada:secret@h/")
    request.fields[.authorization] = "Own"
    let heads = try await Self.sent(request).heads
    #expect(heads.map { $0.headerFields[.authorization] } == ["Own"])
  }

  /// Anybody on the way could read it.
  @Test func isNotSentOverPlainHTTPUnlessAllowed() async throws {
    var request = Request.get("http://ada:secret@h/")
    #expect(try await Self.sent(request).users.map { $0?.user } == [nil])
    request.options.allowsPlainCredentials = true
    #expect(try await Self.sent(request).users.map { $0?.user } == [nil, "ada"])
  }

  // MARK: What is seen of it

  @Test(arguments: [
    "https://ada:secret@", "https://ada:secret@h:x/", "ftp://ada:secret@h/", "https://ada:se/cret@h/",
  ])
  func anErrorDoesNotShowIt(url: String) async throws {
    let client = try Client(over: Self.transport)
    let error = try await #require(throws: ExchangeError.self) { try await client.send(.get(url)) }
    #expect(error.kind == .invalidRequest)
    #expect(!"\(error)".contains("cret") && !"\(error)".contains("ada"))
  }

  @Test func aControlCharacterIsAnErrorThatDoesNotShowIt() async throws {
    let error = try await #require(throws: ExchangeError.self) {
      try await Self.sent(.get("https://ada:sec%00ret@h/"))
    }
    #expect(error.kind.description.hasPrefix("authentication") && !"\(error)".contains("ret@"))
  }

  @Test func aFailureAndTheCommandDoNotShowIt() async throws {
    let transport = HandlerTransport { _ in
      Response(.ok, fields: [.contentType: "text/plain"], body: .bytes("x"))
    }
    let client = try Client(over: transport)
    let request = Request.get("https://ada:secret@h/a")
    let error = try await #require(throws: ExchangeError.self) {
      try await client.value(for: request, as: .jsonValue)
    }
    #expect(!"\(error) \(error.request.map { "\($0)" } ?? "")".contains("secret"))
    let answered = try #require(try await client.send(request).request)
    #expect(CURLCommand(answered, secrets: .shown).line.hasSuffix(" https://h/a"))
    #expect(!CURLCommand(request).line.contains("secret"))
  }

  @Test func refusesUserInformationInABaseURL() throws {
    let error = #expect(throws: ExchangeError.self) {
      try Client(over: Self.transport, base: "https://ada:secret@h/")
    }
    #expect(error.map { "\($0)".contains("secret") } == false)
  }

  // MARK: Redirects

  @Test func ignoresUserInformationInALocation() async throws {
    let transport = HandlerTransport { request in
      switch request.head.path {
      case "/": redirect("https://eve:evil@h/next")
      default: request.authorization == nil ? .challenge(#"Basic realm="r""#) : Response(.ok)
      }
    }
    let client = try Client(.standard(over: transport, validation: nil))
    let response = try await client.send(.get("https://h/"))
    #expect(response.status == .unauthorized)
    #expect(transport.requests.map(\.authorization) == [nil, nil])
    // That of the caller holds for his origin on each hop.
    let known = try await client.send(.get("https://ada:secret@h/"))
    #expect(known.status == .ok)
    #expect(transport.requests.last?.authorization.flatMap(BasicCredentials.decode)?.user == "ada")
  }

  @Test func theNextPageUsesTheUserInformationOfTheFirst() async throws {
    let transport = HandlerTransport { request in
      guard request.authorization != nil else { return .challenge(#"Basic realm="r""#) }
      let link: HTTPFields = request.head.path == "/1" ? [HTTPField.Name("Link")!: "</2>; rel=next"] : [:]
      return Response(.ok, fields: link, body: .bytes("x"))
    }
    let client = try Client(over: transport)
    var pages = 0
    for try await _ in client.pages(for: .get("https://ada:secret@h/1"), as: .data) { pages += 1 }
    #expect(pages == 2)
  }
}
