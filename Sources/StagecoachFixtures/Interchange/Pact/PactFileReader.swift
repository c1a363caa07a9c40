import StagecoachCore
import StagecoachScenarios

/// Reads Pact files of versions 1 to 4.
struct PactFileReader {
  /// The most interactions of a file.
  static let greatestCount = 20_000

  /// An error in an interaction.
  private struct Failure: Error {
    let line: Int?
    let error: PactFormatError
  }

  private let path: String
  private var version = PactVersion.v3
  private var rules = PactRulesReader()
  private var warnings: [String] = []
  /// The reason why the interaction that is being read cannot be compared.
  private var obstacle: String?

  init(path: String) {
    self.path = path
  }

  mutating func file(_ contents: [UInt8]) throws(ScenarioError) -> PactFile {
    let root: JSONValue
    do throws(JSONSyntaxError) {
      root = try JSONValue(parsing: contents, limits: JSONValue.pactLimits)
    } catch {
      throw ScenarioError(.syntax, file: path, line: error.line, "\(error)")
    }
    do {
      return try file(root, contents)
    } catch let failure as Failure {
      throw ScenarioError(.invalid, file: path, line: failure.line, "\(failure.error)")
    } catch {
      throw ScenarioError(.invalid, file: path, line: 1, "\(error)")
    }
  }

  private mutating func file(_ root: JSONValue, _ contents: [UInt8]) throws -> PactFile {
    let object = try root.pactObject("the file")
    version = try Self.version(object)
    let metadata = try (object["metadata"].flatMap { $0.isNull ? nil : $0 } ?? [:]).pactObject("metadata")
    var file = PactFile(consumer: "", provider: "", version: version)
    file.path = path
    file.metadata = metadata
    rules = file.rulesReader
    file.consumer = try party(object, "consumer")
    file.provider = try party(object, "provider")
    let hasContents = object["interactions"] != nil || object["messages"] != nil
    guard hasContents else { throw PactFormatError("interactions", "expected an array") }
    for list in ["interactions", "messages"] {
      file.entries += try entries(object[list], list, contents)
    }
    for key in Self.versionKeys { file.metadata[key] = nil }
    file.attributes = attributes(
      of: object,
      besides: ["consumer", "provider", "interactions", "messages", "metadata"],
      "the file"
    )
    file.warnings = warnings
    return file
  }

  // MARK: Version and parties

  static let versionKeys = ["pactSpecification", "pact-specification", "pactSpecificationVersion"]

  private static func version(_ object: JSONObject) throws(PactFormatError) -> PactVersion {
    let metadata = object["metadata"]
    let values = versionKeys.compactMap { key in metadata?[key].flatMap { $0["version"] ?? $0 } }
    guard let value = values.first, !value.isNull else {
      // The type of interactions came with version 4, and version 3 is read as the ones before it too.
      return object["interactions"]?[0]?["type"] == nil ? .v3 : .v4
    }
    guard let version = PactVersion(specification: value.plainText) else {
      throw PactFormatError(
        "metadata",
        "version \(value) of the specification is not known; versions 1 to 4 are read"
      )
    }
    return version
  }

  private func party(_ object: JSONObject, _ key: String) throws(PactFormatError) -> PactFile.Party {
    let value = try (object[key] ?? .null).pactObject(key)
    var party = PactFile.Party(try value.pactText("name", key))
    party.attributes = value
    party.attributes["name"] = nil
    return party
  }

  // MARK: Interactions

  private mutating func entries(
    _ value: JSONValue?,
    _ list: String,
    _ contents: [UInt8]
  ) throws -> [PactFile.Entry] {
    guard let value, !value.isNull else { return [] }
    let values = try value.pactArray(list)
    guard values.count <= Self.greatestCount else {
      throw PactFormatError(list, "there are more than \(Self.greatestCount)")
    }
    let lines = ManifestLines.lines(ofElementsOf: list, in: contents)
    var entries: [PactFile.Entry] = []
    for (index, value) in values.enumerated() {
      let line = index < lines.count ? lines[index] : nil
      do throws(PactFormatError) {
        entries.append(try entry(value, "\(list)[\(index)]", isMessage: list == "messages", line))
      } catch {
        throw Failure(line: line, error: error)
      }
    }
    return entries
  }

