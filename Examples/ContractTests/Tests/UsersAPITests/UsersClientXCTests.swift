import UsersAPI
import UsersFixtures
import XCTest

/// A replay in XCTest.
final class UsersClientXCTests: XCTestCase {
  func testAUserIsRead() async throws {
    let name = try await withFixture(Fixtures.Users.getUser) { transport in
      let users = try UsersClient(over: transport)
      _ = try? await users.user(7)
      return try await users.user(42).name
    }
    XCTAssertEqual(name, "Ada")
  }
}
