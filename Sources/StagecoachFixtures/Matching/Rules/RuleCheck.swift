import HTTPTypes
import StagecoachCore
import StagecoachScenarios

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
    let unused = Dictionary(unused.map { ($0.place, $0.text) }) { first, _ in first }
    for rule in rules {
      let path = path + [.key(rule.place)]
      do {
        _ = try MatchRule(rule, of: exchange, in: name)
        if let text = unused[rule.place] {
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
  /// The nodes of JSON, XML or a form, with their paths.
  case tree(TextTree, [ValuePath])
  /// Only the whole is a place.
  case whole
  /// There is no content.
  case none
  /// The places are not known: of what was not recorded, and of parts, which have names and types.
  case unknown

  init(_ body: Scenario.Body?, _ headerType: MediaType?) {
    guard let body else {
      self = .none
      return
    }
    let type = headerType ?? body.type.flatMap { MediaType($0) } ?? BodyFormat.assumedType(of: body.bytes)
    switch BodyFormat(type, body.bytes, body.bytes) {
    case _ where body.omission != nil: self = .unknown
    case .json, .xml, .form:
      let tree = TextTree(content: body.bytes.array, type)
      self = .tree(tree, tree.rulePaths)
    case .multipart: self = .unknown
    case .text, .binary: self = .whole
    }
  }

  func hasValue(at path: RulePath) -> Bool {
    switch self {
    case .none: false
    case _ where path.steps.isEmpty: true
    case .tree(let tree, let places):
      tree.nodes.isEmpty && tree.mayHold(path.steps[0], in: tree.text[...].trimmingSpace.first)
        || places.indices.contains { tree.hasValue(at: path, in: $0, places[$0]) }
    case .whole: false
    case .unknown: true
    }
  }
}

extension TextTree {
  /// Whether a path is that of a node, of the text of an element, or of what an empty array or object would hold.
  fileprivate func hasValue(at path: RulePath, in index: Int, _ place: ValuePath) -> Bool {
    if isFor(path, index, place) || RuleTable.isFor(path, place.key("#text")) { return true }
    let (node, depth) = (nodes[index], place.steps.count)
    guard node.leaf == nil, node.end == index + 1, depth < path.steps.count,
      mayHold(path.steps[depth], in: text[node.range.lowerBound])
    else { return false }
    return RuleTable.isFor(RulePath(Array(path.steps[..<depth])), place)
  }

  /// Whether a step leads to what an empty value would hold, which begins with a character.
  fileprivate func mayHold(_ step: RulePath.Step, in first: UInt8?) -> Bool {
    first == UInt8(ascii: "[") || first == UInt8(ascii: "{") && step == .any
  }
}

extension RulePath {
  /// Whether the first step is for one of some names; the root is for all.
  fileprivate func isMet(by names: [String], isCaseSensitive: Bool = true) -> Bool {
    guard let step = steps.first else { return true }
    return names.contains { name in
      switch step {
      case .any: true
      case .key(let key): isCaseSensitive ? key == name : key.lowercased() == name.lowercased()
      case .index(let index): name == String(index)
      case .anyIndex: false
      }
    }
  }
}
