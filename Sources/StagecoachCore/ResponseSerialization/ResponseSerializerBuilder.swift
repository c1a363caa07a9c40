/// Builds the members of a compound serializer.
@resultBuilder
public enum ResponseSerializerBuilder<Output: Sendable> {
  /// One member.
  public static func buildExpression(
    _ member: some ResponseSerializer<Output>
  ) -> [any ResponseSerializer<Output>] {
    [member]
  }
  /// Members in a row.
  public static func buildBlock(
    _ members: [any ResponseSerializer<Output>]...
  ) -> [any ResponseSerializer<Output>] {
    members.flatMap { $0 }
  }
  /// The members of a loop.
  public static func buildArray(
    _ members: [[any ResponseSerializer<Output>]]
  ) -> [any ResponseSerializer<Output>] {
    members.flatMap { $0 }
  }
  /// Members under a condition.
  public static func buildOptional(
    _ members: [any ResponseSerializer<Output>]?
  ) -> [any ResponseSerializer<Output>] {
    members ?? []
  }
  /// The members of one branch.
  public static func buildEither(
    first members: [any ResponseSerializer<Output>]
  ) -> [any ResponseSerializer<Output>] {
    members
  }
  /// The members of the other branch.
  public static func buildEither(
    second members: [any ResponseSerializer<Output>]
  ) -> [any ResponseSerializer<Output>] {
    members
  }
}
