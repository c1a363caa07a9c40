public import Stagecoach

/// A user.
public struct User: Codable, Sendable, Equatable {
  public var id: Int
  public var name: String

  public init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}

/// A client of the service, over any transport.
public struct UsersClient: Sendable {
  private let client: Client

  public init(over transport: any Transport) throws {
    client = try Client(Pipeline.standard(over: transport), base: "https://api.example.com/")
  }

  public func user(_ id: Int) async throws -> User { try await client.get("users/\(id)") }

  public func create(_ name: String) async throws -> User {
    try await client.post("users", .json(["name": name]))
  }
}
