import HTTPTypes
import StagecoachCore
import StagecoachScenarios

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The interactions of a scenario: each exchange as a request and the reply that is expected.
///
/// Of the recorded fields, Content-Type is compared, Location of a redirect, and those that a rule names.
struct ScenarioContract {
  private let scenario: Scenario
  private let source: String
  private let file: String?
  /// The lines of the exchanges in the file.
  private let lines: [Int]

  init(_ scenario: Scenario, source: String, file: String? = nil, lines: [Int] = []) {
    self.scenario = scenario
    self.source = source
    self.file = file
    self.lines = lines
  }

  /// - Throws: ``ScenarioError`` if a rule is malformed.
  func interactions() throws -> [ContractInteraction] {
    var states: [String: String] = [:]
    let mainBase = scenario.exchanges.first.map { place(of: $0.request.target).base } ?? nil
    return try scenario.exchanges.enumerated().map { index, exchange in
      var interaction = try interaction(exchange)
      interaction.file = file
      interaction.line = index < lines.count ? lines[index] : nil
      if interaction.base != mainBase {
        interaction.obstacle = interaction.obstacle ?? "it is with another origin than the first exchange"
      }
      // What an earlier exchange set needs no handler.
      interaction.states = exchange.requires.filter { states[$0.name] != $0.value }.map { state in
        let value = state.value.map { JSONValue.string($0) } ?? .null
        return ProviderState(state.name, parameters: ["value": value])
      }
      for state in exchange.sets { states[state.name] = state.value }
      return interaction
    }
  }

  private func interaction(_ exchange: Scenario.Exchange) throws -> ContractInteraction {
    let rules = try exchange.expect.map { try MatchRule($0, of: exchange.id, in: "expect") }
    let (base, path) = place(of: exchange.request.target)
    var request = exchange.request
    request.target = path
    var interaction = ContractInteraction(
      id: exchange.id,
      title: "\(request.method) \(path)",
      source: source,
      request: request,
      expected: expected(exchange, rules, base: base)
    )
    interaction.base = base
    interaction.redacted = exchange.redacted
    interaction.rules = MatchRules(rules)
    interaction.warnings = RuleCheck.unusedPlaces(of: exchange.expect, in: exchange, "expect").map(\.text)
    interaction.recordedFields = exchange.reply.head.map { FieldLine.lines(of: $0.response.headerFields) }
    interaction.obstacle = obstacle(exchange)
    if let omission = exchange.reply.body?.omission {
      interaction.comments.append("the content was not recorded and is not compared: \(omission.reason)")
    }
    return interaction
  }

  private func expected(
    _ exchange: Scenario.Exchange,
    _ rules: [MatchRule],
    base: String?
  ) -> ComparedResponse {
    let head = exchange.reply.head?.response
    var names: Set<String> = ["content-type"]
    if let status = head?.status, status.kind == .redirection { names.insert("location") }
    names.formUnion(rules.compactMap(\.headerName))
    let lines = FieldLine.lines(of: head?.headerFields ?? [:], relativeTo: base)
    let body = exchange.reply.body.flatMap { body in
      body.omission == nil
        ? ComparedBody(.bytes(body.bytes), mediaType: body.type.flatMap { MediaType($0) }) : nil
    }
    return ComparedResponse(
      status: head?.status.code,
      fields: lines.filter { names.contains($0.name.lowercased()) },
      body: body ?? .absent
    )
  }

  private func obstacle(_ exchange: Scenario.Exchange) -> String? {
    if let omission = exchange.omission { return "it was not recorded: \(omission)" }
    if let omission = exchange.request.body?.omission {
      return "the content of the request was not recorded: \(omission.reason)"
    }
    guard exchange.reply.outcome.kind != .complete || exchange.reply.head == nil else { return nil }
    return "the recorded reply is not complete (\(exchange.reply.outcome.kind.rawValue))"
  }

  /// The URL in front of a target, as its alias says or else the origin; and the rest.
  private func place(of target: String) -> (base: String?, path: String) {
    if let name = Scenario.alias(in: target) {
      let rest = String(target.dropFirst(name.utf8.count + 2))
      return (scenario.origins.first { $0.name == name }?.origin, rest.isEmpty ? "/" : rest)
    }
    guard target.contains("://"), !target.hasPrefix("/") else { return (nil, target) }
    let (origin, path) = scenario.parts(of: target)
    return (String(origin), path.first == "?" || path.isEmpty ? "/" + path : String(path))
  }
}

extension MatchRule {
  /// The name of the header field that the rule is for, in lower case.
  fileprivate var headerName: String? {
    guard part == .header, case .key(let name)? = path.steps.first else { return nil }
    return name.lowercased()
  }
}

extension FieldLine {
  /// The lines of fields. A Location below a base URL becomes relative to it, since it differs between servers.
  static func lines(of fields: HTTPFields, relativeTo base: String? = nil) -> [FieldLine] {
    fields.map { field in
      guard field.name == .location, let base, field.value.hasPrefix(base) else {
        return FieldLine(field.name.rawName, field.value)
      }
      let rest = field.value.dropFirst(base.count)
      guard rest.first.map({ "/?#".contains($0) }) ?? true else {
        return FieldLine(field.name.rawName, field.value)
      }
      return FieldLine(field.name.rawName, rest.first == "/" ? String(rest) : "/\(rest)")
    }
  }
}

extension ScenarioContract {
  /// The interactions of the scenarios in a folder and below it, in the order of their paths.
  ///
  /// - Throws: ``ScenarioError`` if there is no scenario, or if one is malformed.
  static func interactions(inAndBelow folder: String) throws -> [ContractInteraction] {
    let names = try ScenarioFolders.names(below: folder)
    guard !names.isEmpty else {
      throw ScenarioError(.file, file: folder, "there is no scenario.json in the folder or below it")
    }
    return try names.flatMap { name in
      let folder = name.isEmpty ? folder : "\(folder)/\(name)"
      let file = ScenarioFolders.manifest(in: folder)
      let scenario = try Scenario(folder: folder)
      let manifest = FileManager.default.contents(atPath: file) ?? Data()
      let lines = ManifestLines.lines(ofElementsOf: "exchanges", in: [UInt8](manifest))
      try RuleCheck.checkForms(of: scenario, in: folder)
      return try ScenarioContract(scenario, source: folder, file: file, lines: lines).interactions()
    }
  }
}
