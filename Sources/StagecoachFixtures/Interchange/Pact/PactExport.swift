import HTTPTypes
import StagecoachCore

/// Makes interactions of a Pact file of the exchanges of a scenario.
struct PactExport {
  let scenario: Scenario
  var tally = ExchangeTally()
  private var descriptions: Set<String> = []
  /// The requests before, without the order in which they were answered.
  private var requests: Set<Scenario.Request> = []

  init(_ scenario: Scenario) {
    self.scenario = scenario
  }

  /// - Parameter expected: What a verification compares.
  mutating func interaction(
    of exchange: Scenario.Exchange,
    _ expected: ContractInteraction
  ) throws -> PactInteraction? {
    if let obstacle = expected.obstacle {
      tally.add("is left out: \(obstacle)")
      return nil
    }
    noteLosses(exchange)
    let request = self.request(exchange.request)
    let response = expected.expected
    // Whatever stands for a secret, or is new each time, is an example of its type.
    let asked = RedactedLeaves(exchange.request.message, side: "request", listed: exchange.redacted).rules
    let answered =
      exchange.reply.message.map { RedactedLeaves($0, side: "reply", listed: exchange.redacted).rules } ?? []
    if !asked.isEmpty || !answered.isEmpty {
      tally.add(
        "has examples in place of secrets, each with a rule: fill them in when the provider is verified"
      )
    }
    return PactInteraction(
      description(of: exchange, request),
      states: expected.states,
      request: PactPart(
        request,
        rules: try rules(
          exchange.match + scenario.defaults,
          asked + volatile(request.fields),
          of: exchange,
          "match",
          request.fields
        )
      ),
      response: PactPart(
        response,
        rules: try rules(exchange.expect, answered, of: exchange, "expect", response.fields)
      )
    )
  }

  /// The rules of fields that have another value in each request.
  private mutating func volatile(_ fields: [FieldLine]) -> [Scenario.Rule] {
    fields.filter { VolatileFields.isVolatile($0.name) }.map { field in
      tally.add("compares the field \(field.name) by its type alone, for it is new each time")
      return Scenario.Rule("header.\(field.name)", "type")
    }
  }

  private mutating func noteLosses(_ exchange: Scenario.Exchange) {
    let reply = exchange.reply
    if reply.trailers != nil || exchange.request.trailers != nil { tally.add("lost trailers") }
    if !reply.informational.isEmpty { tally.add("lost informational responses") }
    if reply.body?.chunks.isEmpty == false { tally.add("lost the times of chunks") }
    if exchange.cause != nil { tally.add("lost what led to it") }
    if !exchange.sets.isEmpty { tally.add("lost the states that it sets") }
    if reply.body?.omission != nil { tally.add("has content that was not recorded") }
    if exchange.isOptional { tally.add("lost that it is optional") }
    if !requests.insert(exchange.request).inserted {
      tally.add("lost its place in a sequence of equal requests")
    }
  }

  // MARK: Messages

  private mutating func request(_ request: Scenario.Request) -> ComparedRequest {
    let live = LiveRequest(
      method: request.method,
      url: scenario.url(of: request.target) ?? request.target,
      fields: request.fields,
      body: Bytes()
    )
    return ComparedRequest(
      method: live.method,
      path: String(live.path),
      query: live.query.map { ComparedQuery(parsing: $0) } ?? .none,
      fields: FieldLine.lines(of: request.fields).filter {
        !Self.omittedFields.contains($0.name.lowercased())
      },
      body: Self.body(request.body)
    )
  }

  private static let omittedFields: Set<String> = [
    "accept-encoding", "connection", "content-encoding", "content-length", "cookie", "date", "expect", "host",
    "if-modified-since", "if-none-match", "keep-alive", "proxy-authorization", "proxy-connection", "te",
    "trailer",
    "transfer-encoding", "upgrade", "user-agent", "via",
  ]

  private static func body(_ body: Scenario.Body?) -> ComparedBody {
    guard let body, body.omission == nil, !body.bytes.isEmpty else { return .absent }
    return ComparedBody(.bytes(body.bytes), mediaType: body.type.flatMap { MediaType($0) })
  }

  // MARK: Rules

  /// - Parameters:
  ///   - others: Rules for places that have none.
  ///   - fields: The fields of the message: not all are in the file.
  private mutating func rules(
    _ rules: [Scenario.Rule],
    _ others: [Scenario.Rule],
    of exchange: Scenario.Exchange,
    _ list: String,
    _ fields: [FieldLine]
  ) throws -> JSONObject {
    var groups = PactRuleGroups()
    let places = Set(rules.map { $0.place.lowercased() })
    let others = others.filter { !places.contains($0.place.lowercased()) }
    for (index, rule) in (rules + others).enumerated() {
      let checked = try MatchRule(rule, of: exchange.id, in: list)
      guard index < rules.count || checked.isMet(by: fields) else { continue }
      guard checked.part != .method else {
        tally.add("lost a rule for the method")
        continue
      }
      guard checked.part != .query || !checked.path.steps.isEmpty else {
        tally.add("lost a rule for all of the query")
        continue
      }
      guard !checked.matchers.contains(.atLeast) else {
        tally.add("lost a rule atLeast")
        continue
      }
      let condition = rule.condition.stringValue.map { ["match": .string($0)] as JSONValue } ?? rule.condition
      let isComplete = condition["matchers"] != nil
      groups.append(
        isComplete ? condition : ["matchers": [condition], "combine": "AND"],
        checked.part,
        checked.path
      )
    }
    return groups.value
  }

  // MARK: Descriptions

  /// The identifier, if somebody chose it, or the request; with the title of the scenario, so that the descriptions of
  /// several scenarios differ.
  private mutating func description(of exchange: Scenario.Exchange, _ request: ComparedRequest) -> String {
    let isChosen = exchange.id.contains(where: \.isLetter)
    let title = isChosen ? "" : scenario.title.map { "\($0): " } ?? ""
    var description = isChosen ? exchange.id : "\(title)\(request.method) \(request.path)"
    if !descriptions.insert(description).inserted {
      description += " (\(exchange.id))"
      descriptions.insert(description)
    }
    return description
  }
}

extension MatchRule {
  fileprivate func isMet(by fields: [FieldLine]) -> Bool {
    guard part == .header, case .key(let name)? = path.steps.first else { return true }
    return fields.contains { $0.name.lowercased() == name.lowercased() }
  }
}
