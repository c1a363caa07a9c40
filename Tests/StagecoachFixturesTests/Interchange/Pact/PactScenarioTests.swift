import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Pact files as scenarios, and scenarios as Pact files.
@Suite struct PactScenarioTests {
  private func pact() throws -> PactFile {
    let text = """
      {"consumer": {"name": "web"}, "provider": {"name": "users"},
       "metadata": {"pactSpecification": {"version": "4.0"}},
       "interactions": [
        {"type": "Synchronous/HTTP", "description": "a user", "providerStates": [{"name": "there is one"}],
         "request": {"method": "GET", "path": "/users/42", "query": {"v": ["1"]}, "headers": {"X-A": ["b"]},
          "matchingRules": {"path": {"matchers": [{"match": "regex", "regex": "/users/\\\\d+"}]},
           "query": {"v": {"combine": "OR", "matchers": [{"match": "integer"}, {"match": "include", "value": "x"}]}}}},
         "response": {"status": 200, "headers": {"ETag": ["abc"]},
          "body": {"contentType": "application/json", "encoded": false, "content": {"id": 1, "at": "x"}},
          "matchingRules": {"body": {"$.at": {"matchers": [{"match": "type"}]}}},
          "generators": {"body": {"$.id": {"type": "RandomInt", "min": 7, "max": 7}}}}},
        {"type": "Synchronous/HTTP", "description": "no/user", "providerStates": [{"name": "there is none"}],
         "request": {"method": "GET", "path": "/none"}, "response": {"status": 404}},
        {"type": "Synchronous/HTTP", "description": "no user",
         "request": {"method": "GET", "path": "/none"}, "response": {"status": 410}},
        {"type": "Synchronous/Messages", "description": "m"}
       ]}
      """
    return try PactFile(contents: Array(text.utf8), path: "pact.json")
  }

  private func send(_ transport: some Transport, _ request: Request) async throws -> (Response, String) {
    let response = try await Pipeline(over: transport) {}.send(request)
    return (response, String(decoding: try await response.body.collect(upTo: 10_000)))
  }

  @Test func aPactIsReplayed() async throws {
    let (scenario, notes) = try pact().scenario(
      origin: "http://users",
      generators: GeneratorContext(side: .consumer)
    )
    #expect(
      notes == [
        "2 exchanges lost the states of the provider", "\"m\" is left out: it is a message without HTTP",
      ]
    )
    #expect(scenario.exchanges.map(\.id) == ["a user", "no-user", "no user"])
    #expect(scenario.exchanges.map(\.times) == [.atLeastOnce, .exactly(1), .atLeastOnce])
    // It survives its folder.
    let folder = try ScratchDirectory()
    try scenario.write(folder: "\(folder.path)/s")
    let replay = try ReplayTransport(folder: "\(folder.path)/s")
    for query in ["v=5", "v=axb"] {
      var request = Request.get("http://users/users/7?\(query)")
      request.fields[try #require(HTTPField.Name("X-A"))] = "b"
      let (response, body) = try await send(replay, request)
      #expect(response.status == .ok)
      #expect(response.fields[.eTag] == "abc")
      #expect(response.fields[.contentType] == "application/json")
      #expect(body == #"{"id":7,"at":"x"}"#)
    }
    #expect(try await send(replay, .get("http://users/none")).0.status == .notFound)
    #expect(try await send(replay, .get("http://users/none")).0.status == .gone)
    #expect(try await send(replay, .get("http://users/none")).0.status == .gone)
    try replay.finish()
    await #expect(throws: ExchangeError.self) { try await send(replay, .get("http://users/users/7?v=a")) }
    // Unlike with other scenarios, the fields of the request count.
    await #expect(throws: ExchangeError.self) { try await send(replay, .get("http://users/users/7?v=1")) }
  }

  @Test func examplesStayWithoutGenerators() throws {
    let (scenario, notes) = try pact().scenario()
    #expect(scenario.exchanges[0].reply.body?.bytes == #"{"id":1,"at":"x"}"#)
    #expect(notes.contains("1 exchange lost the generators of the response"))
  }

