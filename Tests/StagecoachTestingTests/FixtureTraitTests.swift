import Foundation
import HTTPTypes
import Stagecoach
import StagecoachSampleFixtures
import StagecoachTesting
import TestSupport
import Testing

/// The trait, over the sample fixtures.
struct FixtureTraitTests {
  private func client() throws -> Client {
    try Client(over: Fixture.current.transport, base: "https://api.example.com/")
  }

  @Test(.fixture(Fixtures.Users.getUser)) func aConstantNamesTheFixture() async throws {
    #expect(try await client().get("users/42", as: .text).contains("Ada"))
  }

  @Test(.fixture("users/get-user", in: "Fixtures/Scenarios")) func aPathNamesTheFixture() async throws {
    #expect(try await client().get("users/42", as: .text).contains("Ada"))
  }

  /// Each has to find the exchange unused.
  @Test(.fixture(Fixtures.Users.getUser), arguments: 0..<200)
  func twoHundredTestsDoNotShareAReplay(_ number: Int) async throws {
    #expect(try await client().get("users/42", as: .text).contains("Ada"))
  }

  @Test(.fixture(Fixtures.Users.signIn)) func cookiesAndRedirectsGoThroughTheWholeChain() async throws {
    let stack = Pipeline.standard(over: Fixture.current.transport)
    let client = try Client(stack, base: "https://api.example.com/")
    let profile = try await client.post(
      "session",
      .json(["user": "ada", "password": "correct horse battery"]),
      as: .text
    )
    #expect(profile.contains("\"name\":\"Ada\""))
  }

  @Test(.fixture(Fixtures.Catalog.outage)) func failuresAreReplayedInOrder() async throws {
    let transport = Pipeline(over: Fixture.current.transport) {}
    let error = try await #require(throws: ExchangeError.self) {
      try await transport.send(.get("https://shop.example.com/items"))
    }
    #expect("\(error.kind)" == "connectionReset")
    #expect(try await transport.send(.get("https://shop.example.com/items")).status == .serviceUnavailable)
    for _ in 0..<3 {
      let answer = try await transport.send(.get("https://shop.example.com/items"))
      #expect(try await answer.body.collect(upTo: 100) == "three items")
    }
  }

  @Test func aTestWithoutAFixtureSaysSo() async throws {
    let error = try await #require(throws: ExchangeError.self) {
      try await client().get("users/42", as: .text)
    }
    #expect(error.message == "this test has no fixture" && error.advice?.contains(".fixture(") == true)
  }

  @Suite(.fixture(Fixtures.Users.getUser)) struct OfASuite {
    @Test(arguments: 0..<3) func everyTestHasTheTraitOfItsSuite(_ number: Int) async throws {
      let client = try Client(over: Fixture.current.transport, base: "https://api.example.com/")
      #expect(try await client.get("users/42", as: .text).contains("Ada"))
    }
  }

  @Test func theSamplesPassTheLint() throws {
    let lint = try ScenarioLint(folder: Fixtures.root)
    #expect(lint.findings.isEmpty && lint.scenarios == 4)
  }

  @Test(arguments: try Fixtures.scenarios(root: Fixtures.root)) func foldersAreArguments(_ fixture: Fixture)
    throws
  {
    #expect(fixture.testDescription == fixture.name && fixture.id == fixture.name)
    #expect(Fixtures.index["\(fixture.name)/scenario.json"]?.count == 64)
  }
}
