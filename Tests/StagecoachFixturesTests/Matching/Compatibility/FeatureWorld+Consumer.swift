import Foundation
import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachFixtures

/// The mock server of consumer tests.
extension FeatureWorld {
  mutating func serve(_ step: FeatureFile.Step) async throws -> Bool {
    let text = step.text
    if text.hasPrefix("the mock server is started with interaction") {
      var file = PactFile(consumer: "consumer", provider: "provider", version: version)
      for number in Self.numbers(text, after: "interaction") {
        var interaction = try interaction(number)
        for row in step.rows { try interaction.apply(row, version: version) }
        file.entries.append(.http(interaction.pact("interaction \(number)")))
      }
      mock = try PactMock(file, context: GeneratorContext(side: .consumer))
    } else if text.hasPrefix("request "), text.contains("is made to the mock server") {
      var sent = try interaction(String(text.dropFirst(8).prefix { $0.isNumber }))
      for row in step.rows { try sent.apply(row, version: version) }
      let outgoing = try sent.pact("").outgoingRequest()
      let method = try #require(HTTPRequest.Method(outgoing.method))
      let body = outgoing.body.map { Request.Body.bytes($0.bytes) } ?? .empty
      let request = Request(method, "http://mock" + outgoing.target, fields: outgoing.fields, body: body)
      let response = try await Pipeline(over: try #require(mock)) {}.send(request)
      self.response = (response.head, try await response.body.collect(upTo: 1 << 20))
      for case .mismatched(_, let found) in try #require(mock).outcomes { mismatches += found }
    } else if text == "a 200 success response is returned" {
      #expect(response?.head.status == .ok, "\(mismatches)")
    } else if text == "a 500 error response is returned" {
      #expect(response?.head.status == .internalServerError)
      let isMismatch = response?.head.headerFields.contains { $0.value == "Request-Mismatch" }
      #expect(isMismatch == !mismatches.isEmpty)
    } else if text.hasPrefix("the payload will contain the ") {
      let json = try FeatureFixtures.json("\(Self.quoted(text)[0]).json")
      #expect(try JSONValue(parsing: try #require(response).body.array) == json)
    } else if text.hasPrefix("the content type will be set as") {
      #expect(response?.head.headerFields[.contentType] == Self.quoted(text)[0])
    } else if text == "the mock server status will be OK" {
      #expect(mock?.problems == [])
    } else if text == "the mock server status will NOT be OK" {
      #expect(mock?.problems.isEmpty == false)
    } else if text == "the mock server status will be mismatches" {
      #expect(!mismatches.isEmpty)
    } else if text.hasPrefix("the mock server status will be an ") {
      try expectProblem(text)
    } else if text.replacing("response mismatches", with: "mismatches")
      .hasPrefix("the mismatches will contain a \"")
    {
      let texts = Self.quoted(text)
      let path = text.contains("with path") ? texts[1] : nil
      expectMismatch(kind: texts[0], path: path, message: texts[texts.count - 1])
    } else {
      return text == "the pact test is done"
    }
    return true
  }

  private func expectProblem(_ text: String) throws {
    let number = text.split(separator: "{").dropFirst().first.map { String($0.prefix { $0 != "}" }) }
    let named = try number.map { try interaction($0).request }
    let problems = try #require(mock).problems
    if text.contains("expected but not received") {
      let request = try #require(named)
      let start = "Expected request \(request.method) \(request.path) "
      #expect(problems.contains { $0.hasPrefix(start) && $0.hasSuffix("was not received") }, "\(problems)")
    } else {
      let texts = Self.quoted(text)
      let problem = "Unexpected request was received: \(texts[0]) \(named?.path ?? texts[1])"
      #expect(problems.contains(problem), "\(problems)")
    }
  }
}
