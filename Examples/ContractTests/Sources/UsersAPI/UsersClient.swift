public import Stagecoach

/// A user.
public struct User: Codable, Sendable, Equatable {
  /// The number of the user.
  public var id: Int
  /// The name that is shown.
  public var name: String

  /// Creates a user.
  public init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}

/// A client of the service, over any transport.
public struct UsersClient: Sendable {
  private let client: Client

  /// Creates a client that sends its requests through the standard stages.
  public init(over transport: any Transport) throws {
    client = try Client(Pipeline.standard(over: transport), base: "https://api.example.com/")
  }

  /// Reads a user.
  public func user(_ id: Int) async throws -> User { try await client.get("users/\(id)") }

  /// Creates a user.
  public func create(_ name: String) async throws -> User {
    try await client.post("users", .json(["name": name]))
  }
}
