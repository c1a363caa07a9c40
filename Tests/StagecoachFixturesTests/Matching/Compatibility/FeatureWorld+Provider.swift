import HTTPTypes
import Stagecoach
import Synchronization
import Testing

@testable import StagecoachFixtures

/// A provider of the suite: what it answers, and what it was asked.
struct FeatureProvider {
  /// A call of the callback for provider states.
  struct Call: Equatable {
    let action: String
    let state: String
    let parameters: JSONObject
    /// The number of requests before it.
    let requests: Int
  }

  /// What the closures of a verification note.
  final class Log: Sendable {
    let calls = Mutex<[Call]>([])
    let requests = Mutex<[Request]>([])

    func note(_ action: String, _ state: String, _ parameters: JSONObject) {
      let count = requests.withLock(\.count)
      calls.withLock {
        $0.append(Call(action: action, state: state, parameters: parameters, requests: count))
      }
    }
  }

  struct CallbackFailure: Error {}

  var interactions: [FeatureInteraction] = []
  var hasCallback = false
  var callbackFails = false
  var fields: HTTPFields = [:]
  let log = Log()

  /// The service, which answers a request for the path of an interaction.
  var service: some Transport {
    let answers = interactions.map { (path: $0.request.path, response: $0.response) }
    return HandlerTransport { [log] request in
      log.requests.withLock { $0.append(request) }
      let path = request.head.path?.split(separator: "?").first.map(String.init)
      guard let answer = answers.first(where: { $0.path == path })?.response else {
        return Response(.notFound)
      }
      let bytes = answer.body.sent(answer.fields)
      return Response(
        .init(code: answer.status ?? 200),
        fields: try HTTPFields(answer.fields, at: ""),
        body: bytes.map { .bytes($0) } ?? .empty
      )
    }
  }

  var handler: (@Sendable (_ name: String) -> ProviderStateHandler)? {
    guard hasCallback else { return nil }
    return { [log, callbackFails] name in
      ProviderStateHandler { parameters in
        log.note("setup", name, parameters)
        if callbackFails { throw CallbackFailure() }
        return JSONObject()
      } tearDown: { parameters in
        log.note("teardown", name, parameters)
      }
    }
  }
}

/// The verification of providers.
extension FeatureWorld {
  mutating func verify(_ step: FeatureFile.Step) async throws -> Bool {
    let text = step.text
    if text.hasPrefix("a provider is started that returns the response") {
      provider.interactions = try Self.numbers(text, after: "interaction").map { number in
        var interaction = try interaction(number)
        for row in step.rows { try interaction.apply(Self.response(row), version: version) }
        return interaction
      }
    } else if text.hasPrefix("a Pact file for interaction"), !text.contains("broker") {
      toVerify.append(try file(for: step))
    } else if text.hasPrefix("a provider state callback is configured") {
      provider.hasCallback = true
      provider.callbackFails = text.hasSuffix("but will return a failure")
    } else if text.hasPrefix("a request filter is configured") {
      for row in step.rows {
        provider.fields = try HTTPFields(FeatureFixtures.fields(row["headers"] ?? ""), at: "")
      }
    } else if text == "the verification is run" {
      guard !toVerify.isEmpty else { throw Unsupported(step: text) }
      var verification = Verification(
        toVerify.flatMap(\.interactions),
        against: provider.service,
        base: "http://provider"
      )
      verification.fields = provider.fields
      verification.otherStates = provider.handler
      report = try await verification.run()
    } else {
      return false
    }
    return true
  }

