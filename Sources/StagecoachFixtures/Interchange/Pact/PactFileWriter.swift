import StagecoachCore

/// Writes Pact files of versions 3 and 4: members and interactions in one order, so that equal files have equal bytes.
struct PactFileWriter {
  /// The version of the file.
  let version: PactVersion
  /// Sentences about what the version cannot hold.
  private(set) var losses: [String] = []

  init(_ version: PactVersion) {
    self.version = version
  }

  mutating func bytes(of file: PactFile) throws(ScenarioError) -> [UInt8] {
    var interactions: [(key: [String], value: JSONValue)] = []
    var messages: [(key: [String], value: JSONValue)] = []
    for entry in file.entries {
      switch entry {
      case .http(let interaction):
        interactions.append((Self.key(interaction.description, interaction.states), value(of: interaction)))
      case .opaque(let interaction):
        let key = Self.key(interaction.description, interaction.states)
        let (value, isMessage) = try value(of: interaction, in: file)
        if isMessage { messages.append((key, value)) } else { interactions.append((key, value)) }
      }
    }
    var root: JSONObject = [
      "consumer": Self.value(of: file.consumer), "provider": Self.value(of: file.provider),
    ]
    if !interactions.isEmpty || messages.isEmpty { root["interactions"] = Self.sorted(interactions) }
    if !messages.isEmpty { root["messages"] = Self.sorted(messages) }
    var metadata = file.metadata
    metadata["pactSpecification"] = ["version": version == .v4 ? "4.0" : "3.0.0"]
    root["metadata"] = .object(metadata.sortedByKey)
    root.members += file.attributes.members
    let text = JSONValue.object(root).serialized(JSONValue.WritingOptions(isPretty: true))
    return text + [UInt8(ascii: "\n")]
  }

  private static func key(_ description: String, _ states: [ProviderState]) -> [String] {
    [description] + states.map { $0.name + JSONValue.object($0.parameters).description }
  }

  private static func sorted(_ values: [(key: [String], value: JSONValue)]) -> JSONValue {
    // The position decides between equal keys, since the sort does not promise to be stable.
    .array(
      values.enumerated().sorted { left, right in
        left.element.key == right.element.key
          ? left.offset < right.offset : left.element.key.lexicographicallyPrecedes(right.element.key)
      }
      .map(\.element.value)
    )
  }

  private static func value(of party: PactFile.Party) -> JSONValue {
    .object(
      JSONObject([JSONObject.Member(key: "name", value: .string(party.name))] + party.attributes.members)
    )
  }

  // MARK: Interactions

  private mutating func value(of interaction: PactInteraction) -> JSONValue {
    var object = JSONObject()
    if version == .v4 {
      object["type"] = "Synchronous/HTTP"
      object["key"] = .string(interaction.key ?? Self.hash(of: interaction))
    }
    object["description"] = .string(interaction.description)
    if version == .v4 {
      object["pending"] = .bool(interaction.isPending)
      if !interaction.comments.members.isEmpty { object["comments"] = .object(interaction.comments) }
    } else if interaction.isPending || !interaction.comments.members.isEmpty {
      losses.append("\"\(interaction.description)\" is pending or has comments, which need version 4")
    }
    object.members += content(of: interaction).members + interaction.attributes.members
    return .object(object)
  }

  /// The states, the request and the response: what makes two interactions the same.
  mutating func content(of interaction: PactInteraction) -> JSONObject {
    var object = JSONObject()
    if !interaction.states.isEmpty { object["providerStates"] = Self.value(of: interaction.states) }
    object["request"] = .object(request(interaction.request, "the request of \"\(interaction.description)\""))
    object["response"] = .object(
      response(interaction.response, "the response of \"\(interaction.description)\"")
    )
    return object
  }

  private static func value(of states: [ProviderState]) -> JSONValue {
    .array(
      states.map { state in
        var object: JSONObject = ["name": .string(state.name)]
        if !state.parameters.members.isEmpty { object["params"] = .object(state.parameters) }
        return .object(object)
      }
    )
  }

  /// A key that depends on the content only.
  static func hash(of interaction: PactInteraction) -> String {
    var writer = PactFileWriter(.v4)
    var object = writer.content(of: interaction)
    object["description"] = .string(interaction.description)
    let text = JSONValue.object(object).serialized(JSONValue.WritingOptions(sortsKeys: true))
    return String(SHA256.hash(text).hexadecimal.prefix(16))
  }

