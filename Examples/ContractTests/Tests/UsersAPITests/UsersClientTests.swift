import Stagecoach
import StagecoachTesting
import Testing
import UsersAPI
import UsersFixtures
import UsersService

struct UsersClientTests {
  @Test(.fixture(Fixtures.Users.getUser)) func aUserIsRead() async throws {
    let users = try UsersClient(over: Fixture.current.transport)
    #expect(try await users.user(42) == User(id: 42, name: "Ada"))
    await #expect(throws: (any Error).self) { try await users.user(7) }
  }

  /// Recorded with `STAGECOACH_FIXTURES_MODE=rerecord swift test`, from the service or any other transport.
  @Test(.fixture("users/create-user", live: { HandlerTransport { try await UsersService.answer($0) } }))
  func aUserIsCreated() async throws {
    let users = try UsersClient(over: Fixture.current.transport)
    #expect(try await users.create("Grace").id == 43)
  }

  @Test(arguments: try Fixtures.scenarios(in: "users")) func everyFixtureIsRead(_ fixture: Fixture) throws {
    #expect(Fixtures.index["\(fixture.name)/scenario.json"]?.count == 64)
  }
}
