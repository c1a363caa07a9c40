import HTTPTypes
import StagecoachCore
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Runs the steps of a scenario.
struct FeatureWorld {
  /// A step that is about something else, such as a broker or a message.
  struct Unsupported: Error {
    let step: String
  }

  let version: PactVersion
  var interactions: [String: FeatureInteraction] = [:]
  var started: [FeatureInteraction] = []
  var expected = FeatureInteraction()
  var actual: [FeatureInteraction] = []
  var mismatches: [Mismatch] = []
  // The mock server of a consumer test, and the file that it writes.
  var mock: PactMock?
  var response: (head: HTTPResponse, body: Bytes)?
  var integration: PactInteraction?
  var written: JSONValue?
  // The provider, and what is verified of it.
  var toVerify: [PactFile] = []
  var provider = FeatureProvider()
  var report: VerificationReport?
  var generators: [GeneratorRule] = []
  var isResponse = false
  var prepared = FeatureInteraction()
  var context = GeneratorContext(randomSource: SeededRandom(seed: 42))

  let folder: ScratchDirectory

  init(version: PactVersion) throws {
    self.version = version
    folder = try ScratchDirectory()
  }

  mutating func run(_ step: FeatureFile.Step) async throws {
    if try define(step) { return }
    if try await serve(step) { return }
    if try checkFile(step) { return }
    if try await verify(step) { return }
    if try checkProvider(step) { return }
    if try compare(step) { return }
    if try generate(step) { return }
    throw Unsupported(step: step.text)
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

  /// The suite names the beginning of some messages only.
  private func expectMismatch(at path: String, containing message: String) {
    let texts = [message, message.replacing("\\s*", with: "")]
    let found = mismatches.contains { mismatch in
      mismatch.path.lowercased() == path.lowercased() && texts.contains { mismatch.message.contains($0) }
    }
    #expect(found, "no mismatch \(path) \(message) in \(mismatches)")
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
      expectMismatch(at: Self.quoted(text)[0], containing: Self.quoted(text)[1])
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
