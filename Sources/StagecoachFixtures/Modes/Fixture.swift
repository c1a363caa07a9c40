/// A scenario that a test uses, by its name.
///
/// ```swift
/// import Stagecoach
/// import StagecoachFixtures
///
/// let name = try await withFixture("users/get-user") { transport in
///   let client = try Client(over: transport, base: "https://api.example.com/")
///   return try await client.get("users/42", as: .text)
/// }
/// ```
public struct Fixture: Sendable, Hashable, Identifiable {
  /// The path of its folder below the root, such as `users/get-user`.
  public let name: String

  /// The folder of all fixtures. A relative path begins at the package of the test. `nil` means the folder `Fixtures`
  /// of that package.
  public let root: String?

  /// Creates a reference to a fixture, which need not exist yet.
  ///
  /// - Parameters:
  ///   - name: The path of its folder below the root.
  ///   - root: The folder of all fixtures; by default `Fixtures` in the package of the test.
  public init(_ name: String, in root: String? = nil) {
    self.name = name
    self.root = root
  }

  /// The name, by which reports and reruns identify the fixture.
  public var id: String { name }
}

extension Fixture: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates a reference to a fixture in the folder `Fixtures` of the package of the test.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The name.
  public var description: String { name }
}