  @Test func aPactSurvivesAScenario() throws {
    let (scenario, _) = try pact().scenario()
    let (file, losses) = try PactFile.contract(of: scenario, consumer: "web", provider: "users")
    let (old, new) = (try pact().requests[0], file.requests[0])
    #expect(new.description == "a user")
    #expect(new.request.message.path == "/users/42")
    #expect(new.request.message.query.parameters == old.request.message.query.parameters)
    #expect(new.request.message.fields == old.request.message.fields)
    let text = try String(decoding: file.serialized(as: .v4).bytes, as: UTF8.self)
    #expect(text.contains(#""combine": "OR""#))
    #expect(new.response.message.status == 200)
    #expect(
      new.response.rules["body"] == ["$.at": ["matchers": [["match": "type"]], "combine": "AND"]]
    )
    #expect(losses == ["1 exchange lost its place in a sequence of equal requests"])
  }

  @Test func aReplayAnswersAsAPactFile() async throws {
    let folder = try ScratchDirectory()
    let path = try folder.file("pact.json", try pact().serialized(as: .v4).bytes)
    let replay = try ReplayTransport(pact: path, origin: "http://users")
    #expect(replay.unused.count == 3)
    #expect(try await send(replay, .get("http://users/none")).0.status == .gone)
  }

  // MARK: Contracts of consumers

  private func scenario() -> Scenario {
    var scenario = Scenario(title: "users")
    scenario.origins = [Scenario.Alias(name: "api", origin: "http://api")]
    let json: HTTPFields = [.contentType: "application/json", .date: "Wed, 25 Nov 2026 18:00:00 GMT"]
    var get = Scenario.Exchange(
      id: "01",
      request: Scenario.Request(
        "GET",
        "{api}/users/42?a=b%20c",
        fields: [.accept: "application/json", .userAgent: "x"]
      ),
      reply: Scenario.Reply(
        Scenario.Head(HTTPResponse(status: .ok, headerFields: json)),
        body: Scenario.Body(#"{"id":42}"#, type: "application/json")
      )
    )
    get.match = [Scenario.Rule("path", ["match": "regex", "regex": "/users/\\d+"])]
    get.expect = [Scenario.Rule("body$.id", "integer")]
    get.requires = [Scenario.State(name: "signed in", value: "ada")]
    var post = get
    (post.id, post.requires, post.match, post.expect) = ("02", [], [], [])
    post.request = Scenario.Request("POST", "{api}/users", body: Scenario.Body(#"{"name":"Ada"}"#))
    post.sets = [Scenario.State(name: "signed in", value: "ada")]
    post.reply.trailers = [.eTag: "a"]
    var optional = post
    (optional.id, optional.isOptional, optional.sets) = ("03", true, [])
    optional.request.target = "{api}/optional"
    scenario.exchanges = [post, get, optional]
    return scenario
  }

  @Test func aContractIsWrittenWhenAllWasUsed() async throws {
    let folder = try ScratchDirectory()
    let path = "\(folder.path)/web-users.json"
    let replay = try ReplayTransport(scenario())
    let contract = ConsumerContract(consumer: "web", provider: "users")
    var error = #expect(throws: ScenarioError.self) { try contract.write(replay, to: path) }
    #expect(error?.kind == .incomplete)
    #expect(
      error?.message == "the contract is not written, since not everything was exercised: "
        + "exchange 02 of \"users\" was not used; exchange 01 of \"users\" was not used"
    )
    _ = try await send(replay, .post("http://api/users", body: .bytes(#"{"name": "Ada"}"#)))
    _ = try await send(replay, .get("http://api/users/7?a=b%20c"))
    var losses = try contract.write(replay, to: path)
    #expect(losses == ["1 exchange lost trailers", "1 exchange lost the states that it sets"])
    let file = try PactFile(path: path)
    #expect(file.requests.map(\.description) == ["users: GET /users/42", "users: POST /users"])
    let get = try #require(file.requests.first)
    #expect(get.states == [])
    #expect(get.request.message.fields == [FieldLine("Accept", "application/json")])
    #expect(get.response.message.fields == [FieldLine("Content-Type", "application/json")])
    #expect(get.request.rules["path"]?["matchers"] == [["match": "regex", "regex": "/users/\\d+"]])
    #expect(get.response.rules["body"]?["$.id"]?["matchers"] == [["match": "integer"]])
    // Written again by another test, nothing changes.
    let before = try Data(contentsOf: URL(filePath: path))
    losses = try contract.write(replay, replay, to: path)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)

    var strict = contract
    strict.isStrict = true
    error = #expect(throws: ScenarioError.self) { try strict.write(replay, to: path) }
    #expect(error?.kind == .loss)

    await #expect(throws: ExchangeError.self) {
      try await send(replay, .get("http://api/other?token=s3cr3t-4f2a91"))
    }
    error = #expect(throws: ScenarioError.self) { try contract.write(replay, to: path) }
    #expect(error?.kind == .incomplete)
    #expect(error?.message.contains("no exchange of \"users\" answers GET http://api/other") == true)
    #expect(error?.message.contains("s3cr3t-4f2a91") == false)
  }

  @Test func statesThatNoExchangeSetsAreStatesOfTheProvider() throws {
    var scenario = scenario()
    scenario.exchanges.removeFirst()
    let (file, _) = try PactFile.contract(of: scenario, consumer: "c", provider: "p")
    #expect(file.requests.first?.states == [ProviderState("signed in", parameters: ["value": "ada"])])
  }

  @Test func whatAPactCannotHoldIsNamed() throws {
    var scenario = scenario()
    scenario.exchanges[0].reply.outcome = Scenario.Outcome(.reset)
    scenario.exchanges[1].match.append(Scenario.Rule("method", ["match": "regex", "regex": "GET|HEAD"]))
    scenario.exchanges[1].match.append(Scenario.Rule("query", "values"))
    scenario.exchanges[1].request.fields[.authorization] = "Bearer SECRET-TOKEN-1"
    scenario.exchanges[1].request.fields[.init("X-Request-Id")!] = "4711"
    scenario.exchanges[1].cause = Scenario.Cause(.retry, of: "02")
    scenario.exchanges[1].reply.informational = [Scenario.Head(HTTPResponse(status: .init(code: 103)))]
    scenario.exchanges.removeLast()
    let (file, losses) = try PactFile.contract(of: scenario, consumer: "c", provider: "p")
    #expect(file.requests.count == 1)
    #expect(
      losses == [
        "1 exchange is left out: the recorded reply is not complete (reset)",
        "1 exchange lost informational responses", "1 exchange lost what led to it",
        "1 exchange has examples in place of secrets, each with a rule: fill them in when the provider is verified",
        "1 exchange compares the field X-Request-Id by its type alone, for it is new each time",
        "1 exchange lost a rule for the method", "1 exchange lost a rule for all of the query",
      ]
    )
    let rules = try JSONValue(parsing: file.serialized(as: .v4).bytes)["interactions"]?[0]?["request"]?[
      "matchingRules"
    ]
    #expect(rules?["header"]?["Authorization"] == ["matchers": [["match": "type"]], "combine": "AND"])
    #expect(rules?["header"]?["X-Request-Id"] == ["matchers": [["match": "type"]], "combine": "AND"])
  }
}
