#if AsyncHTTPClient || CURL
  import Stagecoach

  struct User: Codable, Sendable { var id: Int, name: String }
  let client = try Client(base: CommandLine.arguments[1])
  let users: [User] = try await client.get("users")
  print(users.count, users.last?.name ?? "none")
#endif