  /// The file of an interaction, written and read again.
  private func file(for step: FeatureFile.Step) throws -> PactFile {
    let text = step.text
    let number = Self.numbers(text, after: "interaction").first ?? ""
    var interaction = try interaction(number).pact("interaction \(number)")
    if text.contains("with a provider state \"") {
      interaction.states = [ProviderState(Self.quoted(text)[0])]
    }
    interaction.isPending = text.hasSuffix("is marked pending")
    for row in step.rows {
      if let name = row["State Name"] {
        let parameters = try row["Parameters"].map { try JSONValue(parsing: $0).objectValue ?? [:] } ?? [:]
        interaction.states.append(ProviderState(name, parameters: parameters))
      } else if let comment = row["comment"] {
        let texts = interaction.comments["text"]?.arrayValue ?? []
        let isText = row["type"] == "text"
        interaction.comments[isText ? "text" : "testname"] =
          isText ? .array(texts + [.string(comment)]) : .string(comment)
      }
    }
    var file = PactFile(consumer: "consumer", provider: "provider", version: version)
    file.entries = [.http(interaction)]
    let (bytes, losses) = try file.serialized(as: version == .v4 ? .v4 : .v3)
    #expect(losses == [])
    return try PactFile(contents: bytes, path: "pact-\(number).json")
  }

  func checkProvider(_ step: FeatureFile.Step) throws -> Bool {
    let text = step.text
    let texts = Self.quoted(text)
    if text == "the verification will be successful" {
      #expect(report?.isAgreed == true, "\(report.map { "\($0.exchanges.map(\.differences))" } ?? "")")
    } else if text == "the verification will NOT be successful" {
      #expect(report?.isAgreed == false)
    } else if text.hasPrefix("the verification results will contain a")
      || text.hasPrefix("there will be a pending")
    {
      try expectDifference(texts[0], isPending: text.contains("pending"))
    } else if text.hasPrefix("a warning will be displayed that there was no provider state callback") {
      let warning = "there is no handler for the provider state \"\(texts[0])\""
      #expect(report?.exchanges.contains { $0.warnings.contains(warning) } == true)
    } else if text.hasPrefix("the request to the provider will contain the header") {
      let field = try #require(try HTTPFields(FeatureFixtures.fields("'\(texts[0])'"), at: "").first)
      let requests = provider.log.requests.withLock { $0 }
      #expect(!requests.isEmpty && requests.allSatisfy { $0.fields[field.name] == field.value })
    } else if text.hasPrefix("the comment ") {
      #expect(report?.exchanges.contains { $0.comments.contains(texts[0]) } == true)
    } else if text.hasSuffix("displayed as the original test name") {
      #expect(report?.exchanges.contains { $0.comments.contains("test: \(texts[0])") } == true)
    } else if text.hasPrefix("the provider state callback will") {
      try checkCallback(step)
    } else {
      return false
    }
    return true
  }

  private func expectDifference(_ error: String, isPending: Bool) throws {
    let exchanges = try #require(report).exchanges
    let differences = exchanges.filter { $0.outcome == (isPending ? .pending : .broken) }.flatMap(
      \.differences
    )
    let isThere = differences.filter(\.isMismatch).contains { difference in
      switch error {
      case "Response status did not match": difference.place == "status"
      case "Headers had differences": difference.place.hasPrefix("header ")
      case "Body had differences": difference.place.hasPrefix("body")
      default: difference.message.hasPrefix(error)
      }
    }
    #expect(isThere, "no \"\(error)\" in \(differences)")
  }

  private func checkCallback(_ step: FeatureFile.Step) throws {
    let text = step.text
    let calls = provider.log.calls.withLock { $0 }
    let action = text.contains("teardown") || text.contains("called after") ? "teardown" : "setup"
    let found = calls.filter { $0.action == action }
    if text.contains("NOT receive") {
      #expect(found.isEmpty)
    } else if text.contains("will be called") {
      #expect(!found.isEmpty && found.allSatisfy { $0.requests == (action == "setup" ? 0 : 1) }, "\(calls)")
    } else {
      var parameters = JSONObject()
      for (name, value) in step.rows.first ?? [:] { parameters[name] = try JSONValue(parsing: value) }
      let isThere = found.contains { call in
        call.state == Self.quoted(text)[0]
          && (step.rows.isEmpty
            || JSONValue.object(call.parameters).isEquivalent(to: .object(parameters)))
      }
      #expect(isThere, "\(calls)")
    }
  }
}
