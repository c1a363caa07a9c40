import HTTPTypes
import StagecoachCore

/// Reads mappings of WireMock: stubs, which answer any number of requests.
struct WireMockReader {
  /// Stands for the server, which mappings do not name.
  static let origin = "http://localhost:8080"
  /// The state in which WireMock begins: ours was never set then.
  static let initialState = "Started"

  private var notes = ExchangeTally()
  private var left = ScenarioFolder.limit

  /// - Throws: ``ScenarioError`` if a mapping is malformed and the only one; of several, it is left out.
  static func scenario(in files: [(root: ManifestNode, file: ForeignFile)]) async throws -> ImportedScenario {
    var reader = WireMockReader()
    var scenario = Scenario()
    scenario.origins = [Scenario.Alias(name: "api", origin: origin)]
    scenario.exchanges = try reader.exchanges(in: files)
    for index in scenario.exchanges.indices {
      guard let head = scenario.exchanges[index].reply.head, let body = scenario.exchanges[index].reply.body
      else {
        continue
      }
      scenario.exchanges[index].reply.body = await ForeignBody(body, head.response.headerFields).body
    }
    return ImportedScenario(scenario: scenario, notes: reader.notes.sentences)
  }

  private mutating func exchanges(in files: [(root: ManifestNode, file: ForeignFile)]) throws -> [Scenario
    .Exchange]
  {
    var mappings: [(node: ManifestNode, file: ForeignFile, priority: Int)] = []
    for (root, file) in files {
      try file.reading { () throws -> Void in
        let nodes =
          try root.value.arrayValue != nil ? root.elements() : root.member("mappings")?.elements() ?? [root]
        mappings += nodes.map { ($0, file, $0.value["priority"].flatMap { Int($0.plainText) } ?? 5) }
      }
    }
    try files.last?.file.check(mappings.map(\.node))
    // The one of the highest priority answers, and of those the one that was added last.
    let ranked = mappings.enumerated().sorted { first, second in
      let (a, b) = (first.element.priority, second.element.priority)
      return a == b ? first.offset > second.offset : a < b
    }
    var exchanges: [Scenario.Exchange] = []
    for (_, mapping) in ranked {
      do {
        var exchange = try mapping.file.reading { try self.exchange(mapping.node, mapping.file) }
        exchange.id = Scenario.identifier(at: exchanges.count)
        exchanges.append(exchange)
      } catch let obstacle as WireMockRequest.Obstacle {
        notes.add("was left out: \(obstacle.reason)")
      } catch let error as ScenarioError where mappings.count > 1 && error.kind != .limit {
        notes.add("was left out: \(error)")
      }
    }
    return exchanges
  }

  private mutating func exchange(_ mapping: ManifestNode, _ file: ForeignFile) throws -> Scenario.Exchange {
    // Without a request, any is answered; without a response, with 200.
    let response = mapping.member("response") ?? ManifestNode([:], path: mapping.path)
    guard response.member("proxyBaseUrl") == nil else {
      throw WireMockRequest.Obstacle(reason: "it passes requests on (proxyBaseUrl)")
    }
    var exchange: Scenario.Exchange
    if let recorded = WireMockRecorded.exchange(mapping) {
      exchange = recorded
      exchange.reply = try reply(response, file)
    } else {
      var request = WireMockRequest(mapping.member("request") ?? ManifestNode([:], path: mapping.path))
      exchange = Scenario.Exchange(id: "", request: try request.request(), reply: try reply(response, file))
      exchange.match = request.rules
      for loss in Set(request.losses).sorted() {
        notes.add("lost the pattern \(loss), for which there is no rule")
      }
    }
    for name in ["postServeActions", "serveEventListeners", "scenarioKeyPattern"]
    where mapping.member(name).map(\.isFull) == true {
      notes.add("lost its \(name)")
    }
    exchange.times = .any
    if let name = mapping.value["scenarioName"]?.stringValue {
      if let state = mapping.value["requiredScenarioState"]?.stringValue {
        exchange.requires = [Self.state(name, state)]
      }
      if let state = mapping.value["newScenarioState"]?.stringValue {
        exchange.sets = [Self.state(name, state)]
      }
    }
    return exchange
  }

  private static func state(_ name: String, _ value: String) -> Scenario.State {
    Scenario.State(name: name, value: value == initialState ? nil : value)
  }

  // MARK: Replies

