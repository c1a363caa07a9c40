import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The exchanges that a recorder has seen, as they are written: without secrets, and over an older recording with what is
/// volatile as it was.
struct RecordingNotebook {
  /// An exchange without secrets.
  private struct Entry {
    var exchange: Scenario.Exchange
    var summary = RedactionSummary()
    let signature: ScenarioAlignment.Signature
  }

  private var base: Scenario
  /// What the folder held before; read with the first exchange.
  private var old: Scenario?
  private var oldSignatures: [ScenarioAlignment.Signature] = []
  private let folder: String
  private let infersRules: Bool
  private var redaction: RedactionOptions
  private var redactor: Redactor
  /// The names of secrets in the older recording, by those that they would get.
  private var renamed: [Placeholder: Placeholder] = [:]
  private var writer: ScenarioWriter
  private var exchanges: [Int: RecordedExchange.Result] = [:]
  /// The exchanges without the secrets that were known at that time.
  private var entries: [Int: Entry] = [:]
  private var knownSecrets = 0
  private var lastLearned = -1
  /// Why exchanges are left out, by their positions.
  private(set) var omissions: [Int: String] = [:]

  init(_ scenario: Scenario, folder: String, _ redaction: RedactionOptions, infersRules: Bool) {
    base = scenario
    self.folder = folder
    self.infersRules = infersRules
    self.redaction = redaction
    writer = ScenarioWriter(folder: folder)
    redactor = Redactor(redaction)
  }

