import HTTPTypes
package import StagecoachCore
import Synchronization

/// The provider in the test of a consumer: a transport that answers from the interactions of a Pact file.
///
/// A request is compared strictly with every interaction. One that is met answers, with its generated values; if none
/// is, the answer is 500 with the differences. Unlike ``ReplayTransport``, no request fails, and an interaction answers
/// any number of times.
package final class PactMock: Transport {
  /// What became of a request.
  package enum Outcome: Sendable, Hashable {
    /// An interaction answered.
    case matched(PactInteraction)
    /// An interaction has the same method and path, but other parts differ.
    case mismatched(PactInteraction, [Mismatch])
    /// No interaction has the method and the path.
    case unexpected(ComparedRequest)
  }

  private struct Expectation: Sendable {
    let interaction: PactInteraction
    /// The path as it is sent, if that differs.
    let encodedPath: String
    let comparison: MessageComparison
    let generators: [GeneratorRule]
  }

  /// The bytes of a request body that are read to compare it.
  private static let bodyLimit = 64 << 20
  /// The outcomes that are remembered.
  private static let maxOutcomes = 100_000

  package let file: PactFile
  package let capabilities: TransportCapabilities = [.streamsRequestBodies]
  private let expectations: [Expectation]
  private let context: GeneratorContext
  private let received = Mutex<[Outcome]>([])

  /// - Parameter context: The inputs of the generators of responses.
  /// - Throws: ``ScenarioError`` if an interaction is malformed.
  package init(_ file: PactFile, context: GeneratorContext = GeneratorContext(side: .consumer))
    throws(ScenarioError)
  {
    self.file = file
    self.context = context
    var expectations: [Expectation] = []
    for interaction in file.requests {
      do throws(PactFormatError) {
        if let obstacle = interaction.obstacle { throw PactFormatError("its rules", obstacle) }
        expectations.append(
          Expectation(
            interaction: interaction,
            encodedPath: interaction.request.message.encodedPath,
            comparison: MessageComparison(
              rules: try file.rulesReader.rules(.object(interaction.request.rules)),
              comparesQueryText: file.version.comparesQueryText
            ),
            generators: try PactGeneratorsReader().generators(.object(interaction.response.generators))
          )
        )
      } catch {
        throw ScenarioError(
          .invalid,
          file: file.path,
          line: interaction.line,
          "\"\(interaction.description)\": \(error)"
        )
      }
    }
    self.expectations = expectations
  }

  /// What became of the requests, in their order.
  package var outcomes: [Outcome] { received.withLock { $0 } }

  package func send(_ request: Request) async throws -> Response {
    try Task.checkCancellation()
    let live = LiveRequest(request, body: try await request.content(upTo: Self.bodyLimit)).compared
    let (outcome, expectation) = outcome(of: live)
    received.withLock { if $0.count < Self.maxOutcomes { $0.append(outcome) } }
    guard let expectation else { return Self.refusal(outcome, live) }
    var context = context
    if context.mockServerURL == nil {
      context.mockServerURL = "\(request.head.scheme ?? "http")://\(request.head.authority ?? "localhost")"
    }
    let application = GeneratorApplication(expectation.generators, context: context)
    let message = try application.response(expectation.interaction.response.message)
    return try Self.response(message)
  }

  private func outcome(of live: ComparedRequest) -> (outcome: Outcome, expectation: Expectation?) {
    var best: (score: Int, outcome: Outcome)?
    for expectation in expectations {
      let expected = expectation.interaction.request.message
      var received = live
      if live.path == expectation.encodedPath { received.path = expected.path }
      let mismatches = expectation.comparison.mismatches(expected, received)
      guard !mismatches.isEmpty else { return (.matched(expectation.interaction), expectation) }
      guard !mismatches.contains(where: { $0.kind == .method || $0.kind == .path }) else { continue }
      // Each part that agrees counts for the candidate, and each difference against it.
      let parts = 2 + expected.query.parameters.count + expected.fields.count
      let score = parts - 2 * mismatches.count
      if best.map({ score > $0.score }) ?? true {
        best = (score, .mismatched(expectation.interaction, mismatches))
      }
    }
    return (best?.outcome ?? .unexpected(live), nil)
  }

  // MARK: Answers

  private static func response(_ message: ComparedResponse) throws -> Response {
    var fields = try HTTPFields(message.fields, at: "response.headers")
    let bytes = message.body.sent(message.fields)
    if bytes != nil { fields.addType(of: message.body) }
    let status = message.status ?? 200
    guard (200...999).contains(status) else {
      throw PactFormatError("response.status", "\(status) is not the status of a final response")
    }
    return Response(
      HTTPResponse.Status(code: status),
      fields: fields,
      body: bytes.map { .bytes($0) } ?? .empty
    )
  }

  private static func refusal(_ outcome: Outcome, _ live: ComparedRequest) -> Response {
    var fields: HTTPFields = [.contentType: "application/json; charset=utf-8"]
    var object: JSONObject = ["error": .string(outcome.sentence ?? "")]
    if case .mismatched(_, let mismatches) = outcome, let name = HTTPField.Name("X-Pact") {
      fields[name] = "Request-Mismatch"
      object["mismatches"] = .array(mismatches.map { .string($0.description) })
    }
    return Response(
      .internalServerError,
      fields: fields,
      body: .bytes(Bytes(JSONValue.object(object).serialized()))
    )
  }

  // MARK: The end of a test

  /// What was wrong: requests with differences, requests that were not expected, and interactions that were not asked
  /// for; a sentence each. Empty if all is well.
  package var problems: [String] {
    let outcomes = outcomes
    var used: Set<PactInteraction> = []
    for case .matched(let interaction) in outcomes { used.insert(interaction) }
    return outcomes.compactMap(\.sentence)
      + file.requests.filter { !used.contains($0) }.map { interaction in
        let request = interaction.request.message
        return
          "Expected request \(request.method) \(request.path) (\"\(interaction.description)\") was not received"
      }
  }

  /// Writes the interactions to a Pact file, as the end of a passing test.
  ///
  /// - Returns: What the version cannot hold, a sentence each.
  /// - Throws: ``ScenarioError`` of kind `incomplete` if there are ``problems``, and what writing throws.
  package func finish(
    writingTo path: String,
    as version: ConsumerContract.Version
  ) throws(ScenarioError) -> [String] {
    let problems = problems
    guard problems.isEmpty else {
      throw ScenarioError(
        .incomplete,
        file: path,
        "the file is not written: " + problems.joined(separator: "; ")
      )
    }
    return try file.write(to: path, as: version)
  }
}

extension PactMock.Outcome {
  /// What is wrong; `nil` for a request that was answered.
  package var sentence: String? {
    switch self {
    case .matched: return nil
    case .mismatched(let interaction, let mismatches):
      let request = interaction.request.message
      let list = mismatches.map(\.description).joined(separator: "; ")
      return "Request \(request.method) \(request.path) did not match \"\(interaction.description)\": \(list)"
    case .unexpected(let request):
      return "Unexpected request was received: \(request.method) \(request.path)"
    }
  }
}