  private mutating func reply(_ node: ManifestNode, _ file: ForeignFile) throws -> Scenario.Reply {
    if let transformers = node.value["transformers"]?.arrayValue, !transformers.isEmpty {
      notes.add("lost its transformers: the text of a template stays as it is")
    }
    let status = try node.member("status").map { try Int($0.scalarText()) ?? $0.count() } ?? 200
    guard (200...999).contains(status) else {
      throw try node.required("status").failure("expected a status from 200 to 999")
    }
    let reason = node.value["statusMessage"]?.stringValue ?? ""
    let fields = try fields(node.member("headers"))
    let response = HTTPResponse(
      status: .init(code: status, reasonPhrase: HTTPField.isValidValue(reason) ? reason : ""),
      headerFields: fields
    )
    let delay = try delay(node)
    if let fault = try node.member("fault")?.string() { return try reply(failing: fault, node, response) }
    var reply = Scenario.Reply(Scenario.Head(response, time: delay), body: try body(node, fields, file))
    if let dribble = node.member("chunkedDribbleDelay"), let body = reply.body {
      reply.body?.chunks = try chunks(of: body.bytes.count, dribble)
    }
    return reply
  }

  private mutating func delay(_ node: ManifestNode) throws -> Duration? {
    if let distribution = node.member("delayDistribution") {
      if let fixed = distribution.member("milliseconds"), distribution.value["type"] == "fixed" {
        return try fixed.duration()
      }
      notes.add("lost the distribution of its delay; its middle is taken")
      let value = distribution.value
      let bounds = [value["lower"], value["upper"]].compactMap { $0?.doubleValue }
      let middle =
        value["median"]?.doubleValue ?? (bounds.isEmpty ? nil : bounds.reduce(0, +) / Double(bounds.count))
      return middle.flatMap { (0...1e9).contains($0) ? .microseconds(Int64($0 * 1000)) : nil }
    }
    guard let delay = node.member("fixedDelayMilliseconds") else { return nil }
    // WireMock takes a number in a text, too.
    let milliseconds = Int(delay.value.plainText)
    guard let milliseconds, (0...1_000_000_000).contains(milliseconds) else { return try delay.duration() }
    return .milliseconds(milliseconds)
  }

  private func reply(
    failing fault: String,
    _ node: ManifestNode,
    _ response: HTTPResponse
  ) throws -> Scenario.Reply {
    switch fault {
    case "CONNECTION_RESET_BY_PEER": return Scenario.Reply(Scenario.Outcome(.reset))
    case "EMPTY_RESPONSE": return Scenario.Reply(Scenario.Outcome(.truncated))
    case "RANDOM_DATA_THEN_CLOSE": return Scenario.Reply(Scenario.Outcome(.protocol))
    case "MALFORMED_RESPONSE_CHUNK":
      var reply = Scenario.Reply(Scenario.Head(response))
      reply.outcome = Scenario.Outcome(.protocol)
      return reply
    default: throw try node.required("fault").failure("unknown fault \"\(fault)\"")
    }
  }

  private mutating func body(_ node: ManifestNode, _ fields: HTTPFields, _ file: ForeignFile) throws
    -> Scenario.Body?
  {
    let type = fields[.contentType]
    if let text = node.member("body") { return Scenario.Body(Bytes(try text.scalarText()), type: type) }
    if let json = node.value["jsonBody"] {
      return Scenario.Body(Bytes(json.serialized()), type: type ?? "application/json")
    }
    if let text = node.member("base64Body") {
      guard let bytes = Bytes(base64: try text.string()) else { throw text.failure("the text is not Base64") }
      return Scenario.Body(bytes, type: type)
    }
    guard let name = node.member("bodyFileName") else { return nil }
    if try name.string().contains("{{") {
      throw WireMockRequest.Obstacle(reason: "the name of its file is a template (\(try name.string()))")
    }
    // A slash at the start begins in the folder, too.
    let path = String(try name.string().drop { $0 == "/" })
    let inner = ManifestNode(.string(path), path: name.path)
    return Scenario.Body(try file.contents(of: inner, in: file.folderOfContents, &left), type: type)
  }

  /// Pieces of nearly the same size, in the same intervals; at most 10,000.
  private func chunks(of size: Int, _ node: ManifestNode) throws -> [Scenario.Body.Chunk] {
    let count = min(max(try node.required("numberOfChunks").count(), 1), max(size, 1), 10_000)
    let total = try node.required("totalDuration").duration()
    return (0..<count).map { index in
      Scenario.Body.Chunk(bytes: size * (index + 1) / count - size * index / count, delay: total / count)
    }
  }

  private mutating func fields(_ node: ManifestNode?) throws -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in try node?.members() ?? [] where value.value != .null {
      let values = try value.value.arrayValue == nil ? [value] : value.elements()
      for value in values {
        let text = try value.scalarText().trimmingBlanks
        guard let name = HTTPField.Name(name), HTTPField.isValidValue(text) else {
          throw value.failure("not a valid field")
        }
        fields.append(HTTPField(name: name, value: text))
      }
    }
    return fields
  }
}

extension ManifestNode {
  /// Whether the value has elements or members.
  fileprivate var isFull: Bool {
    value.arrayValue?.isEmpty != true && value.objectValue?.members.isEmpty != true
  }
}
