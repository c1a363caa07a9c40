import HTTPTypes
import StagecoachCore

/// Writes mappings of WireMock. What a stub cannot say is told.
struct WireMockWriter {
  private let scenario: Scenario
  private var losses = ExchangeTally()

  /// - Throws: ``ScenarioError`` if a target is invalid.
  static func export(_ scenario: Scenario) throws -> ScenarioExport {
    var writer = WireMockWriter(scenario: scenario)
    let requests = try scenario.exchanges.map { LiveRequest(url: try scenario.liveURL(of: $0)) }
    let patterns = zip(scenario.exchanges, requests).map {
      WireMockPattern($0, defaults: scenario.defaults, $1)
    }
    let sequences = WireMockSequences(scenario, patterns.map(\.value))
    var mappings: [JSONValue] = []
    // Of those that match, the one that comes last answers.
    for index in scenario.exchanges.indices.reversed() {
      guard var mapping = writer.mapping(at: index, patterns[index], sequences) else { continue }
      let exchange = scenario.exchanges[index]
      mapping["metadata"] = WireMockRecorded.metadata(
        of: exchange,
        exchange.match + scenario.defaults,
        requests[index]
      )
      mappings.append(.object(mapping))
    }
    let root: JSONValue = [
      "mappings": .array(mappings), "meta": ["total": .number(JSONNumber(mappings.count))],
    ]
    return ScenarioExport(
      bytes: Bytes(root.serialized(.init(isPretty: true)) + [0x0a]),
      losses: writer.ofScenario + writer.losses.sentences
    )
  }

  private init(scenario: Scenario) {
    self.scenario = scenario
  }

  private var ofScenario: [String] {
    var sentences: [String] = []
    let origins = Set(
      scenario.exchanges.compactMap {
        scenario.url(of: $0.request.target).map { LiveRequest(url: $0).origin }
      }
    )
    if origins.count > 1 { sentences.append("\(origins.count) origins became one server") }
    if scenario.policy.order != .any { sentences.append("the order of the requests was lost") }
    return sentences
  }

  private mutating func mapping(
    at index: Int,
    _ pattern: WireMockPattern,
    _ sequences: WireMockSequences
  ) -> JSONObject? {
    let exchange = scenario.exchanges[index]
    guard let response = response(exchange.reply) else {
      losses.add("was left out: WireMock has no fault for \(exchange.reply.outcome.kind.rawValue)")
      return nil
    }
    var mapping: JSONObject = ["name": .string(exchange.id)]
    if let step = sequences.step(of: index) {
      mapping["scenarioName"] = .string(step.name)
      mapping["requiredScenarioState"] = step.requires.map(JSONValue.string)
      mapping["newScenarioState"] = step.sets.map(JSONValue.string)
    }
    if sequences.isLossy(index) { losses.add("lost states: a stub has one machine of states") }
    mapping["request"] = request(exchange, pattern)
    mapping["response"] = response
    if !exchange.expect.isEmpty { losses.add("lost the rules for its reply") }
    switch exchange.times {
    case .exactly(1), .any, .last: break
    case .exactly, .atLeastOnce: losses.add("lost how often it answers")
    }
    return mapping
  }

  // MARK: Requests

  private mutating func request(_ exchange: Scenario.Exchange, _ pattern: WireMockPattern) -> JSONValue {
    for rule in pattern.lostRules { losses.add("lost the rule \(Format.oneLine(rule))") }
    if pattern.hasOtherParameters { losses.add("lost the refusal of other query parameters") }
    if exchange.request.trailers != nil { losses.add("lost the trailers of its request") }
    return pattern.value
  }

  // MARK: Replies

  /// The response, or the fault; `nil` if WireMock has none like it.
  private mutating func response(_ reply: Scenario.Reply) -> JSONValue? {
    switch (reply.outcome.kind, reply.head) {
    case (.complete, let head?): return response(reply, head)
    case (.reset, nil): return ["fault": "CONNECTION_RESET_BY_PEER"]
    case (.truncated, nil): return ["fault": "EMPTY_RESPONSE"]
    case (.protocol, nil): return ["fault": "RANDOM_DATA_THEN_CLOSE"]
    case (.protocol, let head?), (.truncated, let head?), (.reset, let head?):
      losses.add("lost the content before its fault")
      return ["status": .number(JSONNumber(head.response.status.code)), "fault": "MALFORMED_RESPONSE_CHUNK"]
    default: return nil
    }
  }

  private mutating func response(_ reply: Scenario.Reply, _ head: Scenario.Head) -> JSONValue {
    var members: JSONObject = ["status": .number(JSONNumber(head.response.status.code))]
    let reason = head.response.status.reasonPhrase
    if !reason.isEmpty { members["statusMessage"] = .string(reason) }
    let content = reply.body.map { body in
      body.codings.reduce(body.bytes.array) { StoredCoding.encode($0, as: $1) ?? $0 }
    }
    var fields = head.response.headerFields
    // How the content is framed is the server's business.
    fields[.transferEncoding] = nil
    if let content, fields[.contentLength] != nil { fields[.contentLength] = "\(content.count)" }
    if !fields.isEmpty { members["headers"] = value(of: fields) }
    if reply.body?.omission != nil { losses.add("has no content: it was not recorded") }
    if let content, !content.isEmpty {
      if let text = String(validating: content, as: UTF8.self) {
        members["body"] = .string(text)
      } else {
        members["base64Body"] = .string(String(decoding: Base64.encode(content), as: UTF8.self))
      }
    }
    if let time = head.time, time >= .milliseconds(1) {
      members["fixedDelayMilliseconds"] = .number(JSONNumber(time.wholeMilliseconds))
    }
    if let chunks = reply.body?.chunks, chunks.count > 1 {
      let total = chunks.reduce(Duration.zero) { $0 + $1.delay }
      members["chunkedDribbleDelay"] = [
        "numberOfChunks": .number(JSONNumber(chunks.count)),
        "totalDuration": .number(JSONNumber(total.wholeMilliseconds)),
      ]
      losses.add("lost the sizes and times of its chunks; they are alike now")
    }
    if !reply.informational.isEmpty { losses.add("lost its informational responses") }
    if reply.trailers != nil { losses.add("lost its trailers") }
    return .object(members)
  }

  /// Fields by name: a list where a name occurs more than once.
  private mutating func value(of fields: HTTPFields) -> JSONValue {
    var object = JSONObject()
    for field in fields
    where !object.members.contains(where: { $0.key.lowercased() == field.name.canonicalName }) {
      let values = fields[values: field.name]
      object[field.name.rawName] =
        values.count == 1 ? .string(values[0]) : .array(values.map(JSONValue.string))
    }
    return .object(object)
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int64 { Int64(clamping: Int((self / .milliseconds(1)).rounded())) }
}

extension Scenario {
  fileprivate func liveURL(of exchange: Exchange) throws -> String {
    guard let url = url(of: exchange.request.target) else {
      throw ScenarioError(
        .invalid,
        file: "scenario.json",
        "exchange \(exchange.id): no origin has the name in \(exchange.request.target)"
      )
    }
    return url
  }
}
