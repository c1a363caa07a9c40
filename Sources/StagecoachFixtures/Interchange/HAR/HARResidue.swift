import HTTPTypes
import StagecoachCore

/// What a scenario has and HAR has no place for, in members `_stagecoach` of the log and of its entries: the manifest
/// without the heads and the contents that HAR holds. Other tools ignore it.
struct HARResidue {
  static let member = "_stagecoach"

  private let log: JSONObject
  private let entries: [JSONObject]

  /// - Parameter manifest: The manifest of the scenario.
  init(_ manifest: JSONValue, of scenario: Scenario) {
    var log = manifest.objectValue ?? JSONObject()
    entries = zip(log["exchanges"]?.arrayValue ?? [], scenario.exchanges).map { exchange, model in
      Self.withoutMessages(exchange.objectValue ?? JSONObject(), of: model)
    }
    log["exchanges"] = nil
    self.log = log
  }

  /// The residue in a file; `nil` if an entry has none: another tool has made it, or changed it.
  init?(_ log: ManifestNode, _ entries: [ManifestNode]) {
    guard let own = log.value[Self.member]?.objectValue else { return nil }
    let residues = entries.compactMap { $0.value[Self.member]?.objectValue }
    guard residues.count == entries.count else { return nil }
    (self.log, self.entries) = (own, residues)
  }

  /// The member of the log.
  var ofLog: JSONValue { .object(log) }

  /// The member of an entry.
  func ofEntry(at index: Int) -> JSONValue { .object(entries[index]) }

  // MARK: Taking apart

  private static func withoutMessages(_ exchange: JSONObject, of model: Scenario.Exchange) -> JSONObject {
    var copy = exchange
    if var request = copy["request"]?.objectValue {
      request["method"] = nil
      request["fields"] = nil
      request["body"] = request["body"].map { withoutContent($0, file: model.request.body?.file) }
      copy["request"] = .object(request)
    }
    let events = copy["reply"]?.arrayValue ?? []
    copy["reply"] = .array(
      events.map { event in
        guard var object = event.objectValue else { return event }
        if object["status"] != nil {
          object["reason"] = nil
          object["fields"] = nil
        }
        object["body"] = object["body"].map { withoutContent($0, file: model.reply.body?.file) }
        return .object(object)
      }
    )
    return copy
  }

  /// - Parameter file: The name that the file has in the scenario; that in the manifest may be made up, or shared.
  private static func withoutContent(_ body: JSONValue, file: String?) -> JSONValue {
    guard var object = body.objectValue, object["omitted"] == nil else { return body }
    if object["json"] != nil { object["form"] = "pretty" }
    for key in ["text", "json", "sha256", "bytes", "file"] { object[key] = nil }
    if let file { object["file"] = .string(file) }
    return .object(object)
  }

  // MARK: Putting together

  /// The scenario of the file.
  ///
  /// - Parameter read: What the entries say in the members of HAR, which other tools may have edited.
  /// - Throws: ``ScenarioError``.
  func scenario(with read: [Scenario.Exchange], of file: String) throws -> Scenario {
    var contents = Contents()
    var manifest = log
    var origins = Scenario()
    origins.origins =
      log["origins"]?.objectValue?.members.compactMap { member in
        member.value.stringValue.map { Scenario.Alias(name: member.key, origin: $0) }
      } ?? []
    manifest["exchanges"] = .array(
      zip(entries, read).enumerated().map { index, pair in
        .object(Self.merge(pair.0, pair.1, at: index, origins, &contents))
      }
    )
    var scenario: Scenario
    do {
      scenario = try Scenario(manifest: JSONValue.object(manifest).serialized(), file: file) { name in
        contents.files[name] ?? Bytes()
      }
    } catch let error as ScenarioError {
      // Its line would be one of a manifest that nobody sees.
      throw ScenarioError(error.kind, file: file, "\(Self.member): \(error.message)")
    }
    for index in scenario.exchanges.indices {
      contents.restoreName(of: &scenario.exchanges[index].request.body)
      contents.restoreName(of: &scenario.exchanges[index].reply.body)
    }
    return scenario
  }

  private static func merge(
    _ residue: JSONObject,
    _ read: Scenario.Exchange,
    at index: Int,
    _ origins: Scenario,
    _ contents: inout Contents
  ) -> JSONObject {
    var exchange = residue
    var request = exchange["request"]?.objectValue ?? JSONObject()
    request["method"] = .string(read.request.method)
    let target = request["target"]?.stringValue
    let isSame = target.flatMap { origins.url(of: $0) }?.prefix { $0 != "#" } == read.request.target[...]
    if !isSame { request["target"] = .string(read.request.target) }
    request["fields"] = value(of: read.request.fields)
    request["body"] = request["body"].map {
      contents.add($0, read.request.body?.bytes ?? Bytes(), name: "\(index).request")
    }
    exchange["request"] = .object(request)
    if !read.redacted.isEmpty { exchange["redacted"] = .array(read.redacted.map(\.value)) }
    exchange["reply"] = .array(
      (exchange["reply"]?.arrayValue ?? []).map { event in
        guard var object = event.objectValue else { return event }
        if object["status"] != nil, let head = read.reply.head {
          object["status"] = .number(JSONNumber(head.response.status.code))
          let reason = head.response.status.reasonPhrase
          if !reason.isEmpty { object["reason"] = .string(reason) }
          object["fields"] = value(of: head.response.headerFields)
        }
        object["body"] = object["body"].map {
          contents.add($0, read.reply.body?.bytes ?? Bytes(), name: "\(index).response")
        }
        return .object(object)
      }
    )
    return exchange
  }

  private static func value(of fields: HTTPFields) -> JSONValue {
    .array(fields.map { .array([.string($0.name.rawName), .string($0.value)]) })
  }
}

/// The contents of bodies, as files of a manifest.
private struct Contents {
  private(set) var files: [String: Bytes] = [:]
  /// The names that the files have in the scenario; those of bodies without a file are not here.
  private var names: [String: String] = [:]

  /// The member of a body, with a file for its content.
  mutating func add(_ body: JSONValue, _ read: Bytes, name: String) -> JSONValue {
    guard var object = body.objectValue, object["omitted"] == nil else { return body }
    files[name] = object[HARWriter.binaryContent]?.stringValue.flatMap { Bytes(base64: $0) } ?? read
    object[HARWriter.binaryContent] = nil
    names[name] = object["file"]?.stringValue
    object["file"] = .string(name)
    // An edited text may be no JSON any longer.
    if object["form"] == "pretty", (try? JSONValue(parsing: files[name]?.array ?? [])) == nil {
      object["form"] = nil
    }
    return .object(object)
  }

  func restoreName(of body: inout Scenario.Body?) {
    if let name = body?.file { body?.file = names[name] }
  }
}
