import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads HAR 1.2 as browsers, proxies and this library write it: what a tool leaves out or adds is no error.
struct HARReader {
  private var messages: HARMessages
  private var notes = ExchangeTally()

  static func scenario(in root: ManifestNode, of file: ForeignFile) async throws -> ImportedScenario {
    var imported = try file.reading { try read(root, of: file) }
    await decode(&imported.scenario.exchanges)
    return imported
  }

  /// Removes the codings of what a tool has stored as it came: content that has codings by its fields, and none by itself.
  private static func decode(_ exchanges: inout [Scenario.Exchange]) async {
    for index in exchanges.indices {
      guard let fields = exchanges[index].reply.head?.response.headerFields,
        let body = exchanges[index].reply.body,
        body.codings.isEmpty, !ForeignBody.codings(fields).isEmpty
      else { continue }
      exchanges[index].reply.body = await ForeignBody(body, fields).body
    }
  }

  private static func read(_ root: ManifestNode, of file: ForeignFile) throws -> ImportedScenario {
    let log = try root.required("log")
    let entries = try log.required("entries").elements()
    try file.check(entries)
    if let residue = HARResidue(log, entries) {
      var messages = HARMessages(file: file, isOwn: true)
      let exchanges = try entries.map { try messages.exchange($0) }
      let scenario = try residue.scenario(with: exchanges, of: file.name)
      return ImportedScenario(scenario: scenario, notes: [], namesOrigins: false)
    }
    var reader = HARReader(messages: HARMessages(file: file, isOwn: false))
    return try reader.scenario(in: log, entries)
  }

  private init(messages: HARMessages) {
    self.messages = messages
  }

  private mutating func scenario(in log: ManifestNode, _ entries: [ManifestNode]) throws -> ImportedScenario {
    var scenario = Scenario()
    scenario.recording = recording(log, entries)
    scenario.clock = scenario.recording?.date
    for entry in entries {
      let url = try entry.required("request").required("url").string()
      let scheme = url.prefix { $0 != ":" }.lowercased()
      guard ["http", "https", "ws", "wss"].contains(scheme), url.contains("://") else {
        notes.add("had no URL of HTTP, and was left out: \(Format.oneLine(String(scheme.prefix(20)))):")
        continue
      }
      var exchange = try messages.exchange(entry)
      exchange.id = Scenario.identifier(at: scenario.exchanges.count)
      scenario.exchanges.append(exchange)
    }
    return ImportedScenario(scenario: scenario, notes: notes.sentences + messages.notes.sentences)
  }

  private func recording(_ log: ManifestNode, _ entries: [ManifestNode]) -> Scenario.Recording {
    let dates = entries.compactMap { entry -> Date? in
      guard let text = entry.value["startedDateTime"]?.stringValue else { return nil }
      return try? QueryEncoder.DateStyle.iso8601.date(text)
    }
    let second = dates.min().map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down)) }
    let creator = log.value["creator"]
    let recorder = ["name", "version"].compactMap { creator?[$0]?.stringValue }.joined(separator: " ")
    return Scenario.Recording(date: second, recorder: recorder.isEmpty ? nil : recorder)
  }
}