  /// An interaction that is only kept, and whether it stands in the list of messages.
  private func value(
    of interaction: OpaquePactInteraction,
    in file: PactFile
  ) throws(ScenarioError) -> (value: JSONValue, isMessage: Bool) {
    let isMessage = interaction.isMessageOfVersion3
    guard version == .v4 else {
      guard isMessage else {
        throw ScenarioError(
          .version,
          file: file.path,
          line: interaction.line,
          "version 3 cannot hold \"\(interaction.description)\" (\(interaction.reason)): write version 4"
        )
      }
      return (.object(interaction.value), true)
    }
    guard isMessage else { return (.object(interaction.value), false) }
    var object: JSONObject = ["type": "Asynchronous/Messages"]
    object.members += interaction.value.members.filter { $0.key != "type" }
    let metadata = interaction.value["metadata"] ?? interaction.value["metaData"]
    if let content = interaction.value["contents"], content["content"] == nil {
      var contents: JSONObject = ["content": content, "encoded": false]
      let type = metadata?["contentType"] ?? metadata?["Content-Type"]
      if let type = type?.stringValue { contents["contentType"] = .string(type) }
      object["contents"] = .object(contents)
    }
    return (.object(object), false)
  }

  // MARK: Requests and responses

  private mutating func request(_ part: PactPart<ComparedRequest>, _ name: String) -> JSONObject {
    let message = part.message
    var object: JSONObject = ["method": .string(message.method.uppercased()), "path": .string(message.path)]
    if !message.query.parameters.isEmpty {
      let pairs = message.query.parameters.map { ($0.name, $0.value) }
      object["query"] = .object(Self.lists(pairs, isCaseSensitive: true))
    }
    add(message.fields, message.body, part.rules, name, to: &object)
    add(part, name, to: &object)
    return object
  }

  private mutating func response(_ part: PactPart<ComparedResponse>, _ name: String) -> JSONObject {
    var object = JSONObject()
    if let status = part.message.status { object["status"] = .number(JSONNumber(status)) }
    add(part.message.fields, part.message.body, part.rules, name, to: &object)
    add(part, name, to: &object)
    return object
  }

  private mutating func add(
    _ fields: [FieldLine],
    _ body: ComparedBody,
    _ rules: JSONObject,
    _ name: String,
    to object: inout JSONObject
  ) {
    if !fields.isEmpty {
      let whole = Self.namesOfWholeValues(rules)
      let lines = fields.flatMap { line in
        let values = whole.contains(line.name.lowercased()) ? [line.value] : line.elements
        return values.map { (line.name, $0) }
      }
      var lists = Self.lists(lines, isCaseSensitive: false)
      // Version 3 has texts, and lists only for several lines.
      if version == .v3 {
        for (index, member) in lists.members.enumerated() {
          let values = fields.values(of: member.key)
          if values.count == 1 { lists.members[index].value = .string(values[0]) }
        }
      }
      object["headers"] = .object(lists)
    }
    let (value, isExact) = PactBodyWriter(version: version).value(body, fields.mediaType)
    if let value { object["body"] = value }
    if !isExact {
      losses.append("the body of \(name) has no exact form in version 3; it is written as Base64")
    }
  }

  /// The names of the fields with another rule than equality, which is for the whole of a value.
  private static func namesOfWholeValues(_ rules: JSONObject) -> Set<String> {
    let fields = (rules["header"]?.objectValue?.members ?? []).filter { member in
      member.value["matchers"]?.arrayValue?.allSatisfy { $0["match"] == "equality" } != true
    }
    return Set(fields.map { $0.key.lowercased() })
  }

  /// Pairs as lists by name, in the order of the first ones.
  private static func lists(_ pairs: [(name: String, value: String)], isCaseSensitive: Bool) -> JSONObject {
    var lists: [(name: String, values: [JSONValue])] = []
    var places: [[UInt8]: Int] = [:]
    for (name, value) in pairs {
      let key = Array((isCaseSensitive ? name : name.lowercased()).utf8)
      if let place = places[key] {
        lists[place].values.append(.string(value))
      } else {
        places[key] = lists.count
        lists.append((name, [.string(value)]))
      }
    }
    return JSONObject(lists.map { JSONObject.Member(key: $0.name, value: .array($0.values)) })
  }

  private mutating func add<Message>(_ part: PactPart<Message>, _ name: String, to object: inout JSONObject) {
    if !part.rules.members.isEmpty { object["matchingRules"] = .object(part.rules) }
    if !part.generators.members.isEmpty { object["generators"] = .object(part.generators) }
    object.members += part.attributes.members
  }
}

extension JSONObject {
  fileprivate var sortedByKey: JSONObject {
    JSONObject(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
  }
}
