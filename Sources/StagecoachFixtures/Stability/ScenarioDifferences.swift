import HTTPTypes
import StagecoachCore

/// What differs between two recordings of a service, apart from what is new in each reply.
package struct ScenarioDifferences: Sendable {
  /// The differences of an exchange, or its lack.
  package struct Entry: Sendable, Hashable {
    /// `+` for an exchange that is only in the second recording, `-` for one only in the first, `~` for a changed one.
    package var sign: Character
    /// The identifier, the method and the target.
    package var exchange: String
    /// What differs, a line each.
    package var lines: [String]
  }

  /// In the order of the first recording, then what is only in the second.
  package private(set) var entries: [Entry] = []

  package init(_ first: Scenario, _ second: Scenario) {
    let alignment = ScenarioAlignment(
      old: first.exchanges.map { ScenarioAlignment.Signature($0, in: first) },
      new: second.exchanges.map { ScenarioAlignment.Signature($0, in: second) }
    )
    var changed: [Int: Entry] = [:]
    var added: [Entry] = []
    for (exchange, position) in zip(second.exchanges, alignment.positions) {
      guard let position else {
        added.append(Entry(sign: "+", exchange: exchange.title, lines: []))
        continue
      }
      let old = first.exchanges[position]
      let lines = Self.lines(old, exchange.stable(over: old))
      if !lines.isEmpty { changed[position] = Entry(sign: "~", exchange: old.title, lines: lines) }
    }
    let taken = Set(alignment.positions.compactMap(\.self))
    for (position, exchange) in first.exchanges.enumerated() where !taken.contains(position) {
      changed[position] = Entry(sign: "-", exchange: exchange.title, lines: [])
    }
    entries = changed.sorted { $0.key < $1.key }.map(\.value) + added
  }

  private static func lines(_ old: Scenario.Exchange, _ new: Scenario.Exchange) -> [String] {
    var lines = fields(old.request.fields, new.request.fields, "request field")
    lines += body(old.request.body, new.request.body, "request body")
    if old.reply.outcome != new.reply.outcome {
      lines.append("end: \(old.reply.outcome.text), now \(new.reply.outcome.text)")
    }
    let (status, newStatus) = (old.reply.head?.response.status, new.reply.head?.response.status)
    if status != newStatus {
      lines.append(
        "status: \(status.map { "\($0.code)" } ?? "none"), now \(newStatus.map { "\($0.code)" } ?? "none")"
      )
    }
    let none: HTTPFields = [:]
    lines += fields(
      old.reply.head?.response.headerFields ?? none,
      new.reply.head?.response.headerFields ?? none,
      "field"
    )
    lines += body(old.reply.body, new.reply.body, "body")
    lines += fields(old.reply.trailers ?? none, new.reply.trailers ?? none, "trailer field")
    return lines
  }

  private static func fields(_ old: HTTPFields, _ new: HTTPFields, _ part: String) -> [String] {
    guard old != new else { return [] }
    var names: [HTTPField.Name] = []
    for field in Array(old) + Array(new) where !names.contains(field.name) { names.append(field.name) }
    let lines = names.compactMap { name -> String? in
      let (before, after) = (old[values: name], new[values: name])
      guard before != after else { return nil }
      return "\(part) \(name.rawName): \(text(before)), now \(text(after))"
    }
    return lines.isEmpty ? ["\(part)s: in another order"] : lines
  }

  private static func text(_ values: [String]) -> String {
    values.isEmpty ? "none" : values.map { "\"\(Format.oneLine($0))\"" }.joined(separator: ", ")
  }

  private static func body(_ old: Scenario.Body?, _ new: Scenario.Body?, _ part: String) -> [String] {
    guard !Scenario.Body.isEqual(old, new) else { return [] }
    if let old, let new, old.omission == nil, new.omission == nil, old.codings == new.codings,
      old.bytes != new.bytes
    {
      let mismatches = MessageComparison(rules: []).mismatches(old.compared, new.compared)
      let lines = mismatches.map { Format.oneLine("\(part) \($0.path): \($0.message)") }
      if !lines.isEmpty { return lines }
    }
    return ["\(part): \(description(old)), now \(description(new))"]
  }

  private static func description(_ body: Scenario.Body?) -> String {
    guard let body else { return "none" }
    if let omission = body.omission { return "\(omission.bytes) bytes, not recorded: \(omission.reason)" }
    let digest = String(SHA256.hash(body.bytes.array).hexadecimal.prefix(8))
    let codings = body.codings.isEmpty ? "" : " (\(body.codings.joined(separator: ", ")))"
    let framing = body.framing.map { ", \($0.rawValue)" } ?? ""
    return "\(body.bytes.count) bytes\(codings)\(framing) with the SHA-256 \(digest)..."
  }
}

extension Scenario.Exchange {
  fileprivate var title: String { "\(id)  \(request.method) \(request.target)" }
}

extension Scenario.Outcome {
  fileprivate var text: String { detail.map { "\(kind.rawValue) (\($0))" } ?? kind.rawValue }
}
