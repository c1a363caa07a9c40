import StagecoachCore
import Testing

@testable import StagecoachFixtures

/// Runs the steps of a scenario that concern comparisons and generators.
struct FeatureWorld {
  /// A step that is about something else, such as a broker or a file.
  struct Unsupported: Error {
    let step: String
  }

  let version: PactVersion
  var interactions: [String: FeatureInteraction] = [:]
  var started: [FeatureInteraction] = []
  var expected = FeatureInteraction()
  var actual: [FeatureInteraction] = []
  var mismatches: [Mismatch] = []
  var isAnswered = false
  var toVerify: [FeatureInteraction] = []
  var generators: [GeneratorRule] = []
  var isResponse = false
  var prepared = FeatureInteraction()
  var context = GeneratorContext(randomSource: SeededRandom(seed: 42))

  init(version: PactVersion) {
    self.version = version
  }

  mutating func run(_ step: FeatureFile.Step) throws {
    if try define(step) { return }
    if try serve(step) { return }
    if try verify(step) { return }
    if try compare(step) { return }
    if try generate(step) { return }
    if Self.isIgnored(step.text) { return }
    throw Unsupported(step: step.text)
  }

  /// Steps about the Pact file and the end of a mock server.
  private static func isIgnored(_ text: String) -> Bool {
    [
      "the pact file will contain", "the {first} interaction", "the mock server will",
      "the pact test is done",
      "the mock server status will be an", "the payload will contain", "the content type will be set",
    ].contains { text.hasPrefix($0) }
  }

  // MARK: Definitions

  private mutating func define(_ step: FeatureFile.Step) throws -> Bool {
    guard step.text.hasPrefix("the following HTTP interactions have been") else { return false }
    for row in step.rows {
      var interaction = FeatureInteraction()
      try interaction.apply(row, version: version)
      interactions[row["No"] ?? ""] = interaction
    }
    return true
  }

  func interaction(_ number: String) throws -> FeatureInteraction {
    try #require(interactions[number.trimmed], "there is no interaction \(number)")
  }

