import HTTPTypes
import StagecoachCore
import StagecoachScenarios
import StagecoachXML

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds rules of a scenario that are malformed, and rules for places that the recorded message does not have, which
/// change nothing.
struct RuleCheck {
  /// A rule that is wrong.
  struct Finding {
    /// The place of the rule in the manifest.
    let path: [ManifestNode.Step]
    let text: String
    let isMalformed: Bool

    /// The finding with the manifest and the line.
    ///
    /// - Parameter folder: The folder of the scenario, or a file `.http`.
    func error(in folder: String) -> ScenarioError {
      let file = ScenarioFolders.manifest(in: folder)
      guard let manifest = FileManager.default.contents(atPath: file) else {
        return ScenarioError(.invalid, file: folder, text)
      }
      let line = ManifestLines.line(of: path, in: [UInt8](manifest))
      return ScenarioError(.invalid, file: file, line: line, text)
    }
  }

  /// The file of errors whose scenario has no folder.
  static let file = "scenario.json"

  /// What is wrong, in the order of the manifest.
  private(set) var findings: [Finding] = []

  /// - Parameter onlyForms: Whether the recorded messages are not looked at.
  init(_ scenario: Scenario, onlyForms: Bool = false) {
    // No single exchange has to have the place of a rule for all of them.
    add(scenario.defaults, of: "defaults", [.key("defaults")], named: "rules", unused: [])
    for (index, exchange) in scenario.exchanges.enumerated() {
      for (name, rules) in [("match", exchange.match), ("expect", exchange.expect)] {
        let path: [ManifestNode.Step] = [.key("exchanges"), .index(index), .key(name)]
        add(
          rules,
          of: exchange.id,
          path,
          named: name,
          unused: onlyForms ? [] : Self.unusedPlaces(of: rules, in: exchange, name)
        )
      }
    }
  }

  /// - Throws: ``ScenarioError`` for the first rule that is malformed.
  static func checkForms(of scenario: Scenario, in folder: String) throws(ScenarioError) {
    if let finding = RuleCheck(scenario, onlyForms: true).findings.first { throw finding.error(in: folder) }
  }

  private mutating func add(
    _ rules: [Scenario.Rule],
    of exchange: String,
    _ path: [ManifestNode.Step],
    named name: String,
    unused: [(place: String, text: String)]
  ) {
    for rule in rules {
      let path = path + [.key(rule.place)]
      do {
        _ = try MatchRule(rule, of: exchange, in: name)
        if let text = unused.first(where: { $0.place == rule.place })?.text {
          findings.append(Finding(path: path, text: text, isMalformed: false))
        }
      } catch {
        let text = (error as? ScenarioError)?.message ?? "\(error)"
        findings.append(Finding(path: path, text: text, isMalformed: true))
      }
    }
  }

  /// The rules for places that the recorded request or reply does not have, with a sentence each.
  ///
  /// - Parameter list: `match` for rules of the request, `expect` for those of the reply.
  static func unusedPlaces(
    of rules: [Scenario.Rule],
    in exchange: Scenario.Exchange,
    _ list: String
  ) -> [(place: String, text: String)] {
    guard !rules.isEmpty else { return [] }
    let isRequest = list == "match"
    let recorded = isRequest ? exchange.request.body : exchange.reply.body
    let fields = isRequest ? exchange.request.fields : exchange.reply.head?.response.headerFields ?? [:]
    let query = exchange.request.target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let parameters = ComparedQuery(parsing: query.prefix { $0 != "#" }).parameters
    let content = RecordedContent(recorded, fields.contentType)
    return rules.compactMap { rule in
      guard let (part, path) = try? MatchRule.place(of: rule.place) else { return nil }
      let isThere =
        switch part {
        case .method, .path, .status, .metadata: true
        case .query: !isRequest || path.isMet(by: parameters.map(\.name))
        case .header: path.isMet(by: fields.map(\.name.rawName), isCaseSensitive: false)
        case .body: content.hasValue(at: path)
        }
      guard !isThere else { return nil }
      return (
        rule.place,
        "\(list) of exchange \(exchange.id): \(rule.place): the recorded \(isRequest ? "request" : "reply") has no "
          + "such place, so the rule changes nothing"
      )
    }
  }
}

/// Recorded content, in which a rule has a place or none.
private enum RecordedContent {
  case json(JSONValue)
  case xml(XMLItem)
  case form(names: [String])
  /// Only the whole is a place.
  case whole
  /// There is no content.
  case none
  /// The places are not known: of what was not recorded or is malformed, and of parts, which have names and types.
  case unknown

  init(_ body: Scenario.Body?, _ headerType: MediaType?) {
    guard let body else {
      self = .none
      return
    }
    let type = headerType ?? body.type.flatMap { MediaType($0) } ?? BodyFormat.assumedType(of: body.bytes)
    switch BodyFormat(type, body.bytes, body.bytes) {
    case _ where body.omission != nil: self = .unknown
    case .json:
      let json = try? JSONValue(parsing: body.bytes.array, limits: JSONComparison.limits)
      self = json.map(Self.json) ?? .unknown
    case .xml:
      let document = try? XML.Document(parsing: body.bytes, limits: XMLComparison.limits)
      self = document.map { .xml(XMLItem($0.root)) } ?? .unknown
    case .form:
      self = .form(names: ComparedQuery(parsing: String(decoding: body.bytes)).parameters.map(\.name))
    case .multipart: self = .unknown
    case .text, .binary: self = .whole
    }
  }

  func hasValue(at path: RulePath) -> Bool {
    switch self {
    case .none: false
    case _ where path.steps.isEmpty: true
    case .json(let json): json.hasValue(at: path.steps[...])
    case .xml(let root): root.hasValue(at: path)
    case .form(let names): path.isMet(by: names)
    case .whole: false
    case .unknown: true
    }
  }
}

extension RulePath {
  /// Whether the first step is for one of some names; the root is for all.
  fileprivate func isMet(by names: [String], isCaseSensitive: Bool = true) -> Bool {
    guard let step = steps.first else { return true }
    guard !isCaseSensitive, case .key(let name) = step else {
      return names.contains(where: step.matches(key:))
    }
    return names.contains { $0.lowercased() == name.lowercased() }
  }
}

extension JSONValue {
  /// Whether there is a value at a path. What an empty array or object would hold is not known.
  fileprivate func hasValue(at steps: ArraySlice<RulePath.Step>) -> Bool {
    guard let step = steps.first else { return true }
    let rest = steps.dropFirst()
    switch self {
    case .array(let elements):
      return elements.isEmpty
        || elements.indices.contains { step.matches(index: $0) && elements[$0].hasValue(at: rest) }
    case .object(let object):
      return object.members.isEmpty && step == .any
        || object.members.contains { step.matches(key: $0.key) && $0.value.hasValue(at: rest) }
    case .null, .bool, .number, .string: return false
    }
  }
}

extension XMLItem {
  /// Whether there is an element, attribute or text at a path.
  fileprivate func hasValue(at path: RulePath) -> Bool {
    hasValue(at: path, ValuePath.root.appending(step(position: 0)))
  }

  private func hasValue(at path: RulePath, _ place: ValuePath) -> Bool {
    RuleTable.isFor(path, place) || RuleTable.isFor(path, place.key("#text"))
      || attributes.contains { RuleTable.isFor(path, place.key("@" + $0.label)) }
      || children.enumerated().contains { position, child in
        child.hasValue(at: path, place.appending(child.step(position: position)))
      }
  }
}
