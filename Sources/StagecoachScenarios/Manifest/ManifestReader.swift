import HTTPTypes
package import StagecoachFormats

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a manifest; contents of body files come from a closure.
struct ManifestReader {
  private typealias Failure = ManifestNode.Failure

  /// Returns the content of a file; the digest is what the manifest says of it.
  let readFile: (_ name: String, _ digest: String?) throws -> Bytes

  func scenario(_ root: ManifestNode) throws -> Scenario {
    let format = try root.required("format").string()
    guard format == Scenario.format else {
      throw try root.required("format").failure(
        "unknown format \"\(format)\"; this version reads \"\(Scenario.format)\""
      )
    }
    try root.expectMembers([
      "$schema", "format", "title", "recorded", "expires", "policy", "clock", "seed", "origins", "defaults",
      "exchanges",
    ])
    var scenario = Scenario(title: try root.member("title")?.string())
    scenario.schema = try root.member("$schema")?.string()
    scenario.recording = try root.member("recorded").map(recording)
    scenario.expires = try root.member("expires").map(date)
    scenario.clock = try root.member("clock").map(date)
    if let node = root.member("seed") {
      guard case .number(let number) = node.value, let seed = number.uint64 else {
        throw node.failure("expected a whole number from 0 to \(UInt64.max)")
      }
      scenario.seed = seed
    }
    if let node = root.member("policy") {
      try node.expectMembers(["order", "unused", "mode"])
      scenario.policy.order = try node.member("order")?.choice(of: Scenario.Policy.Order.self) ?? .any
      scenario.policy.unused = try node.member("unused")?.choice(of: Scenario.Policy.Unused.self) ?? .fail
      scenario.policy.mode = try node.member("mode")?.choice(of: FixtureMode.self)
    }
    scenario.origins = try root.member("origins")?.members().map(alias) ?? []
    scenario.defaults = try rules(root.member("defaults"))
    scenario.exchanges = try root.required("exchanges").elements().map(exchange)
    try check(scenario, root)
    return scenario
  }

  private func check(_ scenario: Scenario, _ root: ManifestNode) throws {
    var seen: Set<String> = []
    let aliases = Set(scenario.origins.map(\.name))
    for (exchange, node) in zip(scenario.exchanges, try root.required("exchanges").elements()) {
      if let cause = exchange.cause, !seen.contains(cause.exchange) {
        throw try node.required("because").failure(
          "no exchange before this one has the id \"\(cause.exchange)\""
        )
      }
      guard seen.insert(exchange.id).inserted else {
        throw try node.required("id").failure("another exchange has the id \"\(exchange.id)\"")
      }
      if let alias = Scenario.alias(in: exchange.request.target), !aliases.contains(alias) {
        throw try node.required("request").required("target").failure("no origin is called \"\(alias)\"")
      }
    }
  }

  private func recording(_ node: ManifestNode) throws -> Scenario.Recording {
    try node.expectMembers(["at", "by", "against", "position"])
    return Scenario.Recording(
      date: try node.member("at").map(date),
      recorder: try node.member("by")?.string(),
      origin: try node.member("against")?.string(),
      position: try node.member("position")?.string()
    )
  }

  private func date(_ node: ManifestNode) throws -> Date {
    guard let date = try QueryEncoder.DateStyle.iso8601.date(node.string()) else {
      throw node.failure("expected a time such as \"2026-02-28T12:30:00Z\"")
    }
    return date
  }

  private func alias(_ key: String, _ node: ManifestNode) throws -> Scenario.Alias {
    guard !key.isEmpty, key.utf8.allSatisfy(Scenario.isOfAlias) else {
      throw node.failure("the name of an origin has letters, digits, - and _ only")
    }
    return Scenario.Alias(name: key, origin: try node.string())
  }

  private func rules(_ node: ManifestNode?) throws -> [Scenario.Rule] {
    try node?.members().map { Scenario.Rule($0.key, $0.node.value) } ?? []
  }

  // MARK: Exchanges