  /// The texts in double quotes, without escapes.
  static func quoted(_ text: String) -> [String] {
    var parts: [String] = []
    var isOpen = false
    var isEscaped = false
    for character in text {
      if character == "\"", !isEscaped {
        isOpen.toggle()
        if isOpen { parts.append("") }
      } else if isOpen {
        if isEscaped, character == "\"" { parts[parts.count - 1].removeLast() }
        parts[parts.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return parts
  }

  /// The numbers of a step such as `... interactions "1, 2"` or `... interaction 1, with ...`.
  static func numbers(_ text: String, after word: String) -> [String] {
    guard let start = text.firstRange(of: word) else { return [] }
    let rest = text[start.upperBound...].drop { $0 == "s" || $0 == " " || $0 == "\"" }
    return rest.prefix { $0.isNumber || $0 == "," || $0 == " " }.split(separator: ",").map {
      String($0).trimmed
    }
    .filter { !$0.isEmpty }
  }

  // MARK: Mock server

  private mutating func serve(_ step: FeatureFile.Step) throws -> Bool {
    if step.text.hasPrefix("the mock server is started with interaction") {
      started = try Self.numbers(step.text, after: "interaction").map { number in
        var interaction = try interaction(number)
        for row in step.rows { try interaction.apply(row, version: version) }
        return interaction
      }
    } else if step.text.hasPrefix("request "), step.text.contains("is made to the mock server") {
      var received = try interaction(String(step.text.dropFirst(8).prefix { $0.isNumber }))
      for row in step.rows { try received.apply(row, version: version) }
      let results = started.map { interaction in
        MessageComparison(rules: interaction.requestRules, comparesQueryText: version.comparesQueryText)
          .mismatches(interaction.request, received.request)
      }
      isAnswered = results.contains { $0.isEmpty }
      mismatches = results.flatMap { $0 }
    } else if step.text == "a 200 success response is returned" {
      #expect(isAnswered, "\(mismatches)")
    } else if step.text == "a 500 error response is returned" {
      #expect(!isAnswered)
    } else if step.text == "the mock server status will be OK" {
      #expect(isAnswered)
    } else if step.text == "the mock server status will be mismatches" {
      #expect(!mismatches.isEmpty)
    } else if step.text.hasPrefix("the mismatches will contain a \"") {
      let texts = Self.quoted(step.text)
      let path = step.text.contains("with path") ? texts[1] : nil
      expectMismatch(kind: texts[0], path: path, message: texts[texts.count - 1])
    } else {
      return step.text == "the mock server status will NOT be OK"
    }
    return true
  }

  func expectMismatch(kind: String?, path: String?, message: String) {
    // Texts about media types are regular expressions in part.
    let pattern = message.replacing("\\s*", with: "")
    let found = mismatches.contains { mismatch in
      (kind == nil || mismatch.kind.rawValue == kind)
        && (path == nil || mismatch.path.lowercased() == path?.lowercased())
        && (mismatch.message == message || mismatch.message == pattern)
    }
    #expect(found, "no \(kind ?? "") mismatch \(path ?? "") \(message) in \(mismatches)")
  }

  // MARK: Provider

  private mutating func verify(_ step: FeatureFile.Step) throws -> Bool {
    if step.text.hasPrefix("a provider is started that returns the response") {
      started = try Self.numbers(step.text, after: "interaction").map { number in
        var interaction = try interaction(number)
        for row in step.rows { try interaction.apply(row, version: version) }
        return interaction
      }
    } else if step.text.hasPrefix("a Pact file for interaction"), step.text.hasSuffix("is to be verified") {
      toVerify += try Self.numbers(step.text, after: "interaction").map { try interaction($0) }
    } else if step.text == "the verification is run" {
      guard !toVerify.isEmpty else { throw Unsupported(step: step.text) }
      for interaction in toVerify {
        let answer =
          started.first { $0.request.path == interaction.request.path }?.response
          ?? ComparedResponse(status: 404)
        mismatches += MessageComparison(rules: interaction.responseRules).mismatches(
          interaction.response,
          answer
        )
      }
    } else if step.text == "the verification will be successful" {
      #expect(mismatches.isEmpty)
    } else if step.text == "the verification will NOT be successful" {
      #expect(!mismatches.isEmpty)
    } else if step.text.hasPrefix("the verification results will contain a") {
      let kinds: [String: Set<Mismatch.Kind>] = [
        "Response status did not match": [.status], "Headers had differences": [.header],
        "Body had differences": [.body, .bodyContentType],
      ]
      let kind = try #require(kinds[Self.quoted(step.text)[0]])
      #expect(mismatches.contains { kind.contains($0.kind) }, "\(mismatches)")
    } else {
      return false
    }
    return true
  }

  // MARK: Comparisons

  private mutating func compare(_ step: FeatureFile.Step) throws -> Bool {
    let text = step.text
    let kind = text.contains("response") ? "response" : "request"
    if text.hasSuffix("configured with the following:"), text.hasPrefix("an expected") {
      isResponse = kind == "response"
      for row in step.rows { try expected.apply(isResponse ? Self.response(row) : row, version: version) }
    } else if text.hasPrefix("an expected request with a"), Self.quoted(text).count == 2 {
      expected.request.fields.append(FieldLine(Self.quoted(text)[0], Self.quoted(text)[1]))
    } else if text.hasPrefix("a request is received with a"), Self.quoted(text).count == 2 {
      var received = FeatureInteraction()
      received.request.fields.append(FieldLine(Self.quoted(text)[0], Self.quoted(text)[1]))
      actual.append(received)
    } else if text.hasPrefix("a status "), text.hasSuffix("response is received") {
      isResponse = true
      var received = FeatureInteraction()
      received.response.status = Int(text.dropFirst(9).prefix { $0.isNumber })
      actual.append(received)
    } else if text.hasSuffix("received with the following:") || text.hasSuffix("are received:") {
      for row in step.rows {
        var received = FeatureInteraction()
        received.request = expected.request
        received.request.body = .absent
        received.response.fields = expected.response.fields
        try received.apply(isResponse ? Self.response(row) : row, version: version)
        actual.append(received)
      }
    } else if text.hasSuffix("compared to the expected one") {
      let comparison = MessageComparison(rules: isResponse ? expected.responseRules : expected.requestRules)
      for received in actual {
        mismatches +=
          isResponse
          ? comparison.mismatches(expected.response, received.response)
          : comparison.mismatches(expected.request, received.request)
      }
    } else if text.hasSuffix("comparison should be OK") {
      #expect(mismatches.isEmpty)
    } else if text.hasSuffix("comparison should NOT be OK") {
      #expect(!mismatches.isEmpty)
    } else if text.contains("mismatches will contain a mismatch with error"), Self.quoted(text).count == 2 {
      expectMismatch(kind: nil, path: Self.quoted(text)[0], message: Self.quoted(text)[1])
    } else {
      return false
    }
    return true
  }

  /// The row of a response, whose columns have short names.
  static func response(_ row: [String: String]) -> [String: String] {
    Dictionary(
      row.map { key, value in
        switch key {
        case "body", "headers", "matching rules": ("response \(key)", value)
        case "content type": ("response content", value)
        default: (key, value)
        }
      }
    ) { $1 }
  }
}
