import Foundation
import HTTPTypes
import Stagecoach
import StagecoachFixtures
import TestSupport
import Testing

/// Recorded requests that are sent to a service again.
struct FixtureVerifyingTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  /// Writes one exchange and verifies a service against it.
  private func verify(
    _ reply: Scenario.Reply = FixtureVerifyingTests.json(#"{"id":1,"name":"Ada"}"#),
    request: Scenario.Request = .init("GET", "{api}/users/1"),
    expect: [Scenario.Rule] = [],
    _ handler: @escaping @Sendable (Request) async throws -> Response
  ) async throws {
    var scenario = Scenario(title: "t")
    scenario.origins = [.init(name: "api", origin: "https://api.test")]
    var exchange = Scenario.Exchange(id: "01", request: request, reply: reply)
    exchange.expect = expect
    scenario.exchanges = [exchange]
    try scenario.write(folder: "\(folder.path)/one")
    try await Fixture("one", in: folder.path).verify(exchange: "01", against: HandlerTransport(handler))
  }

  private static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Scenario.Reply {
    let head = Scenario.Head(HTTPResponse(status: status, headerFields: [.contentType: "application/json"]))
    return Scenario.Reply(head, body: Scenario.Body(Bytes(text), type: "application/json"))
  }

  private static func answer(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(status, fields: [.contentType: "application/json; charset=utf-8"], body: .bytes(Bytes(text)))
  }

  private func message(_ body: () async throws -> Void) async throws -> String {
    let error = try await #require(throws: FixtureError.self) { try await body() }
    #expect(error.kind == .changed && error.file == "\(folder.path)/one/scenario.json" && error.line != nil)
    return error.message
  }

  @Test func theRequestIsSentAsRecorded() async throws {
    var recorded = Scenario.Request(
      "POST",
      "{api}/users?x=1",
      fields: [.contentLength: "99", .accept: "*/*"]
    )
    recorded.body = Scenario.Body(#"{"name":"Ada"}"#, type: "application/json")
    try await verify(request: recorded) { request in
      #expect(request.method == .post && request.head.authority == "api.test")
      #expect(request.head.path == "/users?x=1" && request.fields[.accept] == "*/*")
      #expect(request.body.bytes == #"{"name":"Ada"}"#)
      #expect(request.fields[.contentLength] == nil)
      return Self.answer(#"{"name":"Ada","id":1,"more":[]}"#)
    }
  }

  @Test func statusAndContentAreCompared() async throws {
    let status = try await message { try await verify { _ in Self.answer("{}", status: .notFound) } }
    #expect(status.contains("\n  status: recorded 200, now 404"))
    let content = try await message { try await verify { _ in Self.answer(#"{"id":"1","name":"Ada"}"#) } }
    #expect(content.contains("\n  body $.id: "))
    let type = try await message {
      try await verify { _ in Response(.ok, fields: [.contentType: "text/html"], body: .bytes("<p>")) }
    }
    #expect(type.contains("\n  header Content-Type: "))
  }

  @Test func statesAreSetUpAndTornDown() async throws {
    var exchange = Scenario.Exchange(
      id: "01",
      request: .init("GET", "http://api.test/users/1"),
      reply: Self.json(#"{"id":1}"#)
    )
    exchange.requires = [.init(name: "a user exists", value: "Ada")]
    var scenario = Scenario(title: "t")
    scenario.exchanges = [exchange]
    try scenario.write(folder: "\(folder.path)/one")
    let log = Log<String>()
    let handler = ProviderStateHandler { parameters in
      log.add("set up \(parameters["value"]?.stringValue ?? "")")
      return [:]
    } tearDown: { _ in
      log.add("torn down")
    }
    let service = HandlerTransport { _ in
      log.add("asked")
      return Self.answer(#"{"id":1}"#)
    }
    let fixture = Fixture("one", in: folder.path)
    try await fixture.verify(exchange: "01", against: service, states: ["a user exists": handler])
    #expect(log.all == ["set up Ada", "asked", "torn down"])
    let broken = ProviderStateHandler { _ in throw ExchangeError(.invalidRequest, "no database") }
    let failure = try await message {
      try await fixture.verify(exchange: "01", against: service, states: ["a user exists": broken])
    }
    #expect(failure.contains("no database"))
  }

  @Test func rulesReplaceEqualityAndNameFields() async throws {
    try await verify(expect: [.init("body$.id", "integer"), .init("body$.name", "type")]) { _ in
      Self.answer(#"{"id":77,"name":"Grace"}"#)
    }
    var reply = Self.json("{}")
    reply.head?.response.headerFields[.eTag] = "\"a\""
    try await verify(reply) { _ in Self.answer("{}") }
    let field = try await message {
      try await verify(reply, expect: [.init("header.ETag", "equality")]) { _ in Self.answer("{}") }
    }
    #expect(field.contains("\n  header ETag: Expected a header 'ETag' but was missing"))
    await #expect(throws: ScenarioError.self) {
      try await verify(expect: [.init("body$.id", "uuids")]) { _ in Self.answer("{}") }
    }
  }

  @Test func secretsOfTheServiceAreComparedAsPlaceholdersAndNotShown() async throws {
    let reply = Self.json(#"{"access_token":"SECRET-ACCESS_TOKEN-1"}"#)
    try await verify(reply) { _ in Self.answer(#"{"access_token":"tok-8f2c9A7b1d3e"}"#) }
    let text = try await message {
      try await verify(reply) { _ in Self.answer(#"{"access_token":["tok-8f2c9A7b1d3e"]}"#) }
    }
    #expect(!text.contains("8f2c9A7b1d3e"))
  }

  @Test func aStageMayAddCredentialsAndNothingElse() async throws {
    var request = Scenario.Request("GET", "{api}/users/1", fields: [.authorization: "Bearer SECRET-TOKEN-1"])
    try await verify(request: request) { request in
      #expect(request.fields[.authorization] == "Bearer SECRET-TOKEN-1")
      return Self.answer(#"{"id":1,"name":"Ada"}"#)
    }
    request.target = "{api}/users/1?key=SECRET-KEY-1"
    let skipped = try await #require(throws: FixtureError.self) {
      try await verify(request: request) { _ in Response(.ok) }
    }
    #expect(skipped.kind == .configuration)
    #expect(skipped.message.contains("SECRET-KEY-1, of which no value is known"))
    #expect(skipped.message.contains("contractRedaction()"))
  }

  @Test func failuresAreNotVerifiedAndFail() async throws {
    let reset = Scenario.Reply(Scenario.Outcome(.reset))
    let skipped = try await #require(throws: FixtureError.self) {
      try await verify(reset) { _ in Response(.ok) }
    }
    #expect(
      skipped.kind == .configuration && skipped.message.contains("01 GET {api}/users/1: cannot be verified")
    )
    let other = try await message { try await verify { _ in throw ExchangeError(.connectionRefused, "no") } }
    #expect(other.contains("\n  reply: no"))
  }

  @Test func anExchangeThatIsGoneIsNamed() async throws {
    try await verify { _ in Self.answer(#"{"id":1,"name":"Ada"}"#) }
    let error = try await #require(throws: FixtureError.self) {
      try await Fixture("one", in: folder.path).verify(
        exchange: "02",
        against: HandlerTransport { _ in Response(.ok) }
      )
    }
    #expect(error.kind == .missing && error.message.contains("\"02\""))
  }

  /// A generated test gives the values of secrets with its options, and the project's file counts.
  @Test func theValuesOfSecretsAreSent() async throws {
    var scenario = Scenario(title: "t")
    scenario.origins = [.init(name: "api", origin: "https://api.test")]
    let content = Scenario.Body(
      "user=ada&password=SECRET-PASSWORD-1",
      type: "application/x-www-form-urlencoded"
    )
    let request = Scenario.Request("POST", "{api}/login", body: content)
    let reply = Self.json(#"{"tenant":"SECRET-TENANT-1"}"#)
    scenario.exchanges = [Scenario.Exchange(id: "01", request: request, reply: reply)]
    try scenario.write(folder: "\(folder.path)/login")
    let file = "\(folder.path)/redaction.json"
    try Data(#"{ "redact": ["tenant"] }"#.utf8).write(to: URL(filePath: file))
    let service = HandlerTransport { request in
      #expect(request.body.bytes == "user=ada&password=a%26b-today")
      return Self.answer(#"{"tenant":"acme"}"#)
    }
    let fixture = Fixture("login", in: folder.path)
    let error = try await #require(throws: FixtureError.self) {
      try await fixture.verify(exchange: "01", against: service)
    }
    #expect(error.kind == .configuration && error.message.contains("give it with contractRedaction()"))
    #expect(service.requests.isEmpty)
    var options = RedactionOptions()
    options.secrets["PASSWORD"] = "a&b-today"
    try await fixture.verify(exchange: "01", against: service, redaction: options)
    #expect(service.requests.count == 1)
    try Data(#"{ "redact": ["password=hunter2"] }"#.utf8).write(to: URL(filePath: file))
    await #expect(throws: ScenarioError.self) {
      try await fixture.verify(exchange: "01", against: service, redaction: options)
    }
  }
}
