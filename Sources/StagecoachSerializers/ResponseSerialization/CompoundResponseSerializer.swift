import HTTPTypes
public import StagecoachCore

/// A serializer that chooses one of several members, all with the same output type, for each response.
///
/// Members that accept the status are considered, or all if none does. Among them:
///
/// 1. The declared media type decides. The member with the most specific matching declaration reads the body: one that
///    names the type is preferred to one that accepts its suffix (`application/*+json`), and that to a wildcard
///    (`text/*`, then `*/*`). Specificity comes before order, so that a member for any type may be at any position. Of
///    equally specific members the first that succeeds wins.
/// 2. If no type is declared, or it is malformed, or if there is no content and no member matches, members are tried
///    in order and the first that succeeds wins.
/// 3. If ``sniffs`` is true, members that recognize the start of the content (``Acceptance/signatures``) are tried
///    before the others, in order. This only happens without a Content-Type, or with `application/octet-stream` if no
///    member names that; any other declared type is never overridden.
///
/// The error contains the reasons of all members; the choice and its reason are reported as a ``SerializerChoice``.
/// Weights (``ResponseSerializer/weighted(_:)``) only affect Accept, not the choice.
///
/// ```swift
/// enum Answer { case user(User), note(String) }
/// let answer = try await client.value(for: .get("x"), as: CompoundResponseSerializer<Answer> {
///   JSONResponseSerializer(User.self).map(Answer.user)
///   TextResponseSerializer().map(Answer.note)
/// })
/// ```
///
/// A member that is itself a compound serializer, or a mapped or weighted one, is replaced by its members.
public struct CompoundResponseSerializer<Output: Sendable>: ResponseSerializer {
  /// The members, in the order in which they are tried; none is itself a compound serializer.
  public let members: [any ResponseSerializer<Output>]

  /// Whether the start of content without a useful Content-Type may determine the member. If so, such content is
  /// collected before it is decoded.
  public let sniffs: Bool

  /// The names of the members.
  public let name: String

  /// The union of the members' acceptances, which also accepts content without a declared type. If it ``sniffs`` and
  /// any member has a signature, it also accepts generic octets, without listing them in Accept.
  public let accepts: Acceptance

  /// Creates a serializer from members.
  ///
  /// - Parameters:
  ///   - members: The members.
  ///   - sniffs: Whether the start of content may determine the member; the setting of a member that is itself a
  ///     compound serializer is ignored.
  public init(members: [any ResponseSerializer<Output>], sniffing sniffs: Bool = false) {
    let members = members.flatMap { ($0 as? any MemberedResponseSerializer<Output>)?.members ?? [$0] }
    self.members = members
    self.sniffs = sniffs
    name = "Compound(\(members.map(\.name).joined(separator: ", ")))"
    let all = members.map(\.accepts)
    accepts = Acceptance.union(of: all, sniffing: sniffs && !all.allSatisfy(\.signatures.isEmpty))
  }

  /// Creates a serializer from members; see ``init(members:sniffing:)``.
  public init(
    sniffing sniffs: Bool = false,
    @ResponseSerializerBuilder<Output> _ members: () -> [any ResponseSerializer<Output>]
  ) {
    self.init(members: members(), sniffing: sniffs)
  }

  /// Chooses members by the declared type and decodes the body.
  ///
  /// - Throws: The error of the member, if there is only one candidate. ``ExchangeError`` of kind `mediaType` if no
  ///   member accepts the declared type; of kind `serialization` with a ``CompoundRefusal`` as the underlying error if
  ///   all candidates failed.
  public func serialize(_ response: Response) async throws -> Output {
    var response = response
    var content: Bytes?
    if sniffs, !accepts.signatures.isEmpty, response.isUnlabelled {
      let bytes = try await response.collectBody()
      response.body = .bytes(bytes)
      content = bytes
    }
    let candidates = candidates(for: response, sniffing: content)
    guard let first = candidates.first else {
      var failure = noMember(for: response)
      failure.bodyPrefix = content ?? Bytes()
      throw failure
    }
    guard candidates.count > 1 else {
      response.request?.emit(
        SerializerChoice(first.member.name, mediaType: response.mediaType, reason: first.reason)
      )
      return try await first.member.serialize(response)
    }
    return try await tryInOrder(candidates, response)
  }

  private func noMember(for response: Response) -> ExchangeError {
    ExchangeError(
      .mediaType,
      "no member of \(name) reads \(response.mediaType.map { "\($0)" } ?? "content without a declared type")",
      underlying: CompoundRefusal(
        refusals: members.map {
          CompoundRefusal.Refusal(serializer: $0.name, reason: "accepts \($0.accepts.acceptField)")
        }
      )
    )
  }

  private func tryInOrder(_ candidates: [Candidate], _ response: Response) async throws -> Output {
    let bytes = try await response.collectBody()
    var refusals: [CompoundRefusal.Refusal] = []
    for candidate in candidates {
      var copy = response
      copy.body = .bytes(bytes)
      do {
        let output = try await candidate.member.serialize(copy)
        response.request?.emit(
          SerializerChoice(
            candidate.member.name,
            mediaType: response.mediaType,
            reason: candidate.reason,
            candidates: candidates.map(\.member.name),
            refusals: refusals
          )
        )
        return output
      } catch let error as CancellationError {
        throw error
      } catch {
        try Task.checkCancellation()
        refusals.append(CompoundRefusal.Refusal(serializer: candidate.member.name, error: error))
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
  /// Creates a serializer from members with different outputs, for an output that the caller casts, as in
  /// AFNetworking.
  public init(anyOf members: any ResponseSerializer..., sniffing sniffs: Bool = false) {
    self.init(members: members.map { Self.erase($0) }, sniffing: sniffs)
  }

  private static func erase(_ member: some ResponseSerializer) -> any ResponseSerializer<any Sendable> {
    member.map { $0 as any Sendable }
  }
}
