import HTTPTypes

/// Lets the response pick its serializer: several members, one output type.
///
/// Members that declare the status are asked. Among them the declared media type decides first: the
/// member whose declaration fits it most closely reads the body. Where several fit equally well, or
/// nothing is declared, members are tried in order and the first that succeeds wins. What each member
/// refused, and why, is in the error.
///
/// ```swift
/// enum Answer { case user(User), note(String) }
/// let answer = try await client.value(for: .get("x"), as: CompoundResponseSerializer<Answer> {
///   JSONResponseSerializer(User.self).map(Answer.user)
///   TextResponseSerializer().map(Answer.note)
/// })
/// ```
public struct CompoundResponseSerializer<Output: Sendable>: ResponseSerializer {
  /// The members, in the order in which they are tried.
  public let members: [any ResponseSerializer<Output>]

  /// The names of the members.
  public let name: String

  /// What any member accepts, and content that declares no type.
  public let accepts: Acceptance

  /// A serializer over members.
  public init(members: [any ResponseSerializer<Output>]) {
    self.members = members
    name = "Compound(\(members.map(\.name).joined(separator: ", ")))"
    accepts = Self.union(of: members.map(\.accepts))
  }

  /// A serializer over members.
  public init(
    @ResponseSerializerBuilder<Output> _ members: () -> [any ResponseSerializer<Output>]
  ) {
    self.init(members: members())
  }

  private static func union(of all: [Acceptance]) -> Acceptance {
    var ranges: [MediaRange] = []
    if !all.contains(where: { $0.mediaTypes.isEmpty }) {
      for range in all.flatMap(\.mediaTypes) where !ranges.contains(range) { ranges.append(range) }
    }
    var statuses: [Range<Int>] = []
    for range in all.flatMap(\.statuses) where !statuses.contains(range) { statuses.append(range) }
    return Acceptance(mediaTypes: ranges, acceptsUndeclared: true, statuses: statuses)
  }

  /// Picks members by the declared type and lets them read the body.
  ///
  /// - Throws: ``ExchangeError`` of kind `mediaType` if no member accepts the declared type; of kind
  ///   `serialization` with a ``CompoundRefusal`` underneath if every one that was tried failed.
  public func serialize(_ response: Response) async throws -> Output {
    let (candidates, reason) = candidates(for: response)
    guard let first = candidates.first else {
      throw ExchangeError(
        .mediaType,
        "no member of \(name) reads \(response.mediaType.map { "\($0)" } ?? "content of no declared type")",
        underlying: CompoundRefusal(refusals: members.map { ($0.name, "accepts \($0.accepts.acceptField)") })
      )
    }
    guard candidates.count > 1 else {
      response.request?.emit(.serializerChosen(first.name, reason: reason))
      return try await first.serialize(response)
    }
    return try await tryInOrder(candidates, response, reason)
  }

  private func candidates(for response: Response) -> ([any ResponseSerializer<Output>], reason: String) {
    // A member is for the statuses that it declares, unless none is for this one.
    let declaring = self.members.filter { $0.accepts.accepts(status: response.status.code) }
    let members = declaring.isEmpty ? self.members : declaring
    guard let type = response.mediaType else {
      return (members, "no media type is declared: tried in order")
    }
    let ranked = members.map { (member: $0, fit: $0.accepts.specificity(of: type)) }
    let best = ranked.compactMap(\.fit).max()
    guard let best else { return ([], "") }
    return (ranked.filter { $0.fit == best }.map(\.member), "declared as \(type.essence)")
  }

  private func tryInOrder(
    _ candidates: [any ResponseSerializer<Output>],
    _ response: Response,
    _ reason: String
  ) async throws -> Output {
    let bytes = try await response.collectBody()
    var refusals: [(String, String)] = []
    for member in candidates {
      var copy = response
      copy.body = .bytes(bytes)
      do {
        let output = try await member.serialize(copy)
        response.request?.emit(.serializerChosen(member.name, reason: reason))
        return output
      } catch let error as CancellationError {
        throw error
      } catch {
        try Task.checkCancellation()
        refusals.append((member.name, (error as? ExchangeError)?.message ?? Format.describe(error)))
      }
    }
    var failure = ExchangeError(
      .serialization,
      "every member of \(name) refused the body",
      underlying: CompoundRefusal(refusals: refusals)
    )
    failure.bodyPrefix = bytes
    throw failure
  }
}

extension CompoundResponseSerializer where Output == any Sendable {
  /// The habit of AFNetworking: members of any output, and an output to be cast by the caller.
  public init(anyOf members: any ResponseSerializer...) {
    self.init(members: members.map { Self.erase($0) })
  }

  private static func erase(_ member: some ResponseSerializer) -> any ResponseSerializer<any Sendable> {
    member.map { $0 as any Sendable }
  }
}

/// Why each member of a compound serializer refused a response.
public struct CompoundRefusal: Error, CustomStringConvertible {
  /// One member's refusal.
  public struct Refusal: Sendable, Hashable {
    /// The name of the serializer.
    public let serializer: String
    /// Why it refused.
    public let reason: String
  }

  /// The refusals, in the order in which members were asked.
  public let refusals: [Refusal]

  init(refusals: [(String, String)]) {
    self.refusals = refusals.map { Refusal(serializer: $0.0, reason: $0.1) }
  }

  /// Each member with its reason.
  public var description: String {
    refusals.map { "\($0.serializer): \($0.reason)" }.joined(separator: "; ")
  }
}

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
