import HTTPTypes
import StagecoachFormats

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes a manifest: the same scenario gives the same bytes.
struct ManifestWriter {
  private(set) var bodies: BodyFiles

  /// - Parameter before: The files of the scenario as it was written before.
  init(_ before: BodyFiles = BodyFiles()) {
    bodies = BodyFiles(after: before)
  }

  /// The longest content that stands in the manifest, in bytes.
  private static let inlineLimit = 200

  mutating func manifest(of scenario: Scenario) throws -> [UInt8] {
    var root: [JSONObject.Member] = []
    root.add("$schema", scenario.schema.map(JSONValue.string))
    root.add("format", .string(Scenario.format))
    root.add("title", scenario.title.map(JSONValue.string))
    if let recording = scenario.recording {
      root.add(
        "recorded",
        .object([
          ("at", try recording.date.map(Self.text)), ("by", recording.recorder),
          ("against", recording.origin),
          ("position", recording.position),
        ])
      )
    }
    root.add("expires", try scenario.expires.map { .string(try Self.text($0)) })
    if scenario.policy != Scenario.Policy() {
      root.add(
        "policy",
        .object([
          ("order", scenario.policy.order.rawValue), ("unused", scenario.policy.unused.rawValue),
          ("mode", scenario.policy.mode?.rawValue),
        ])
      )
    }
    root.add("clock", try scenario.clock.map { .string(try Self.text($0)) })
    root.add("seed", scenario.seed.map { .number(JSONNumber($0)) })
    if !scenario.origins.isEmpty {
      root.add("origins", .object(scenario.origins.map { ($0.name, $0.origin) }))
    }
    root.add(rules: scenario.defaults, as: "defaults")
    root.add("exchanges", .array(try scenario.exchanges.map { try exchange($0) }))
    return ManifestText.bytes(of: .object(JSONObject(root)))
  }

  private static func text(_ date: Date) throws -> String {
    guard let text = try QueryEncoder.DateStyle.iso8601.text(of: date) else {
      throw ScenarioError(
        .invalid,
        file: ManifestFile.name,
        "a time lies outside of the years 0 to 9999"
      )
    }
    return text
  }

  private mutating func exchange(_ exchange: Scenario.Exchange) throws -> JSONValue {
    var members: [JSONObject.Member] = []
    members.add("id", .string(exchange.id))
    if let cause = exchange.cause { members.add("because", .object([(cause.kind.rawValue, cause.exchange)])) }
    if exchange.isOptional { members.add("optional", true) }
    if exchange.times != .exactly(1) { members.add("times", Self.value(of: exchange.times)) }
    members.add(states: exchange.requires, as: "requires")
    members.add(states: exchange.sets, as: "sets")
    members.add("request", try request(exchange.request, of: exchange.id))
    members.add(rules: exchange.match, as: "match")
    if let omission = exchange.omission {
      members.add("omitted", .string(omission))
    } else {
      members.add("reply", try reply(exchange.reply, of: exchange.id))
    }
    members.add(rules: exchange.expect, as: "expect")
    if !exchange.redacted.isEmpty {
      members.add("redacted", .array(exchange.redacted.map(\.value)))
    }
    return .object(JSONObject(members))
  }

  /// An identifier as the start of the name of a file.
  private static func name(of id: String) -> String {
    String(
      decoding: id.utf8.prefix(100).map { Scenario.isOfAlias($0) ? $0 : UInt8(ascii: "_") },
      as: UTF8.self
    )
  }

  private static func value(of times: Scenario.Times) -> JSONValue {
    switch times {
    case .exactly(let count): .number(JSONNumber(count))
    case .atLeastOnce: "1..."
    case .any: "any"
    case .last: "last"
    }
  }

  private mutating func request(_ request: Scenario.Request, of id: String) throws -> JSONValue {
    var members: [JSONObject.Member] = []
    members.add("method", .string(request.method))
    members.add("target", .string(request.target))
    members.add("version", request.version.map(JSONValue.string))
    if !request.fields.isEmpty { members.add("fields", Self.value(of: request.fields)) }
    members.add("body", try request.body.map { try body($0, named: Self.name(of: id) + ".request") })
    members.add("trailers", request.trailers.map(Self.value))
    return .object(JSONObject(members))
  }

  private mutating func reply(_ reply: Scenario.Reply, of id: String) throws -> JSONValue {
    var events = reply.informational.map { Self.value(of: $0, "informational") }
    if let head = reply.head { events.append(Self.value(of: head, "status")) }
    if let body = reply.body {
      events.append(["body": try self.body(body, named: Self.name(of: id) + ".response")])
    }
    if let trailers = reply.trailers { events.append(["trailers": Self.value(of: trailers)]) }
    var end: [JSONObject.Member] = []
    end.add("t", reply.end.map(Self.value))
    end.add("end", .string(reply.outcome.kind.rawValue))
    end.add("detail", reply.outcome.detail.map(JSONValue.string))
    events.append(.object(JSONObject(end)))
    return .array(events)
  }

