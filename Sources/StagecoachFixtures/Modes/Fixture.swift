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
public struct Fixture: Sendable, Identifiable {
  /// The path of its folder below the root, such as `users/get-user`.
  public let name: String

  /// The folder of all fixtures. A relative path begins at the package of the test. `nil` means the folder `Fixtures`
  /// of that package.
  public let root: String?

  /// The SHA-256 of files below the root when the package was built.
  let index: [String: String]

  /// Creates a reference to a fixture, which need not exist yet.
  ///
  /// - Parameters:
  ///   - name: The path of its folder below the root.
  ///   - root: The folder of all fixtures; by default `Fixtures` in the package of the test.
  ///   - index: The SHA-256 of files in hexadecimal, by their paths below the root. A replay and a verification fail if a
  ///     file of the fixture has another one, since what was generated from it is out of date. Recordings are not compared,
  ///     nor is a fixture that a test looks for in another root. The constants of the plug-in `FixtureAccessors` have the
  ///     index of their build.
  public init(_ name: String, in root: String? = nil, index: [String: String] = [:]) {
    self.name = name
    self.root = root
    self.index = index
  }

  /// The name, by which reports and reruns identify the fixture.
  public var id: String { name }
}

extension Fixture: Hashable {
  /// Returns whether two references have the same name and root.
  public static func == (left: Fixture, right: Fixture) -> Bool {
    left.name == right.name && left.root == right.root
  }

  /// Hashes the name and the root.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(root)
  }
}

extension Fixture: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates a reference to a fixture in the folder `Fixtures` of the package of the test.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The name.
  public var description: String { name }
}
