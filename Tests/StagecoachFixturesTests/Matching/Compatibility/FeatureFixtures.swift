import Foundation
import StagecoachCore

@testable import StagecoachFixtures

/// The values of cells in .feature files, which may name files.
enum FeatureFixtures {
  static func file(_ name: String) throws -> [UInt8] {
    try PactFiles.contents(of: "fixtures/\(name)", in: PactFiles.compatibility)
  }

  static func json(_ cell: String) throws -> JSONValue {
    if cell.hasPrefix("JSON:") { return try JSONValue(parsing: String(cell.dropFirst(5))) }
    return try JSONValue(parsing: file(cell.hasPrefix("file: ") ? String(cell.dropFirst(6)) : cell))
  }

  /// A body and its media type; a plain text has none.
  static func body(_ cell: String) throws -> (body: ComparedBody, type: String?) {
    if cell == "EMPTY" { return (ComparedBody(.empty), nil) }
    if cell.hasPrefix("JSON:") {
      return (ComparedBody(.bytes(Bytes(trimmed(cell.dropFirst(5))))), "application/json")
    }
    if cell.hasPrefix("XML:") {
      return (ComparedBody(.bytes(Bytes(trimmed(cell.dropFirst(4))))), "application/xml")
    }
    guard cell.hasPrefix("file:") else { return (ComparedBody(.bytes(Bytes(cell))), nil) }
    let name = trimmed(cell.dropFirst(5))
    let bytes = try file(name)
    if name.hasSuffix("-body.xml") { return wrapped(String(decoding: bytes, as: UTF8.self)) }
    let type =
      switch name.split(separator: ".").last {
      case "json": "application/json"
      case "jpg": "image/jpeg"
      case "pdf": "application/pdf"
      default: "application/octet-stream"
      }
    return (ComparedBody(.bytes(Bytes(bytes))), type)
  }

  /// A body in an XML wrapper.
  private static func wrapped(_ text: String) -> (body: ComparedBody, type: String?) {
    let type = trimmed(part(of: text, from: "<contentType>", to: "</contentType>"))
    let tag = part(of: text, from: "<contents", to: ">")
    var contents = part(of: text, from: "<contents\(tag)>", to: "</contents>")
    if contents.contains("<![CDATA[") { contents = part(of: contents, from: "<![CDATA[", to: "]]>") }
    if tag.contains("base64") { return (ComparedBody(.bytes(Bytes(base64: contents) ?? "")), type) }
    if tag.contains("CRLF") { contents = contents.replacing("\n", with: "\r\n") }
    return (ComparedBody(.bytes(Bytes(contents))), type)
  }

  private static func part(of text: String, from start: String, to end: String) -> String {
    guard let start = text.firstRange(of: start), let end = text[start.upperBound...].firstRange(of: end)
    else {
      return ""
    }
    return String(text[start.upperBound..<end.lowerBound])
  }

  static func trimmed(_ text: some StringProtocol) -> String { String(text).trimmed }

  /// Header fields such as `'X-Test: 1', 'X-Test: 2'`.
  static func fields(_ cell: String) -> [FieldLine] {
    cell.split(separator: "'").compactMap { part in
      guard let colon = part.firstIndex(of: ":") else { return nil }
      return FieldLine(trimmed(part[..<colon]), trimmed(part[part.index(after: colon)...]))
    }
  }
}

/// An interaction of a .feature file.
struct FeatureInteraction {
  var request = ComparedRequest()
  var response = ComparedResponse(status: 200)
  var requestRules: MatchRules = []
  var responseRules: MatchRules = []
  private var requestRuleGroups = JSONObject()
  private var responseRuleGroups = JSONObject()

  /// Sets what a row of a table has.
  mutating func apply(_ row: [String: String], version: PactVersion) throws {
    let reader = PactRulesReader()
    for (column, cell) in row {
      switch column {
      case "method": request.method = cell
      case "path": request.path = cell
      case "query": request.query = ComparedQuery(parsing: cell)
      case "headers", "raw headers": request.fields = Self.fields(cell, of: request.fields)
      case "matching rules":
        requestRules = try reader.rules(try FeatureFixtures.json(cell))
        requestRuleGroups = try reader.groups(try FeatureFixtures.json(cell))
      case "response", "status": response.status = Int(cell)
      case "response headers": response.fields = Self.fields(cell, of: response.fields)
      case "response matching rules":
        responseRules = try reader.rules(try FeatureFixtures.json(cell))
        responseRuleGroups = try reader.groups(try FeatureFixtures.json(cell))
      default: break
      }
    }
    if let cell = row["body"] { try Self.set(&request.body, &request.fields, cell) }
    if let cell = row["response body"] { try Self.set(&response.body, &response.fields, cell) }
    for type in [row["content type"], row["response content"]].compactMap({ $0 }) {
      if row["content type"] != nil {
        Self.set(&request.fields, type)
      } else {
        Self.set(&response.fields, type)
      }
    }
  }

  /// The interaction of a Pact file.
  func pact(_ description: String, states: [ProviderState] = []) -> PactInteraction {
    PactInteraction(
      description,
      states: states,
      request: PactPart(request, rules: requestRuleGroups),
      response: PactPart(response, rules: responseRuleGroups)
    )
  }

  /// The fields of a cell, with the Content-Type of the fields before.
  private static func fields(_ cell: String, of before: [FieldLine]) -> [FieldLine] {
    let fields = FeatureFixtures.fields(cell)
    let hasType = !fields.values(of: "content-type").isEmpty
    return fields + (hasType ? [] : before.filter { $0.name.lowercased() == "content-type" })
  }

  static func set(_ body: inout ComparedBody, _ fields: inout [FieldLine], _ cell: String) throws {
    let (value, type) = try FeatureFixtures.body(cell)
    body = value
    if let type { set(&fields, type) }
  }

  private static func set(_ fields: inout [FieldLine], _ type: String) {
    fields.removeAll { $0.name.lowercased() == "content-type" }
    fields.append(FieldLine("Content-Type", type))
  }
}