  private mutating func entry(
    _ value: JSONValue,
    _ place: String,
    isMessage: Bool,
    _ line: Int?
  ) throws(PactFormatError) -> PactFile.Entry {
    let object = try value.pactObject(place)
    let description = try object.pactText("description", place)
    let states = try states(object, place)
    if let reason = Self.obstacle(object, isMessage: isMessage) {
      return .opaque(
        OpaquePactInteraction(
          description: description,
          states: states,
          value: object,
          reason: reason,
          isMessageOfVersion3: isMessage,
          line: line
        )
      )
    }
    obstacle = nil
    var interaction = PactInteraction(
      description,
      states: states,
      request: try request(object["request"] ?? .null, place + ".request"),
      response: try response(object["response"] ?? .null, place + ".response")
    )
    interaction.obstacle = obstacle
    if let obstacle { warnings.append("\(obstacle); the interaction is only kept") }
    interaction.key = object["key"]?.stringValue
    interaction.isPending = object["pending"]?.boolValue ?? false
    interaction.comments = try (object["comments"].flatMap { $0.isNull ? nil : $0 } ?? [:])
      .pactObject(place + ".comments")
    interaction.line = line
    interaction.attributes = attributes(
      of: object,
      besides: [
        "type", "description", "providerState", "provider_state", "providerStates", "request", "response",
        "key", "pending", "comments",
      ],
      place,
      // These are known, but only to be kept.
      silent: ["transport", "interactionMarkup", "pluginConfiguration", "_id"]
    )
    return .http(interaction)
  }

  /// The reason why an interaction is only kept; `nil` if it is one over HTTP.
  private static func obstacle(_ object: JSONObject, isMessage: Bool) -> String? {
    if isMessage { return "it is a message without HTTP" }
    if let type = object["type"]?.stringValue, type != "Synchronous/HTTP" {
      return type.hasSuffix("/Messages")
        ? "it is a message without HTTP" : "its type \"\(type)\" is not known"
    }
    if let plugins = object["pluginConfiguration"]?.objectValue, !plugins.members.isEmpty {
      return "it needs the plugin \(plugins.members.map(\.key).joined(separator: ", "))"
    }
    return nil
  }

  /// Reads the states: a text in versions 1 and 2, and a list since version 3.
  private func states(_ object: JSONObject, _ place: String) throws(PactFormatError) -> [ProviderState] {
    let place = place + ".providerStates"
    guard let list = object["providerStates"], !list.isNull else {
      let text = (object["providerState"] ?? object["provider_state"])?.stringValue ?? ""
      return text.isEmpty ? [] : [ProviderState(text)]
    }
    if let text = list.stringValue { return [ProviderState(text)] }
    var states: [ProviderState] = []
    for (index, value) in try list.pactArray(place).enumerated() {
      if let text = value.stringValue {
        states.append(ProviderState(text))
        continue
      }
      let place = "\(place)[\(index)]"
      let state = try value.pactObject(place)
      let parameters = state["params"].flatMap { $0.isNull ? nil : $0 } ?? [:]
      states.append(
        ProviderState(
          try state.pactText("name", place),
          parameters: try parameters.pactObject(place + ".params")
        )
      )
    }
    return states
  }

  // MARK: Requests and responses

  private mutating func request(
    _ value: JSONValue,
    _ place: String
  ) throws(PactFormatError) -> PactPart<ComparedRequest> {
    var request = try PactPartsReader(version: version).request(value, at: place)
    request.body.dropRepeatedType(request.fields)
    return try part(request, value, place, besides: ["method", "path", "query", "headers", "body"])
  }

  private mutating func response(
    _ value: JSONValue,
    _ place: String
  ) throws(PactFormatError) -> PactPart<ComparedResponse> {
    var response = try PactPartsReader(version: version).response(value, at: place)
    response.body.dropRepeatedType(response.fields)
    return try part(response, value, place, besides: ["status", "headers", "body"])
  }

  private mutating func part<Message>(
    _ message: Message,
    _ value: JSONValue,
    _ place: String,
    besides known: [String]
  ) throws(PactFormatError) -> PactPart<Message> {
    let object = try value.pactObject(place)
    var part = PactPart(message)
    part.attributes = attributes(of: object, besides: known + ["matchingRules", "generators"], place)
    let generators = object["generators"].flatMap { $0.isNull ? nil : $0 }
    do throws(PactFormatError) {
      let groups = try rules.groups(object["matchingRules"])
      _ = try rules.rules(.object(groups))
      _ = try PactGeneratorsReader().generators(generators)
      part.rules = groups
      part.generators = generators?.objectValue ?? JSONObject()
    } catch {
      // The other interactions of the file are none the worse for it, and the rules are kept as they are.
      obstacle = obstacle ?? "\(place).\(error)"
      part.attributes["matchingRules"] = object["matchingRules"]
      part.attributes["generators"] = generators
    }
    return part
  }

  private mutating func attributes(
    of object: JSONObject,
    besides known: [String],
    _ place: String,
    silent: [String] = []
  ) -> JSONObject {
    let others = object.members.filter { !known.contains($0.key) }
    for member in others where !silent.contains(member.key) {
      warnings.append("\(place): the attribute \"\(member.key)\" is not known; it is kept")
    }
    return JSONObject(others)
  }
}

extension ComparedBody {
  /// Removes a media type that the header says too, so that the same message is equal in all versions.
  fileprivate mutating func dropRepeatedType(_ fields: [FieldLine]) {
    if mediaType == fields.mediaType { mediaType = nil }
  }
}
