import HTTPTypes
import StagecoachCore

/// The expected result of a client; `or` lists alternatives.
struct Expectation: Sendable {
  private let statuses: [Int]
  private let reason: String?
  private let fields: [(name: String, value: String)]
  private let octets: [(name: String, value: [UInt8])]
  private let absent: [String]
  private let exact: [String]?
  private let body: [UInt8]?
  private let bodyLength: Int?
  /// The length that is known before the body is read; an inner nil if there must be none.
  private let length: Int64??
  private let trailers: [(name: String, value: String)]?
  private let errors: [String]
  private let isPartial: Bool
  private let mayHaveBeenSent: Bool?
  private let needs: TransportCapabilities
  private let others: [Expectation]

  init(_ json: JSONValue) throws {
    try json.refuseOthers(than: [
      "status", "reason", "fields", "octets", "absent", "exact", "body", "bodyLength", "length", "trailers",
      "error", "bodyError", "requestMayHaveBeenSent", "needs", "or",
    ])
    guard json["error"] == nil || json["bodyError"] == nil else {
      throw ScriptError("a failure is before the body or in it, not both")
    }
    statuses = try json["status"]?.numbers() ?? []
    reason = try json.text("reason")
    fields = try json["fields"]?.pairs() ?? []
    octets = try json["octets"]?.pairs().map { ($0.name, try WireStep.bytes(of: $0.value)) } ?? []
    absent = try json["absent"]?.texts() ?? []
    exact = try json["exact"]?.texts()
    body = try json["body"].map { try WireStep.bytes(of: try $0.texts().joined()) }
    bodyLength = try json.number("bodyLength")
    if json["length"] == .null {
      length = .some(nil)
    } else {
      length = try json.number("length").map { Int64($0) }
    }
    trailers = try json["trailers"]?.pairs()
    isPartial = json["bodyError"] != nil
    errors = try (json["error"] ?? json["bodyError"])?.texts() ?? []
    mayHaveBeenSent = try json.flag("requestMayHaveBeenSent")
    needs = try json["needs"]?.capabilities() ?? []
    others = try (json.items("or") ?? []).map { try Expectation($0) }
  }

  /// Whether an exchange that fails is as good.
  var mayFail: Bool { !errors.isEmpty || others.contains { $0.mayFail } }

  /// Throws if neither this nor one of the others holds, of those that a transport with these capabilities may choose.
  func judge(_ observation: Observation, of declared: TransportCapabilities) throws {
    do {
      try judgeAlone(observation)
    } catch {
      let allowed = others.filter { declared.isSuperset(of: $0.needs) }
      guard !allowed.contains(where: { (try? $0.judge(observation, of: declared)) != nil }) else { return }
      throw error
    }
  }

  private func judgeAlone(_ observation: Observation) throws {
    if errors.isEmpty {
      if observation.error != nil { throw CheckFailure("it failed: \(observation)") }
    } else {
      guard let error = observation.error as? ExchangeError else {
        throw CheckFailure("expected a failure of kind \(errors), but it was \(observation)")
      }
      try require(
        errors.contains(error.kind.description) || errors.contains("any"),
        "expected a failure of kind \(errors), but it was \(observation)"
      )
      try require(!error.message.isEmpty, "the failure says nothing")
      if case .limit = error.kind {
        try require(
          error.limit?.option.isEmpty == false,
          "the failure does not name its limit: \(observation)"
        )
      }
      if isPartial { try require(observation.response != nil, "it failed before a response: \(observation)") }
      if let mayHaveBeenSent {
        try require(
          error.requestMayHaveBeenSent == mayHaveBeenSent,
          "requestMayHaveBeenSent is \(error.requestMayHaveBeenSent.map { "\($0)" } ?? "nil"): \(observation)"
        )
      }
    }
    try judgeHead(observation)
    if let body {
      try require(
        observation.body == body,
        "the body is \(shown(observation.body)), expected \(shown(body))"
      )
    }
    if let bodyLength {
      try require(
        observation.body.count == bodyLength,
        "the body has \(observation.body.count) bytes, expected \(bodyLength)"
      )
    }
    if let length {
      let seen = observation.response?.body.length
      try require(
        seen == length,
        "the length is \(seen.map { "\($0)" } ?? "unknown"), expected \(length.map { "\($0)" } ?? "none")"
      )
    }
    if let trailers {
      let seen = (observation.trailers ?? [:]).map { "\($0.name.rawName): \($0.value)" }
      let wanted = trailers.map { "\($0.name): \($0.value)" }
      try require(seen == wanted, "the trailers are \(seen), expected \(wanted)")
    }
  }

  private func judgeHead(_ observation: Observation) throws {
    guard let response = observation.response else {
      return try require(statuses.isEmpty || !errors.isEmpty, "there was no response: \(observation)")
    }
    if !statuses.isEmpty {
      try require(
        statuses.contains(response.status.code),
        "the status is \(response.status.code), expected \(statuses)"
      )
    }
    if let reason {
      try require(
        response.status.reasonPhrase == reason,
        "the reason phrase is \"\(response.status.reasonPhrase)\", expected \"\(reason)\""
      )
    }
    // In the order of the script, so that a failure names the same field each time.
    var judged: Set<String> = []
    for (name, _) in fields where judged.insert(name).inserted {
      let wanted = fields.filter { $0.name == name }.map(\.value)
      guard let fieldName = HTTPField.Name(name) else { throw ScriptError("\(name) is not a field name") }
      let seen = response.fields[values: fieldName]
      try require(seen == wanted, "\(name) has the values \(seen), expected \(wanted)")
    }
    for (name, wanted) in octets {
      guard let fieldName = HTTPField.Name(name) else { throw ScriptError("\(name) is not a field name") }
      let seen = response.fields[fields: fieldName].map(\.octets)
      try require(seen == [wanted], "\(name) has the octets \(seen.map(shown)), expected \(shown(wanted))")
    }
    for name in absent {
      guard let fieldName = HTTPField.Name(name) else { throw ScriptError("\(name) is not a field name") }
      try require(!response.fields.contains(fieldName), "there is a field \(name)")
    }
    if let exact {
      let seen = response.fields.map(\.name.rawName)
      try require(seen == exact, "the fields are \(seen), expected \(exact)")
    }
  }

  private func shown(_ bytes: [UInt8]) -> String {
    bytes.count <= 200 ? "\"\(String(decoding: bytes, as: UTF8.self))\"" : "\(bytes.count) bytes"
  }
}
