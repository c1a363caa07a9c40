import HTTPTypes
import StagecoachCore

extension PactFile {
  /// The interactions as a scenario: requests are compared as the mock server of a consumer test compares them, and
  /// each interaction may answer any number of times.
  ///
  /// Interactions with equal requests, which a provider tells apart by its state, answer in their order.
  ///
  /// - Parameters:
  ///   - origin: The origin of the targets.
  ///   - generators: The inputs of the generators of responses; `nil` to keep the examples.
  /// - Returns: The scenario, and sentences about what it does not hold.
  /// - Throws: `GeneratorError`.
  package func scenario(
    origin: String = "http://localhost",
    generators: GeneratorContext? = nil
  ) throws -> (scenario: Scenario, notes: [String]) {
    var scenario = Scenario(title: "\(consumer.name) to \(provider.name)")
    scenario.origins = [Scenario.Alias(name: "provider", origin: origin)]
    var importer = PactImport(reader: rulesReader, generators: generators)
    var left = unsupported.map { "\"\($0.description)\" is left out: \($0.reason)" }
    for interaction in requests {
      do {
        scenario.exchanges.append(try importer.exchange(of: interaction))
      } catch let error as PactFormatError {
        left.append("\"\(interaction.description)\" is left out: \(error)")
      }
    }
    // The last one of those with an equal request repeats its answer.
    var later: Set<PactImport.Question> = []
    for index in scenario.exchanges.indices.reversed() {
      let isLast = later.insert(PactImport.Question(scenario.exchanges[index])).inserted
      scenario.exchanges[index].times = isLast ? .atLeastOnce : .exactly(1)
    }
    return (scenario, importer.tally.sentences + left)
  }
}

/// Makes exchanges of the interactions of a Pact file.
private struct PactImport {
  let reader: PactRulesReader
  let generators: GeneratorContext?
  var tally = ExchangeTally()
  private var identifiers: Set<String> = []

  init(reader: PactRulesReader, generators: GeneratorContext?) {
    self.reader = reader
    self.generators = generators
  }

  /// What an exchange answers.
  struct Question: Hashable {
    private let request: Scenario.Request
    private let match: [Scenario.Rule]

    init(_ exchange: Scenario.Exchange) {
      request = exchange.request
      match = exchange.match
    }
  }

  /// - Throws: ``PactFormatError`` if the interaction cannot be sent or compared, `GeneratorError`.
  mutating func exchange(of interaction: PactInteraction) throws -> Scenario.Exchange {
    if let obstacle = interaction.obstacle { throw PactFormatError("its rules", obstacle) }
    var request = try interaction.outgoingRequest()
    request.target = "{provider}" + request.target
    request.body = request.body?.pretty()
    var exchange = Scenario.Exchange(
      id: identifier(interaction.description),
      request: request,
      reply: try reply(interaction.response)
    )
    let message = interaction.request.message
    exchange.match =
      try rules(interaction.request.rules) + equality(of: message.fields, besides: interaction.request.rules)
    exchange.expect =
      try rules(interaction.response.rules)
      + equality(of: interaction.response.message.fields, besides: interaction.response.rules)
    if message.body.content == .absent,
      !["GET", "HEAD", "DELETE", "OPTIONS"].contains(request.method.uppercased())
    {
      tally.add("lost that any content of the request is accepted")
    }
    if !interaction.states.isEmpty { tally.add("lost the states of the provider") }
    if interaction.isPending { tally.add("lost that a provider may fail") }
    if !interaction.comments.members.isEmpty { tally.add("lost comments") }
    if !interaction.request.generators.members.isEmpty { tally.add("lost the generators of the request") }
    if generators == nil, !interaction.response.generators.members.isEmpty {
      tally.add("lost the generators of the response")
    }
    return exchange
  }

