import Foundation
import StagecoachCore
import TestSupport
import Testing

@testable import StagecoachFixtures

/// The Pact files of consumer tests.
extension FeatureWorld {
  /// The version that the file is written in: the oldest that is written for older features.
  private var writtenVersion: ConsumerContract.Version { version == .v4 ? .v4 : .v3 }

  mutating func checkFile(_ step: FeatureFile.Step) throws -> Bool {
    let text = step.text
    let path = "\(folder.path)/pact.json"
    if text.hasPrefix("the mock server will write out a Pact file") {
      #expect(try mock?.finish(writingTo: path, as: writtenVersion) == [])
      written = try JSONValue(parsing: Data(contentsOf: URL(filePath: path)))
    } else if text.hasPrefix("the mock server will NOT write out a Pact file") {
      #expect(throws: ScenarioError.self) { try mock?.finish(writingTo: path, as: writtenVersion) }
      #expect(!FileManager.default.fileExists(atPath: path))
    } else if text.hasPrefix("the pact file will contain {") {
      let count = text.drop { $0 != "{" }.dropFirst().prefix { $0.isNumber }
      #expect(written?["interactions"]?.arrayValue?.count == Int(count))
    } else if text.hasPrefix("the {first} interaction re") {
      try checkMessage(text)
    } else if try define(integrationIn: step) {
      return true
    } else if text == "the Pact file for the test is generated" {
      var file = PactFile(consumer: "consumer", provider: "provider")
      file.entries = [.http(try #require(integration))]
      written = try JSONValue(parsing: file.serialized(as: writtenVersion).bytes)
    } else {
      return try checkInteraction(step)
    }
    return true
  }

  private func checkMessage(_ text: String) throws {
    let isRequest = text.hasPrefix("the {first} interaction request")
    let message = try #require(written?["interactions"]?[0]?[isRequest ? "request" : "response"])
    let texts = Self.quoted(text)
    if text.contains("will be for a") {
      #expect(message["method"] == .string(texts[0]))
    } else if text.contains(" document") {
      let body = version == .v4 ? message["body"]?["content"] : message["body"]
      #expect(try body == FeatureFixtures.json(texts[0]))
    } else if text.contains("content type will be") {
      #expect(message["headers"]?["Content-Type"] == .string(texts[0]))
    } else if text.contains("query parameters will be") {
      let parameters = ComparedQuery(parsing: texts[0]).parameters
      for parameter in parameters { #expect(message["query"]?[parameter.name] == [.string(parameter.value)]) }
      #expect(message["query"]?.objectValue?.members.count == parameters.count)
    } else if text.contains("will contain the header") {
      #expect(message["headers"]?[texts[0]] == .string(texts[1]))
    } else {
      throw Unsupported(step: text)
    }
  }

  // MARK: Definitions of interactions

  private mutating func define(integrationIn step: FeatureFile.Step) throws -> Bool {
    let text = step.text
    if text.hasSuffix("is being defined for a consumer test"), !text.contains("essage") {
      integration = PactInteraction(
        "integration",
        request: PactPart(ComparedRequest()),
        response: PactPart(ComparedResponse(status: 200))
      )
    } else if text.hasPrefix("a provider state \""), text.contains("is specified") {
      var state = ProviderState(Self.quoted(text)[0])
      for (name, value) in step.rows.first ?? [:] { state.parameters[name] = try JSONValue(parsing: value) }
      integration?.states.append(state)
    } else if text.hasPrefix("a key of ") {
      integration?.key = Self.quoted(text)[0]
    } else if text == "the HTTP interaction is marked as pending" {
      integration?.isPending = true
    } else if text.hasPrefix("a comment "), text.hasSuffix("is added to the HTTP interaction") {
      integration?.comments["text"] = [.string(Self.quoted(text)[0])]
    } else {
      return false
    }
    return true
  }

  private func checkInteraction(_ step: FeatureFile.Step) throws -> Bool {
    let text = step.text
    let interaction = written?["interactions"]?[0]
    let states = interaction?["providerStates"]?.arrayValue ?? []
    if text.hasPrefix("the interaction in the Pact file will contain provider state") {
      #expect(states.contains { $0["name"] == .string(Self.quoted(text)[0]) })
    } else if text.hasPrefix("the interaction in the Pact file will contain ") {
      #expect(states.count == Int(text.drop { !$0.isNumber }.prefix { $0.isNumber }))
    } else if text.hasPrefix("the provider state \""), let cell = step.rows.first?["parameters"] {
      let state = states.first { $0["name"] == .string(Self.quoted(text)[0]) }
      let expected = try JSONValue(parsing: cell)
      #expect(state?["params"]?.isEquivalent(to: expected) == true, "\(states)")
    } else if text.hasPrefix("the first interaction in the Pact file will have a type of") {
      #expect(interaction?["type"] == .string(Self.quoted(text)[0]))
    } else if text.hasPrefix("the first interaction in the Pact file will have \"") {
      let parts = text.split(separator: "'")
      try #require(parts.count == 2)
      #expect(try interaction?[Self.quoted(text)[0]] == JSONValue(parsing: parts[1]))
    } else {
      return false
    }
    return true
  }
}