  /// Adds exchanges, with complete URLs as their targets, and writes all of them. Of one that cannot be written without a
  /// secret, only the method and the path are.
  ///
  /// - Throws: ``ScenarioError``.
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
    for (position, result) in added { exchanges[position] = result }
    // In their order, since the first place of a secret names it, whichever exchange ended first.
    if let first = added.keys.min(), first < lastLearned {
      restart(naming: [:])
    } else {
      learn(added.keys.sorted())
    }
    lastLearned = max(lastLearned, added.keys.max() ?? -1)
    redact()
    if let old {
      // First the names of the exchanges about which there is no doubt, which tell the others apart.
      let certain = names(from: alignment { ScenarioAlignment(certain: $0, $1) }, in: old)
      if !certain.allSatisfy({ renamed[$0.key] == $0.value }) { rename(certain) }
      rename(names(from: alignment(), in: old))
    }
    try writer.write(scenario())
  }

  /// Reads the older recording. One that cannot be read is not replaced.
  private mutating func readFolder() throws {
    guard old == nil, exchanges.isEmpty else { return }
    redaction = try RedactionOptions(redaction, for: folder)
    redactor = Redactor(redaction)
    guard let scenario = try Scenario(existingIn: folder) else { return }
    old = scenario
    oldSignatures = scenario.exchanges.map { ScenarioAlignment.Signature($0, in: scenario) }
    base.title = base.title ?? scenario.title
    (base.expires, base.policy, base.seed) = (scenario.expires, scenario.policy, scenario.seed)
    base.defaults = scenario.defaults
  }

  // MARK: Secrets

  private mutating func learn(_ positions: [Int]) {
    for position in positions where omissions[position] == nil {
      guard let exchange = exchanges[position]?.exchange else { continue }
      do { try redactor.learn(exchange) } catch { omissions[position] = "\(error)" }
    }
    if redactor.secretCount != knownSecrets {
      entries = [:]
      knownSecrets = redactor.secretCount
    }
  }

  private mutating func redact() {
    // In their order, in which made-up values that would be alike differ.
    for (position, result) in exchanges.sorted(by: { $0.key < $1.key }) where entries[position] == nil {
      let exchange = redactor.redacted(result.exchange, omission: &omissions[position])
      let signature = ScenarioAlignment.Signature(exchange.exchange, in: base)
      entries[position] = Entry(
        exchange: exchange.exchange,
        summary: exchange.summary,
        signature: signature
      )
    }
  }

  /// Gives secrets other names.
  private mutating func rename(_ names: [Placeholder: Placeholder]) {
    guard names != renamed else { return }
    restart(naming: names)
    redact()
  }

  private mutating func restart(naming names: [Placeholder: Placeholder]) {
    renamed = names
    redactor = Redactor(redaction, renaming: renamed)
    (entries, knownSecrets) = ([:], 0)
    learn(exchanges.keys.sorted())
  }

  // MARK: The older recording

  /// The position in the older recording of each exchange that has one.
  private func alignment(
    _ make: (([ScenarioAlignment.Signature], [ScenarioAlignment.Signature]) -> ScenarioAlignment)? = nil
  ) -> [Int: Int] {
    let positions = entries.keys.sorted()
    let signatures = positions.compactMap { entries[$0]?.signature }
    let alignment =
      make?(oldSignatures, signatures)
      ?? ScenarioAlignment(old: oldSignatures, new: signatures, ignoresParameters: infersRules)
    return zip(positions, alignment.positions).reduce(into: [:]) { $0[$1.0] = $1.1 }
  }

  /// The names of the secrets in the older recording that stand at the same places.
  private func names(from alignment: [Int: Int], in old: Scenario) -> [Placeholder: Placeholder] {
    var (names, taken): ([Placeholder: Placeholder], Set<Placeholder>) = ([:], [])
    for (position, entry) in entries.sorted(by: { $0.key < $1.key }) {
      guard let older = alignment[position] else { continue }
      var exchange = old.exchanges[older]
      exchange.request.target = old.url(of: exchange.request.target) ?? exchange.request.target
      let before = IdentityMap(exchange).placeholders
      guard !before.isEmpty else { continue }
      let now = IdentityMap(entry.exchange).placeholders
      for (place, placeholder) in now.sorted(by: { $0.key < $1.key }) {
        guard let older = before[place], older.name == placeholder.name else { continue }
        let first = redactor.firstName(of: placeholder)
        guard names[first] == nil, taken.insert(older).inserted else { continue }
        names[first] = older
      }
    }
    return names
  }

  /// The exchange as it is written over an older recording of it.
  private func stable(_ exchange: Scenario.Exchange, over older: Scenario.Exchange, in old: Scenario)
    -> Scenario.Exchange
  {
    var older = older
    if infersRules { RuleInference.add(rulesFor: exchange, to: &older) }
    var stable = exchange.stable(over: older)
    let (_, path) = old.parts(of: older.request.target)
    stable.request.target = String(base.parts(of: exchange.request.target).origin + path)
    return stable
  }

  // MARK: The scenario

  /// The exchanges in the order of their requests, or of the older recording where the order means nothing.
  private func scenario() -> Scenario {
    var scenario = base
    scenario.origins = base.origins.map {
      Scenario.Alias(name: $0.name, origin: redactor.redact(origin: $0.origin).origin)
    }
    let alignment = old == nil ? [:] : alignment()
    // A cause comes before its effect; the older recording may have another order.
    var ids: [Int: String] = [:]
    var pairs = VolatilePairs()
    for (position, id) in numbering(alignment) {
      guard var exchange = entries[position]?.exchange, let result = exchanges[position] else { continue }
      if let old, let older = alignment[position] {
        let reply = exchange.reply
        exchange = stable(exchange, over: old.exchanges[older], in: old)
        pairs.learn(reply, exchange.reply)
      }
      pairs.apply(to: &exchange)
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
  private func numbering(_ alignment: [Int: Int]) -> [(position: Int, id: String)] {
    var positions = entries.keys.sorted()
    if base.policy.order == .any, old != nil {
      // What is new follows what came before it.
      var last = -1
      var ranks: [Int: Int] = [:]
      for position in positions {
        last = alignment[position] ?? last
        ranks[position] = last
      }
      positions.sort { (ranks[$0] ?? 0, $0) < (ranks[$1] ?? 0, $1) }
    }
    let kept = alignment.mapValues { old?.exchanges[$0].id ?? "" }
    var used = Set(kept.values)
    var number = 0
    return positions.map { position in
      if let id = kept[position] { return (position, id) }
      var id = ""
      repeat {
        id = Scenario.identifier(at: number)
        number += 1
      } while !used.insert(id).inserted
      return (position, id)
    }
  }

  /// What is not written, a line each.
  var omitted: [String] {
    summary.omitted
      + entries.sorted { $0.key < $1.key }.flatMap { _, entry in
        entry.exchange.contentOmissions.map {
          "\(entry.exchange.request.method) \(entry.exchange.request.target): \($0)"
        }
      }
  }

  /// The places that look like secrets and were not replaced, a line each.
  var reported: [String] { SecretReport(redaction).lines(scenario().exchanges) }

  /// What became of the secrets that were found.
  var summary: RedactionSummary {
    var summary = RedactionSummary()
    for (position, entry) in entries.sorted(by: { $0.key < $1.key }) {
      summary.add(entry.summary)
      if let reason = omissions[position] {
        summary.omitted.append("\(entry.exchange.request.method) \(entry.exchange.request.target): \(reason)")
      }
    }
    return summary
  }
}

extension Scenario.Exchange {
  /// What of the exchange was not recorded, a line each.
  var omissions: [String] {
    (omission.map { ["it was not recorded: \($0)"] } ?? []) + contentOmissions.map { "not recorded: \($0)" }
  }

  fileprivate var contentOmissions: [String] {
    [("request", request.body), ("reply", reply.body)].compactMap { part, body in
      body?.omission.map { "the content of the \(part): \($0.reason)" }
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
}
