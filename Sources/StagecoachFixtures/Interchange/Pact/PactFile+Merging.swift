import StagecoachCore

extension PactFile {
  /// What two interactions of a file must not have in common.
  fileprivate struct Identity: Hashable {
    let description: String
    let states: [ProviderState]
  }

  /// Adds the interactions of another file of the same consumer and provider. Those that are there already are kept
  /// once, as the other file has them.
  ///
  /// - Throws: ``ScenarioError`` of kind `conflict` if an interaction has the same description and states as another one
  ///   with other content, with all such interactions in its text.
  package mutating func merge(_ other: PactFile) throws(ScenarioError) {
    guard consumer.name == other.consumer.name, provider.name == other.provider.name else {
      throw ScenarioError(
        .conflict,
        file: path,
        "the file is for \"\(consumer.name)\" and \"\(provider.name)\", and the new interactions are for "
          + "\"\(other.consumer.name)\" and \"\(other.provider.name)\": write them to another file"
      )
    }
    var places: [Identity: Int] = [:]
    for (place, entry) in entries.enumerated() { places[entry.identity] = place }
    var merged = entries
    var conflicts: [String] = []
    for entry in other.entries {
      guard let place = places[entry.identity] else {
        places[entry.identity] = merged.count
        merged.append(entry)
        continue
      }
      let differences = Self.differences(merged[place], entry)
      if differences.isEmpty {
        merged[place] = entry.keepingKey(of: merged[place])
      } else {
        conflicts.append("\(entry.title) has other content: " + differences.joined(separator: ", "))
      }
    }
    guard conflicts.isEmpty else {
      throw ScenarioError(.conflict, file: path, conflicts.joined(separator: "\n"))
    }
    entries = merged
    for member in other.metadata.members { metadata[member.key] = member.value }
    for member in other.attributes.members { attributes[member.key] = member.value }
  }

  /// The places in which two entries differ, with the values of short ones.
  private static func differences(_ old: Entry, _ new: Entry) -> [String] {
    switch (old, new) {
    case (.http(let old), .http(let new)):
      var writer = PactFileWriter(.v4)
      let (before, after) = (writer.content(of: old), writer.content(of: new))
      return ["request", "response"].flatMap { part in
        differences(before[part]?.objectValue, after[part]?.objectValue, in: part)
      }
    case (.opaque(let old), .opaque(let new)): return old.value == new.value ? [] : ["the interaction"]
    default: return ["the kind of the interaction"]
    }
  }

  private static func differences(_ old: JSONObject?, _ new: JSONObject?, in part: String) -> [String] {
    let keys = ((old ?? [:]).members + (new ?? [:]).members).map(\.key)
    return Set(keys).sorted().compactMap { key in
      let (before, after) = (old?[key], new?[key])
      guard before.sortedText != after.sortedText else { return nil }
      let isShort = ["method", "path", "status"].contains(key)
      let values = isShort ? " (\(before ?? .null) in the file, \(after ?? .null) now)" : ""
      return "\(part).\(key)\(values)"
    }
  }
}

extension JSONValue? {
  /// A text that does not depend on the order of members.
  fileprivate var sortedText: [UInt8]? { self?.serialized(JSONValue.WritingOptions(sortsKeys: true)) }
}

extension PactFile.Entry {
  fileprivate var identity: PactFile.Identity {
    switch self {
    case .http(let interaction):
      PactFile.Identity(description: interaction.description, states: interaction.states)
    case .opaque(let interaction):
      PactFile.Identity(description: interaction.description, states: interaction.states)
    }
  }

  /// The description and the states, for messages.
  fileprivate var title: String {
    let states = identity.states.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return "\"\(identity.description)\"" + (states.isEmpty ? "" : " in the state \(states)")
  }

  /// The interaction with the key of an equal one that was written before.
  fileprivate func keepingKey(of old: PactFile.Entry) -> PactFile.Entry {
    guard case .http(var interaction) = self, case .http(let before) = old else { return self }
    interaction.key = before.key ?? interaction.key
    return .http(interaction)
  }
}
