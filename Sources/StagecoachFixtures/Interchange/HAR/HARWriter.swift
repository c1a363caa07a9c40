import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes HAR 1.2: every member that the format requires, and beside them ``HARResidue``.
struct HARWriter {
  /// The member of a residue with the content of a request that is not text, for which HAR has no place.
  static let binaryContent = "base64"

  /// The member of an entry with the made-up values in place of secrets.
  static let redacted = "_redacted"

  private var losses = ExchangeTally()

  /// - Throws: ``ScenarioError`` if the scenario cannot be written.
  static func export(_ scenario: Scenario) throws -> ScenarioExport {
    var writer = HARWriter()
    let manifest = try ScenarioWriter.files(of: scenario).first?.bytes ?? []
    let residue: HARResidue
    do {
      residue = HARResidue(try JSONValue(parsing: manifest), of: scenario)
    } catch {
      throw ScenarioError(.invalid, file: "scenario.json", "\(error)")
    }
    let start = scenario.recording?.date ?? scenario.clock ?? Date(timeIntervalSince1970: 0)
    guard let date = try QueryEncoder.DateStyle.iso8601Milliseconds.text(of: start) else {
      throw ScenarioError(.invalid, file: "scenario.json", "a time lies outside of the years 0 to 9999")
    }
    let entries = try scenario.exchanges.enumerated().map { index, exchange in
      try writer.entry(exchange, in: scenario, date: date, residue: residue.ofEntry(at: index))
    }
    let log: JSONValue = [
      "version": "1.2",
      "creator": ["name": "stagecoach", "version": .string(DefaultFields.libraryVersion)],
      "entries": .array(entries),
      "_stagecoach": residue.ofLog,
    ]
    let root: JSONValue = ["log": log]
    writer.losses.add(scenario)
    return ScenarioExport(
      bytes: Bytes(root.serialized(.init(isPretty: true)) + [0x0a]),
      losses: writer.losses.sentences
    )
  }

  private mutating func entry(
    _ exchange: Scenario.Exchange,
    in scenario: Scenario,
    date: String,
    residue: JSONValue
  ) throws -> JSONValue {
    guard let url = scenario.url(of: exchange.request.target) else {
      throw ScenarioError(
        .invalid,
        file: "scenario.json",
        "exchange \(exchange.id): no origin has the name in \(exchange.request.target)"
      )
    }
    var own = residue.objectValue ?? JSONObject()
    let request = HARRequest(exchange.request, url: url)
    if let content = request.binaryContent, var message = own["request"]?.objectValue,
      var body = message["body"]?.objectValue
    {
      body[Self.binaryContent] = .string(content)
      message["body"] = .object(body)
      own["request"] = .object(message)
    }
    let arrival = exchange.reply.head?.time ?? .zero
    let end = max(exchange.reply.end ?? arrival, arrival)
    own["redacted"] = nil
    var members: JSONObject = [
      "startedDateTime": .string(date),
      "time": Self.milliseconds(end),
      "request": request.value,
      "response": HARResponse(exchange.reply).value,
      "cache": [:],
      "timings": [
        "send": 0, "wait": Self.milliseconds(arrival), "receive": Self.milliseconds(end - arrival),
      ],
    ]
    // Other tools keep it, and so the made-up values are known without the rest of what is ours.
    if !exchange.redacted.isEmpty { members[Self.redacted] = .array(exchange.redacted.map(\.value)) }
    members[HARResidue.member] = .object(own)
    return .object(members)
  }

  private static func milliseconds(_ duration: Duration) -> JSONValue {
    let microseconds = (duration / .microseconds(1)).rounded()
    return JSONNumber(microseconds / 1000).map(JSONValue.number) ?? 0
  }
}

extension ExchangeTally {
  /// What other tools do not see of a scenario in HAR.
  fileprivate mutating func add(_ scenario: Scenario) {
    for exchange in scenario.exchanges {
      let (request, reply) = (exchange.request, exchange.reply)
      func lose(_ what: String) { add("lost \(what) for other tools") }
      if reply.outcome.kind != .complete { lose("the outcome \(reply.outcome.kind.rawValue)") }
      if !reply.informational.isEmpty { lose("informational responses") }
      if reply.trailers != nil || request.trailers != nil { lose("trailers") }
      if reply.body?.chunks.isEmpty == false { lose("the chunks of the response") }
      if request.body.map({ $0.omission == nil && HARRequest.text(of: $0) == nil }) == true {
        lose("a request body that is not text")
      }
      if reply.body?.omission != nil || request.body?.omission != nil { lose("a body that was not recorded") }
      if !exchange.match.isEmpty || !exchange.expect.isEmpty || !scenario.defaults.isEmpty { lose("rules") }
      if !exchange.requires.isEmpty || !exchange.sets.isEmpty { lose("states") }
      if exchange.times != .exactly(1) || exchange.isOptional { lose("how often it answers") }
      if exchange.cause != nil { lose("what led to it") }
    }
  }
}