  private mutating func reply(_ part: PactPart<ComparedResponse>) throws -> Scenario.Reply {
    var message = part.message
    if let generators {
      let rules = try PactGeneratorsReader().generators(.object(part.generators))
      message = try GeneratorApplication(rules, context: generators).response(message)
    }
    let status = message.status ?? 200
    guard (200...999).contains(status) else {
      throw PactFormatError("response.status", "\(status) is not the status of a final response")
    }
    var fields = try HTTPFields(message.fields, at: "response.headers")
    let bytes = message.body.sent(message.fields)
    if bytes != nil { fields.addType(of: message.body) }
    let type = (message.fields.mediaType ?? message.body.mediaType)?.description
    return Scenario.Reply(
      Scenario.Head(HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)),
      body: bytes.map { Scenario.Body($0, type: type).pretty() }
    )
  }

  // MARK: Rules

  private mutating func rules(_ groups: JSONObject) throws(PactFormatError) -> [Scenario.Rule] {
    var rules: [Scenario.Rule] = []
    for group in groups.members {
      guard let part = PactRulesReader.part(group.key), part != .metadata else { continue }
      let object = try group.value.pactObject(group.key)
      if object["matchers"] != nil || object["match"]?.stringValue != nil {
        rules.append(Scenario.Rule(part == .body ? "body$" : part.rawValue, condition(group.value)))
        continue
      }
      for member in object.members {
        let path = try reader.path(member.key, of: part, "\(group.key)['\(member.key)']")
        guard let place = Self.place(part, path) else {
          tally.add("lost a rule for one of several values of a parameter or field")
          continue
        }
        rules.append(Scenario.Rule(place, condition(member.value)))
      }
    }
    return rules
  }

  /// The place of a rule; `nil` if a scenario has no name for it.
  private static func place(_ part: MessagePart, _ path: RulePath) -> String? {
    switch part {
    case .method, .path, .status, .metadata: return part.rawValue
    case .body: return "body" + path.description
    case .query, .header:
      guard path.steps.count == 1, case .key(let name) = path.steps[0], !name.isEmpty else { return nil }
      return "\(part.rawValue).\(name)"
    }
  }

  /// The only matcher of a rule, by its name if it has nothing else; or all of them.
  private func condition(_ rule: JSONValue) -> JSONValue {
    guard let matchers = rule["matchers"]?.arrayValue else { return searching(rule) }
    guard matchers.count == 1, let object = matchers[0].objectValue else {
      var object = rule.objectValue ?? JSONObject()
      object["matchers"] = .array(matchers.map(searching))
      return .object(object)
    }
    return object.members.count == 1 ? object["match"] ?? matchers[0] : searching(matchers[0])
  }

  /// A matcher of a file whose regular expressions match anywhere in a text; in a scenario they match the whole text.
  private func searching(_ matcher: JSONValue) -> JSONValue {
    guard reader.matchers.extent == .anywhere, var object = matcher.objectValue,
      let regex = object["regex"]?.stringValue
    else { return matcher }
    object["regex"] = .string("[\\s\\S]*(?:\(regex))[\\s\\S]*")
    return .object(object)
  }

  /// Rules for the fields that have none, so that a replay compares them.
  private func equality(
    of fields: [FieldLine],
    besides groups: JSONObject
  ) throws(PactFormatError) -> [Scenario.Rule] {
    var known: Set<String> = []
    for rule in try reader.rules(.object(groups)).rules where rule.part == .header {
      if case .key(let name)? = rule.path.steps.first { known.insert(name.lowercased()) }
    }
    return fields.filter { known.insert($0.name.lowercased()).inserted }
      .map { Scenario.Rule("header.\($0.name)", "equality") }
  }

  // MARK: Identifiers

  private static let greatestLength = 120

  /// The description as an identifier, from which the names of files are made.
  private mutating func identifier(_ description: String) -> String {
    let scalars = description.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar.value < 0x20 || scalar.value == 0x7F || "/\\".unicodeScalars.contains(scalar) ? "-" : scalar
    }
    var name = String(String.UnicodeScalarView(scalars.drop { $0 == "." || $0 == " " }))
    while name.utf8.count > Self.greatestLength { name.removeLast() }
    if name.isEmpty { name = "interaction" }
    var unique = name
    var count = 1
    while !identifiers.insert(unique).inserted {
      count += 1
      unique = "\(name) (\(count))"
    }
    return unique
  }
}