  private func exchange(_ node: ManifestNode) throws -> Scenario.Exchange {
    try node.expectMembers([
      "id", "because", "request", "reply", "times", "requires", "sets", "match", "expect", "optional",
      "redacted", "omitted",
    ])
    let id = try node.required("id").string()
    guard !id.isEmpty else { throw try node.required("id").failure("the id is empty") }
    let omission = try node.member("omitted")?.string()
    var exchange = Scenario.Exchange(
      id: id,
      request: try request(node.required("request")),
      reply: try omission == nil
        ? reply(node.required("reply")) : Scenario.Reply(Scenario.Outcome(.complete))
    )
    exchange.omission = omission
    exchange.redacted = try node.member("redacted")?.elements().map(Scenario.RedactedLeaf.init) ?? []
    exchange.times = try node.member("times").map(times) ?? .exactly(1)
    exchange.requires = try states(node.member("requires"))
    exchange.sets = try states(node.member("sets"))
    exchange.match = try rules(node.member("match"))
    exchange.expect = try rules(node.member("expect"))
    exchange.isOptional = try node.member("optional")?.bool() ?? false
    if let cause = node.member("because") {
      let members = try cause.members()
      guard members.count == 1, let kind = Scenario.Cause.Kind(rawValue: members[0].key) else {
        let known = Scenario.Cause.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw cause.failure("expected one of the members \(known)")
      }
      exchange.cause = Scenario.Cause(kind, of: try members[0].node.string())
    }
    return exchange
  }

  private func times(_ node: ManifestNode) throws -> Scenario.Times {
    switch node.value {
    case .string("1..."): return .atLeastOnce
    case .string("any"): return .any
    case .string("last"): return .last
    default:
      guard let count = node.value.intValue, count > 0 else {
        throw node.failure("expected a number of at least 1, \"1...\", \"any\" or \"last\"")
      }
      return .exactly(count)
    }
  }

  private func states(_ node: ManifestNode?) throws -> [Scenario.State] {
    try node?.members().map {
      Scenario.State(name: $0.key, value: $0.node.value.isNull ? nil : try $0.node.string())
    } ?? []
  }

  private func request(_ node: ManifestNode) throws -> Scenario.Request {
    try node.expectMembers(["method", "target", "version", "fields", "body", "trailers"])
    let method = try node.required("method").string()
    guard HTTPRequest.Method(method) != nil else {
      throw try node.required("method").failure("\"\(method)\" is not a method")
    }
    var request = Scenario.Request(
      method,
      try node.required("target").string(),
      fields: try node.member("fields")?.fields() ?? [:],
      body: try node.member("body").map(body)
    )
    request.version = try node.member("version")?.string()
    request.trailers = try node.member("trailers")?.fields()
    return request
  }

  // MARK: Replies

  /// Reads a timeline: informational heads, the head, the body, the trailers, the end.
  private func reply(_ node: ManifestNode) throws -> Scenario.Reply {
    var reply = Scenario.Reply(Scenario.Outcome(.complete))
    var isEnded = false
    for event in try node.elements() {
      guard !isEnded else { throw event.failure("nothing follows the end") }
      if event.member("informational") != nil {
        guard reply.head == nil else {
          throw event.failure("an informational response comes before the head")
        }
        reply.informational.append(try head(event, "informational", 100...199))
      } else if event.member("status") != nil {
        guard reply.head == nil else { throw event.failure("a reply has one head") }
        reply.head = try head(event, "status", 200...999)
      } else if let content = event.member("body") {
        try event.expectMembers(["body"])
        guard reply.head != nil, reply.body == nil, reply.trailers == nil else {
          throw event.failure("the body comes once, after the head and before the trailers")
        }
        reply.body = try body(content)
      } else if let trailers = event.member("trailers") {
        try event.expectMembers(["trailers"])
        guard reply.head != nil, reply.trailers == nil else {
          throw event.failure("trailers come once, after the head")
        }
        reply.trailers = try trailers.fields()
      } else if let end = event.member("end") {
        try event.expectMembers(["t", "end", "detail"])
        reply.outcome = Scenario.Outcome(
          try end.choice(of: Scenario.Outcome.Kind.self),
          detail: try event.member("detail")?.string()
        )
        reply.end = try event.member("t")?.duration()
        isEnded = true
      } else {
        throw event.failure("expected an event with informational, status, body, trailers or end")
      }
    }
    guard reply.head != nil || reply.outcome.kind != .complete else {
      throw node.failure("a complete reply has a head with a status")
    }
    return reply
  }

