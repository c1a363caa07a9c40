public import StagecoachCore

/// A result builder for the members of a compound serializer.
@resultBuilder
public enum ResponseSerializerBuilder<Output: Sendable> {
  /// Builds a single member.
  public static func buildExpression(
    _ member: some ResponseSerializer<Output>
  ) -> [any ResponseSerializer<Output>] {
    [member]
  }
  /// Builds a sequence of members.
  public static func buildBlock(
    _ members: [any ResponseSerializer<Output>]...
  ) -> [any ResponseSerializer<Output>] {
    members.flatMap { $0 }
  }
  /// Builds the members of a loop.
  public static func buildArray(
    _ members: [[any ResponseSerializer<Output>]]
  ) -> [any ResponseSerializer<Output>] {
    members.flatMap { $0 }
  }
  /// Builds members under a condition.
  public static func buildOptional(
    _ members: [any ResponseSerializer<Output>]?
  ) -> [any ResponseSerializer<Output>] {
    members ?? []
  }
  /// Builds the members of the first branch.
  public static func buildEither(
    first members: [any ResponseSerializer<Output>]
  ) -> [any ResponseSerializer<Output>] {
    members
  }
  /// Builds the members of the second branch.
  public static func buildEither(
    second members: [any ResponseSerializer<Output>]
  ) -> [any ResponseSerializer<Output>] {
    members
  }
}
