import StagecoachCore
import Testing

@testable import StagecoachFixtures

extension FeatureWorld {
  mutating func generate(_ step: FeatureFile.Step) throws -> Bool {
    let text = step.text
    let texts = Self.quoted(text)
    if text.hasSuffix("configured with the following generators:") {
      isResponse = text.contains("response")
      for row in step.rows {
        generators += try PactGeneratorsReader().generators(try FeatureFixtures.json(row["generators"] ?? ""))
        try expected.apply(isResponse ? Self.response(row) : row, version: version)
      }
    } else if text.hasPrefix("the generator test mode is set as") {
      context.side = texts[0] == "Consumer" ? .consumer : .provider
    } else if text.contains(" is prepared for use") {
      if text.contains("context"), let cell = step.table.first?.first {
        let values = try JSONValue(parsing: cell)
        if texts[0] == "providerState" {
          context.providerState = try #require(values.objectValue)
        } else {
          context.mockServerURL = values["href"]?.stringValue
        }
      }
      let application = GeneratorApplication(generators, context: context)
      prepared.request = try application.request(expected.request)
      prepared.response = try application.response(expected.response)
    } else if text.hasPrefix("the body value for"), texts.count == 2 {
      try expectBodyValue(at: texts[0], texts[1], isType: text.contains("with a"))
    } else if texts.count == 2, text.hasPrefix("the request \"") || text.hasPrefix("the response \"") {
      let value = try #require(partValue(texts[0]))
      if text.contains("will be set as") { #expect(value == texts[1]) }
      if text.contains("will match") { #expect(try TextPattern(texts[1]).matches(value), "\(value)") }
      if text.contains("will not be") { #expect(value != texts[1]) }
    } else {
      return false
    }
    return true
  }

  /// The value of a part such as `path` or `header[X-TEST]`.
  private func partValue(_ name: String) -> String? {
    let key = name.split(separator: "[").dropFirst().first.map { String($0.dropLast()) } ?? ""
    let fields = isResponse ? prepared.response.fields : prepared.request.fields
    switch name.prefix(while: { $0 != "[" }) {
    case "path": return prepared.request.path
    case "method": return prepared.request.method
    case "status": return prepared.response.status.map(String.init)
    case "header": return fields.first { $0.name.lowercased() == key.lowercased() }?.value
    case "queryParameter": return prepared.request.query.parameters.first { $0.name == key }?.value
    default: return nil
    }
  }

  private static let patterns = [
    "integer": "\\d+", "decimal number": "\\d+\\.\\d+", "hexadecimal number": "[0-9a-fA-F]+",
    "random string": "\\w{6}", "string from the regex": "\\d{1,8}", "date": "\\d{4}-\\d{2}-\\d{2}",
    "time": "\\d{2}:\\d{2}:\\d{2}",
    "date-time": "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{1,9}[+-]\\d{4}",
    "UUID": "[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}", "simple UUID": "[0-9a-f]{32}",
    "lower-case-hyphenated UUID": "[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}",
    "upper-case-hyphenated UUID": "[0-9A-F]{8}-([0-9A-F]{4}-){3}[0-9A-F]{12}",
    "URN UUID": "urn:uuid:[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}", "boolean": "true|false",
  ]

  private func expectBodyValue(at path: String, _ wanted: String, isType: Bool) throws {
    let body = isResponse ? prepared.response.body : prepared.request.body
    guard case .bytes(let bytes) = body.content else {
      Issue.record("the body has no content")
      return
    }
    var value = try JSONValue(parsing: [UInt8](bytes))
    for step in try RulePath(path).steps {
      if case .key(let key) = step { value = try #require(value[key]) }
    }
    if isType, let pattern = Self.patterns[wanted] {
      #expect(try TextPattern(pattern).matches(value.plainText), "\(value) is not a \(wanted)")
      let isNumber = if case .number = value { true } else { false }
      #expect(isNumber == (wanted == "integer" || wanted == "decimal number"), "\(value)")
    } else {
      #expect(value.plainText == wanted)
    }
  }
}
