import HTTPTypes

/// Lets the response pick its serializer: several members, one output type.
///
/// Members that declare the status are asked, or all if none does. Among them:
///
/// 1. The declared media type decides. The member whose declaration fits it most closely reads the body: one
///    that names the type before one that takes its suffix (`application/*+json`), that before a wildcard
///    (`text/*`, then `*/*`). How closely it fits goes before the order, so that a member for anything may stand
///    anywhere without hiding the others. Of members that fit equally well the first that succeeds wins.
/// 2. Where nothing is declared, or nothing readable, or there is no content and no member fits, members are
///    tried in order and the first that succeeds wins.
/// 3. If ``sniffs`` allows it, members that recognise the start of the content (``Acceptance/signatures``) are
///    tried before the others, in order. That is done only where there is no Content-Type, or it is
///    `application/octet-stream` and no member names that; another declared type is never overridden.
///
/// What each member refused, and why, is in the error; which was chosen, and why, is told as a
/// ``SerializerChoice``. Weights (``ResponseSerializer/weighted(_:)``) go into Accept and choose nothing.
///
/// ```swift
/// enum Answer { case user(User), note(String) }
/// let answer = try await client.value(for: .get("x"), as: CompoundResponseSerializer<Answer> {
///   JSONResponseSerializer(User.self).map(Answer.user)
///   TextResponseSerializer().map(Answer.note)
/// })
/// ```
///
/// A member that is a compound serializer, or one that was mapped or weighted, stands for its members.
public struct CompoundResponseSerializer<Output: Sendable>: ResponseSerializer {
  /// The members, in the order in which they are tried; none is a compound serializer.
  public let members: [any ResponseSerializer<Output>]

  /// Whether the start of content without a useful Content-Type may choose the member. Where it may, such
  /// content is collected before it is read.
  public let sniffs: Bool

  /// The names of the members.
  public let name: String

  /// What any member accepts, and content that declares no type; if it ``sniffs``, and any member has a
  /// signature, octets of any kind too, which Accept does not ask for.
  public let accepts: Acceptance

  /// A serializer over members.
  ///
  /// - Parameters:
  ///   - members: The members.
  ///   - sniffs: Whether the start of content may choose the member; what a member that is a compound
  ///     serializer says of it is not asked.
  public init(members: [any ResponseSerializer<Output>], sniffing sniffs: Bool = false) {
    let members = members.flatMap { ($0 as? any MemberedResponseSerializer<Output>)?.members ?? [$0] }
    self.members = members
    self.sniffs = sniffs
    name = "Compound(\(members.map(\.name).joined(separator: ", ")))"
    let all = members.map(\.accepts)
    accepts = Acceptance.union(of: all, sniffing: sniffs && !all.allSatisfy(\.signatures.isEmpty))
  }

  /// A serializer over members; see ``init(members:sniffing:)``.
  public init(
    sniffing sniffs: Bool = false,
    @ResponseSerializerBuilder<Output> _ members: () -> [any ResponseSerializer<Output>]
  ) {
    self.init(members: members(), sniffing: sniffs)
  }

  /// Picks members by the declared type and lets them read the body.
  ///
  /// - Throws: What the member throws, if there is one candidate. ``ExchangeError`` of kind `mediaType` if no
  ///   member accepts the declared type; of kind `serialization` with a ``CompoundRefusal`` underneath if every
  ///   one that was tried failed.
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
        .serializerChosen(
          SerializerChoice(first.member.name, mediaType: response.mediaType, reason: first.reason)
        )
      )
      return try await first.member.serialize(response)
    }
    return try await tryInOrder(candidates, response)
  }

  private func noMember(for response: Response) -> ExchangeError {
    ExchangeError(
      .mediaType,
      "no member of \(name) reads \(response.mediaType.map { "\($0)" } ?? "content of no declared type")",
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
          .serializerChosen(
            SerializerChoice(
              candidate.member.name,
              mediaType: response.mediaType,
              reason: candidate.reason,
              candidates: candidates.map(\.member.name),
              refusals: refusals
            )
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
  /// The habit of AFNetworking: members of any output, and an output to be cast by the caller.
  public init(anyOf members: any ResponseSerializer..., sniffing sniffs: Bool = false) {
    self.init(members: members.map { Self.erase($0) }, sniffing: sniffs)
  }

  private static func erase(_ member: some ResponseSerializer) -> any ResponseSerializer<any Sendable> {
    member.map { $0 as any Sendable }
  }
}
