import HTTPTypes
import StagecoachCore

extension PactFile {
  /// Creates the contract of a consumer from the exchanges of a scenario.
  ///
  /// Fields that belong to a connection or differ between replies of a service are no part of a contract.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - isIncluded: Whether an exchange is part of the contract.
  /// - Returns: The file, and sentences about what it does not hold.
  /// - Throws: ``ScenarioError`` if a rule is malformed.
  package static func contract(
    of scenario: Scenario,
    consumer: String,
    provider: String,
    where isIncluded: (Scenario.Exchange) -> Bool = { _ in true }
  ) throws -> (file: PactFile, losses: [String]) {
    var export = PactExport(scenario)
    var file = PactFile(consumer: consumer, provider: provider)
    for exchange in scenario.exchanges where isIncluded(exchange) {
      if let interaction = try export.interaction(of: exchange) { file.entries.append(.http(interaction)) }
    }
    return (file, export.tally.sentences)
  }
}

/// Makes interactions of a Pact file of the exchanges of a scenario.
private struct PactExport {
  let scenario: Scenario
  var tally = ExchangeTally()
  private var descriptions: Set<String> = []
  /// The requests before, without the order in which they were answered.
  private var requests: Set<Scenario.Request> = []
  /// The states that earlier exchanges set.
  private var states: [String: String] = [:]

  init(_ scenario: Scenario) {
    self.scenario = scenario
  }

  mutating func interaction(of exchange: Scenario.Exchange) throws -> PactInteraction? {
    defer { for state in exchange.sets { states[state.name] = state.value } }
    guard exchange.reply.outcome.kind == .complete, let head = exchange.reply.head else {
      tally.add("did not end with a complete reply, so a Pact file has no place for them")
      return nil
    }
    noteLosses(exchange)
    let request = self.request(exchange.request)
    let response = ComparedResponse(
      status: head.response.status.code,
      fields: fields(head.response.headerFields, besides: Self.responseFields),
      body: Self.body(exchange.reply.body)
    )
    var states: [ProviderState] = []
    for state in exchange.requires where self.states[state.name] != state.value {
      let value = state.value.map { JSONValue.string($0) } ?? .null
      states.append(ProviderState(state.name, parameters: ["value": value]))
    }
    return PactInteraction(
      description(of: exchange, request),
      states: states,
      request: PactPart(request, rules: try rules(exchange.match + scenario.defaults, of: exchange, "match")),
      response: PactPart(response, rules: try rules(exchange.expect, of: exchange, "expect"))
    )
  }

  private mutating func noteLosses(_ exchange: Scenario.Exchange) {
    let reply = exchange.reply
    if reply.trailers != nil || exchange.request.trailers != nil { tally.add("lost their trailers") }
    if !reply.informational.isEmpty { tally.add("lost their informational responses") }
    if reply.body?.chunks.isEmpty == false { tally.add("lost the times of their chunks") }
    if exchange.cause != nil { tally.add("lost what led to them") }
    if !exchange.sets.isEmpty { tally.add("lost the states that they set") }
    if reply.body?.omission != nil || exchange.request.body?.omission != nil {
      tally.add("have content that was not recorded")
    }
    if exchange.isOptional { tally.add("lost that they are optional") }
    if !requests.insert(exchange.request).inserted {
      tally.add("lost their place in a sequence of equal requests")
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
      fields: fields(request.fields, besides: Self.requestFields),
      body: Self.body(request.body)
    )
  }

  private static let connectionFields: Set<String> = [
    "connection", "content-encoding", "content-length", "host", "keep-alive", "proxy-authenticate",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "via",
  ]
  private static let requestFields = connectionFields.union([
    "accept-encoding", "cookie", "date", "if-modified-since", "if-none-match", "user-agent",
  ])
  private static let responseFields = connectionFields.union([
    "accept-ranges", "age", "alt-svc", "cf-ray", "date", "etag", "expires", "last-modified", "server",
    "set-cookie",
    "vary", "x-powered-by", "x-request-id", "x-runtime",
  ])

  private mutating func fields(_ fields: HTTPFields, besides names: Set<String>) -> [FieldLine] {
    let lines = fields.filter { !names.contains($0.name.canonicalName) }
    let known = lines.filter { Placeholder.all(in: Array($0.value.utf8)).isEmpty }
    if known.count < lines.count {
      tally.add("lost fields with secrets: add them when the provider is verified")
    }
    return known.map { FieldLine($0.name.rawName, $0.value) }
  }

  private static func body(_ body: Scenario.Body?) -> ComparedBody {
    guard let body, body.omission == nil, !body.bytes.isEmpty else { return .absent }
    return ComparedBody(.bytes(body.bytes), mediaType: body.type.flatMap { MediaType($0) })
  }

  // MARK: Rules

  private mutating func rules(
    _ rules: [Scenario.Rule],
    of exchange: Scenario.Exchange,
    _ list: String
  ) throws -> JSONObject {
    var groups = PactRuleGroups()
    for rule in rules {
      let checked = try MatchRule(rule, of: exchange.id, in: list)
      guard checked.part != .method else {
        tally.add("lost a rule for the method")
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
