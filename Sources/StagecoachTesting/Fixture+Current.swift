public import StagecoachCore
public import StagecoachFixtures

extension Fixture {
  /// The fixture of the running test, which the trait `.fixture` opened.
  ///
  /// Outside of such a test, every request to its transport fails.
  public static var current: Current { running ?? Current(transport: NoFixture()) }

  @TaskLocal static var running: Current?

  /// A fixture in use.
  public struct Current: Sendable {
    /// The transport that replays, records or checks the fixture.
    public let transport: any Transport
  }
}

/// The transport of a test without a fixture.
private struct NoFixture: Transport {
  func send(_ request: Request) async throws -> Response {
    throw ExchangeError(
      .invalidRequest,
      "this test has no fixture",
      advice: "add the trait .fixture(\"NAME\") to the test, and use Fixture.current in its task"
    )
  }
}