  private func head(_ node: ManifestNode, _ key: String, _ codes: ClosedRange<Int>) throws -> Scenario.Head {
    try node.expectMembers(["t", key, "reason", "version", "fields"])
    let status = try node.required(key)
    let code = try status.count()
    guard codes.contains(code) else {
      throw status.failure("expected a status from \(codes.lowerBound) to \(codes.upperBound)")
    }
    let reason = try node.member("reason")?.string() ?? ""
    guard HTTPField.isValidValue(reason) else {
      throw try node.required("reason").failure("not a reason phrase")
    }
    return Scenario.Head(
      HTTPResponse(
        status: HTTPResponse.Status(code: code, reasonPhrase: reason),
        headerFields: try node.member("fields")?.fields() ?? [:]
      ),
      version: try node.member("version")?.string(),
      time: try node.member("t")?.duration()
    )
  }

  // MARK: Bodies

  private func body(_ node: ManifestNode) throws -> Scenario.Body {
    try node.expectMembers([
      "file", "text", "json", "omitted", "sha256", "bytes", "type", "coding", "framing", "form", "spacing",
      "chunks",
    ])
    let places = ["file", "text", "json", "omitted"].compactMap { node.member($0) == nil ? nil : $0 }
    // `null` is a JSON text too.
    let isNull = node.value["json"]?.isNull == true
    guard places.count + (isNull ? 1 : 0) == 1 else {
      throw node.failure("expected one of the members file, text, json and omitted")
    }
    var body = try content(node)
    body.type = try node.member("type")?.string()
    body.codings = try node.member("coding")?.elements().map { try $0.string() } ?? []
    body.framing = try node.member("framing")?.choice(of: Scenario.Body.Framing.self)
    body.chunks = try node.member("chunks")?.elements().map(chunk) ?? []
    return body
  }

  private func content(_ node: ManifestNode) throws -> Scenario.Body {
    if let text = node.member("text") { return Scenario.Body(Bytes(try text.string())) }
    if let json = node.value["json"] {
      var body = Scenario.Body(Bytes(try spacing(node).applied(to: json.serialized())))
      body.form = .pretty
      return body
    }
    if let omitted = node.member("omitted") {
      var body = Scenario.Body(Bytes())
      body.omission = Scenario.Body.Omission(
        bytes: try node.member("bytes")?.count() ?? 0,
        reason: try omitted.string()
      )
      return body
    }
    return try content(ofFile: node)
  }

  private func content(ofFile node: ManifestNode) throws -> Scenario.Body {
    let file = try node.required("file")
    let name = try file.string()
    guard ManifestFile.mayHave(name) else {
      throw ScenarioError(.unsafePath, file: name, "a body file lies in the folder of its scenario")
    }
    let digest = node.member("sha256")
    var bytes = try readFile(name, digest?.string())
    if let digest {
      let actual = SHA256.hash(bytes.array).hexadecimal
      guard try digest.string() == actual else {
        throw digest.failure("\(name) has other content: its SHA-256 is \(actual)")
      }
    }
    let form = try node.member("form")?.choice(of: Scenario.Body.Form.self) ?? .exact
    if form == .pretty {
      do {
        _ = try JSONValue(parsing: bytes.array)
      } catch {
        throw ScenarioError(.syntax, file: name, line: error.line, "\(error)")
      }
      bytes = Bytes(try spacing(node).applied(to: bytes.array))
    }
    if let count = node.member("bytes"), try count.count() != bytes.count {
      throw count.failure("\(name) stands for \(bytes.count) bytes")
    }
    var body = Scenario.Body(bytes)
    (body.form, body.file) = (form, name)
    return body
  }

  private func spacing(_ node: ManifestNode) throws -> JSONSpacing {
    let member = node.member("spacing")
    guard let spacing = JSONSpacing(marks: try member?.elements().map { try $0.string() } ?? []) else {
      throw (member ?? node).failure(#"expected marks of JSON with white space, such as ", " and ": ""#)
    }
    return spacing
  }

  private func chunk(_ node: ManifestNode) throws -> Scenario.Body.Chunk {
    let parts = try node.elements()
    guard parts.count == 2 else { throw node.failure("expected a number of bytes and milliseconds") }
    return Scenario.Body.Chunk(bytes: try parts[0].count(), delay: try parts[1].duration())
  }
}

extension Scenario.RedactedLeaf {
  /// Reads an entry: a part, a path and a name.
  package init(_ node: ManifestNode) throws(ManifestNode.Failure) {
    let parts = try node.elements()
    guard parts.count == 3 else { throw node.failure("expected a part, a path and a name such as \"PIN-1\"") }
    self.init(try parts[0].string(), try parts[1].string(), try parts[2].string())
  }

  /// The entry in a manifest.
  package var value: JSONValue { [.string(part), .string(path), .string(name)] }
}