  private static func value(of head: Scenario.Head, _ key: String) -> JSONValue {
    var members: [JSONObject.Member] = []
    members.add("t", head.time.map(value))
    members.add(key, .number(JSONNumber(head.response.status.code)))
    let reason = head.response.status.reasonPhrase
    if !reason.isEmpty { members.add("reason", .string(reason)) }
    members.add("version", head.version.map(JSONValue.string))
    if !head.response.headerFields.isEmpty { members.add("fields", value(of: head.response.headerFields)) }
    return .object(JSONObject(members))
  }

  private static func value(of fields: HTTPFields) -> JSONValue {
    .array(fields.map { .array([.string($0.name.rawName), value(of: $0)]) })
  }

  /// A value that is not UTF-8 is written with a character of Latin-1 for each octet.
  private static func value(of field: HTTPField) -> JSONValue {
    field.withUnsafeBytesOfValue { octets in
      if let text = String(validating: octets, as: UTF8.self) { return .string(text) }
      return ["latin1": .string(String(decoding: octets.map(UInt16.init), as: UTF16.self))]
    }
  }

  /// Milliseconds, to the microsecond.
  private static func value(of duration: Duration) -> JSONValue {
    let (seconds, attoseconds) = duration.components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let (whole, rest) = (microseconds / 1000, microseconds % 1000)
    guard rest != 0 else { return .number(JSONNumber(whole)) }
    var digits = String(rest + 1000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return JSONNumber("\(whole).\(digits)").map(JSONValue.number) ?? .number(JSONNumber(whole))
  }

  // MARK: Bodies

  private mutating func body(_ body: Scenario.Body, named name: String) throws -> JSONValue {
    var members: [JSONObject.Member] = []
    if let omission = body.omission {
      members.add("omitted", .string(omission.reason))
      members.add("bytes", .number(JSONNumber(omission.bytes)))
    } else {
      try add(contentOf: body, named: name, to: &members)
    }
    members.add("type", body.type.map(JSONValue.string))
    if !body.codings.isEmpty { members.add("coding", .array(body.codings.map(JSONValue.string))) }
    members.add("framing", body.framing.map { .string($0.rawValue) })
    if !body.chunks.isEmpty {
      members.add(
        "chunks",
        .array(body.chunks.map { .array([.number(JSONNumber($0.bytes)), Self.value(of: $0.delay)]) })
      )
    }
    return .object(JSONObject(members))
  }

  private mutating func add(
    contentOf body: Scenario.Body,
    named name: String,
    to members: inout [JSONObject.Member]
  ) throws {
    let octets = body.bytes.array
    // What stands on more than one line, or has other white space here than there, is written as it is.
    let spacing = body.form == .pretty ? JSONSpacing(of: octets) : nil
    let marks = spacing.flatMap { $0.marks.isEmpty ? nil : JSONValue.array($0.marks.map(JSONValue.string)) }
    if body.file == nil, octets.count <= Self.inlineLimit {
      // A value in the manifest does not keep escapes that are not needed.
      if let spacing, let value = try? JSONValue(parsing: octets),
        spacing.applied(to: value.serialized()) == octets
      {
        members.add("json", value)
        members.add("spacing", marks)
        return
      }
      if let text = String(validating: body.bytes.array, as: UTF8.self) {
        return members.add("text", .string(text))
      }
    }
    let file = try bodies.add(
      body.file ?? "\(name).\(FileExtension.of(body))",
      body.bytes,
      isPretty: spacing != nil
    )
    members.add("file", .string(file.name))
    members.add("sha256", .string(file.digest))
    members.add("bytes", .number(JSONNumber(body.bytes.count)))
    guard spacing != nil else { return }
    members.add("form", "pretty")
    members.add("spacing", marks)
  }
}

extension [JSONObject.Member] {
  fileprivate mutating func add(_ key: String, _ value: JSONValue?) {
    if let value { append(JSONObject.Member(key: key, value: value)) }
  }

  fileprivate mutating func add(rules: [Scenario.Rule], as key: String) {
    guard !rules.isEmpty else { return }
    add(key, .object(JSONObject(rules.map { JSONObject.Member(key: $0.place, value: $0.condition) })))
  }

  fileprivate mutating func add(states: [Scenario.State], as key: String) {
    guard !states.isEmpty else { return }
    let members = states.map {
      JSONObject.Member(key: $0.name, value: $0.value.map(JSONValue.string) ?? .null)
    }
    add(key, .object(JSONObject(members)))
  }
}

extension JSONValue {
  /// An object of the pairs that have a value.
  fileprivate static func object(_ pairs: [(String, String?)]) -> JSONValue {
    .object(
      JSONObject(
        pairs.compactMap { key, value in value.map { JSONObject.Member(key: key, value: .string($0)) } }
      )
    )
  }
}
