import HTTPTypes
import StagecoachScenarios

/// Constants for the fixtures of a folder, as an extension of `Fixtures`.
struct AccessorSource {
  /// An enumeration for a folder, with a constant for each scenario.
  private final class Scope {
    var constants: [(name: String, entry: FixtureFolder.Entry)] = []
    var scopes: [(name: String, scope: Scope)] = []
    /// The entry that took each name.
    var names: [String: FixtureFolder.Entry] = [:]
  }

  let text: String

  /// - Throws: ``GeneratorFailure`` if two scenarios have the same name in Swift.
  init(_ fixtures: FixtureFolder) throws {
    let root = Scope()
    for entry in fixtures.entries { try Self.add(entry, to: root) }
    var lines = [
      "// Generated from the scenarios in \(SwiftText.comment(fixtures.path)).", "",
      "public import StagecoachFixtures", "", "extension Fixtures {",
      "  /// The folder of the fixtures.",
      "  public static let root = \(SwiftText.literal(fixtures.path))", "",
      "  /// The SHA-256 of each file of the fixtures, by its path below the root.",
    ]
    lines += fixtures.indexLines(declaredAs: "public")
    Self.append(root, indentation: "  ", to: &lines)
    lines += ["}", ""]
    text = lines.joined(separator: "\n")
  }

  private static func add(_ entry: FixtureFolder.Entry, to root: Scope) throws {
    let parts = entry.name.split(separator: "/")
    var scope = root
    for part in parts.dropLast() {
      let name = SwiftText.identifier(part, capitalized: true)
      if let known = scope.scopes.first(where: { $0.name == name }) {
        scope = known.scope
      } else {
        try take(name, entry, in: scope)
        let inner = Scope()
        scope.scopes.append((name, inner))
        scope = inner
      }
    }
    let name = SwiftText.identifier(parts.last ?? "", capitalized: false)
    try take(name, entry, in: scope)
    scope.constants.append((name, entry))
  }

  private static func take(_ name: String, _ entry: FixtureFolder.Entry, in scope: Scope) throws {
    if let other = scope.names.updateValue(entry, forKey: name) {
      throw GeneratorFailure(
        file: entry.manifest,
        line: 1,
        "\(entry.name) and \(other.name) are both called \(name) in Swift; rename one of the folders"
      )
    }
  }

  private static func append(_ scope: Scope, indentation: String, to lines: inout [String]) {
    for (name, entry) in scope.constants {
      separate(&lines)
      lines += documentation(of: entry).map { $0.isEmpty ? "\(indentation)///" : "\(indentation)/// \($0)" }
      lines.append(
        "\(indentation)public static let \(name) = "
          + "Fixture(\(SwiftText.literal(entry.name)), in: Fixtures.root, index: Fixtures.index)"
      )
    }
    for (name, inner) in scope.scopes {
      separate(&lines)
      lines += ["\(indentation)/// A folder of fixtures.", "\(indentation)public enum \(name) {"]
      append(inner, indentation: indentation + "  ", to: &lines)
      lines.append("\(indentation)}")
    }
  }

  /// Adds an empty line, unless a type has just begun.
  private static func separate(_ lines: inout [String]) {
    if lines.last?.hasSuffix("{") != true { lines.append("") }
  }

  /// The number of exchanges that the documentation of a constant lists.
  private static let exchangeLimit = 20

  private static func documentation(of entry: FixtureFolder.Entry) -> [String] {
    let scenario = entry.scenario
    let count = scenario.exchanges.count
    let title = SwiftText.comment(scenario.title ?? entry.name)
    var lines = ["\(title): \(count) \(count == 1 ? "exchange" : "exchanges").", ""]
    for exchange in scenario.exchanges.prefix(exchangeLimit) {
      let status =
        exchange.reply.head.map { "\($0.response.status.code)" } ?? exchange.reply.outcome.kind.rawValue
      let request = "\(exchange.request.method) \(exchange.request.target)"
      lines.append("- \(SwiftText.comment("\(exchange.id): \(request), \(status)"))")
    }
    if count > exchangeLimit { lines.append("- and \(count - exchangeLimit) more") }
    return lines
  }
}
