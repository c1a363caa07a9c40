import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The exchanges that a recorder has seen, as they are written: without secrets, and over an older recording with what is
/// volatile as it was.
struct RecordingNotebook {
  /// An exchange as it is written.
  private struct Entry {
    var exchange: Scenario.Exchange
    /// The position of the one in the older recording that it stands for.
    var old: Int?
  }

  private var base: Scenario
  /// What the folder held before; read with the first exchange.
  private var old: Scenario?
  private let folder: String
  private let infersRules: Bool
  private let redactor: Redactor
  private var writer: ScenarioWriter
  private var exchanges: [Int: RecordedExchange.Result] = [:]
  /// The exchanges without the secrets that were known at that time.
  private var entries: [Int: Entry] = [:]
  private var alignment: ScenarioAlignment?
  private var knownSecrets = 0

  init(_ scenario: Scenario, folder: String, _ redaction: RedactionOptions, infersRules: Bool) {
    base = scenario
    self.folder = folder
    self.infersRules = infersRules
    writer = ScenarioWriter(folder: folder)
    redactor = Redactor(redaction)
  }

  /// Adds exchanges, with complete URLs as their targets, and writes all of them.
  ///
  /// - Throws: ``ScenarioError``; ``RedactionError`` if a secret would be written.
  mutating func write(
    _ added: [Int: RecordedExchange.Result],
    _ recording: Scenario.Recording?,
    seed: UInt64?
  ) throws {
    try readFolder()
    base.seed = seed ?? base.seed
    base.recording = recording
    base.clock = recording?.date
    if let expires = old?.expires, let before = old?.recording?.date, let now = recording?.date {
      // It lasts as long as the older one.
      base.expires = now.addingTimeInterval(expires.timeIntervalSince(before))
    }
    // In their order, since the first place of a secret names it.
    for (position, result) in added.sorted(by: { $0.key < $1.key }) {
      exchanges[position] = result
      try redactor.learn(result.exchange.messages)
    }
    if redactor.secretCount != knownSecrets {
      (entries, alignment) = ([:], old.map { ScenarioAlignment($0) })
      knownSecrets = redactor.secretCount
    }
    for (position, result) in exchanges.sorted(by: { $0.key < $1.key }) where entries[position] == nil {
      let entry = try entry(redactor.redact(result.exchange))
      try verify {
        $0.exchanges = [entry.exchange]
        // Any names will do here.
        $0.exchanges[0].id = "00"
        $0.exchanges[0].cause = nil
      }
      entries[position] = entry
    }
    let scenario = scenario()
    try verify {
      $0 = scenario
      $0.exchanges = []
    }
    try writer.write(scenario)
  }

  /// Reads the older recording. One that cannot be read is not replaced.
  private mutating func readFolder() throws {
    guard old == nil, exchanges.isEmpty, let scenario = try Scenario(existingIn: folder) else { return }
    (old, alignment) = (scenario, ScenarioAlignment(scenario))
    base.title = base.title ?? scenario.title
    (base.expires, base.policy, base.seed) = (scenario.expires, scenario.policy, scenario.seed)
    base.defaults = scenario.defaults
  }

  /// The exchange as it is written over the older recording.
  private mutating func entry(_ exchange: Scenario.Exchange) -> Entry {
    guard let old, let position = alignment?.take(exchange, in: base) else {
      return Entry(exchange: exchange)
    }
    var older = old.exchanges[position]
    if infersRules { RuleInference.add(rulesFor: exchange, to: &older) }
    var stable = exchange.stable(over: older)
    let (_, path) = old.parts(of: older.request.target)
    stable.request.target = String(base.parts(of: exchange.request.target).origin + path)
    return Entry(exchange: stable, old: position)
  }

  /// Searches what will be written for secrets: each exchange once, for a scenario may have thousands.
  private func verify(_ part: (inout Scenario) -> Void) throws {
    var scenario = Scenario()
    part(&scenario)
    let files = try ScenarioWriter.files(of: scenario)
    try redactor.leakProof.verify(files.map { ($0.name, Bytes($0.bytes)) })
  }

  /// The exchanges in the order of their requests, or of the older recording where the order means nothing.
  private func scenario() -> Scenario {
    var scenario = base
    let numbering = numbering()
    // A cause comes before its effect; the older recording may have another order.
    var ids: [Int: String] = [:]
    for (position, id) in numbering {
      guard var exchange = entries[position]?.exchange, let result = exchanges[position] else { continue }
      exchange.id = id
      exchange.request.target = scenario.shorten(exchange.request.target, over: old)
      exchange.cause = result.cause.flatMap { cause in
        ids[cause.position].map { Scenario.Cause(cause.kind, of: $0) }
      }
      ids[position] = id
      scenario.exchanges.append(exchange)
    }
    scenario.recording?.origin = scenario.origins.first?.origin
    if let old, scenario.exchanges == old.exchanges, !old.isExpired {
      (scenario.recording, scenario.clock, scenario.expires) = (old.recording, old.clock, old.expires)
    }
    return scenario
  }

  /// The positions of the exchanges as they are written, and their identifiers.
  private func numbering() -> [(position: Int, id: String)] {
    var positions = entries.keys.sorted()
    if base.policy.order == .any, old != nil {
      // What is new follows what came before it.
      var last = -1
      var ranks: [Int: Int] = [:]
      for position in positions {
        last = entries[position]?.old ?? last
        ranks[position] = last
      }
      positions.sort { (ranks[$0] ?? 0, $0) < (ranks[$1] ?? 0, $1) }
    }
    var used = Set(entries.values.compactMap { $0.old == nil ? nil : $0.exchange.id })
    var number = 0
    return positions.map { position in
      if let entry = entries[position], entry.old != nil { return (position, entry.exchange.id) }
      var id = ""
      repeat {
        id = Scenario.identifier(at: number)
        number += 1
      } while !used.insert(id).inserted
      return (position, id)
    }
  }
}

extension Scenario {
  /// Whether it should have been recorded again before now.
  var isExpired: Bool { expires.map { $0 < Date() } ?? false }

  /// Reads the scenario of a folder; `nil` if it has none.
  ///
  /// - Throws: ``ScenarioError`` if it cannot be read.
  fileprivate init?(existingIn folder: String) throws {
    guard FileManager.default.fileExists(atPath: "\(folder)/scenario.json") else { return nil }
    try self.init(folder: folder)
  }

  /// The identifier of an exchange at a position: `01`, `02`.
  static func identifier(at position: Int) -> String {
    position < 99 ? String(String(position + 101).dropFirst()) : String(position + 1)
  }
}
