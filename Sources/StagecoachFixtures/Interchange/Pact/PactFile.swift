package import StagecoachCore

/// A Pact file: the interactions that a consumer expects of a provider.
///
/// Files of versions 1 to 4 of the specification are read, and written as version 3 or 4. What this library does not
/// know is kept: attributes, messages without HTTP, and interactions that need a plugin.
package struct PactFile: Sendable, Hashable {
  /// The consumer or the provider.
  package struct Party: Sendable, Hashable {
    package var name: String
    /// Members besides the name.
    package var attributes = JSONObject()

    package init(_ name: String) {
      self.name = name
    }
  }

  /// An element of a file.
  package enum Entry: Sendable, Hashable {
    /// A request and its response.
    case http(PactInteraction)
    /// An interaction that is only kept.
    case opaque(OpaquePactInteraction)
  }

  package var consumer: Party
  package var provider: Party
  /// The version of the specification that the file was written for.
  package var version: PactVersion
  /// The interactions, in the order of the file.
  package var entries: [Entry]
  /// The metadata, without the version of the specification.
  package var metadata = JSONObject()
  /// Members that the specification does not know.
  package var attributes = JSONObject()
  /// The path of the file, for errors and reports.
  package var path = ""
  /// Sentences about attributes that are not known.
  package var warnings: [String] = []

  package init(consumer: String, provider: String, version: PactVersion = .v4, entries: [Entry] = []) {
    self.consumer = Party(consumer)
    self.provider = Party(provider)
    self.version = version
    self.entries = entries
  }

  /// The reader of rules: in files that Ruby wrote, a regular expression matches anywhere in a text.
  var rulesReader: PactRulesReader {
    let isOfRuby = metadata.members.contains { member in
      member.key.lowercased().contains("ruby")
        || member.value["name"]?.stringValue?.lowercased().contains("ruby") == true
    }
    return PactRulesReader(extent: isOfRuby ? .anywhere : .whole)
  }

  /// The interactions over HTTP.
  package var requests: [PactInteraction] {
    entries.compactMap { if case .http(let interaction) = $0 { interaction } else { nil } }
  }

  /// The interactions that are only kept.
  package var unsupported: [OpaquePactInteraction] {
    entries.compactMap { if case .opaque(let interaction) = $0 { interaction } else { nil } }
  }
}

/// An interaction of a Pact file: a request, the response to it, and the states in which the provider gives it.
package struct PactInteraction: Sendable, Hashable {
  /// The description; unique in a file, together with the states.
  package var description: String
  /// The states of the provider, in order.
  package var states: [ProviderState]
  package var request: PactPart<ComparedRequest>
  package var response: PactPart<ComparedResponse>
  /// The key of version 4; `nil` for one that is made of the content.
  package var key: String?
  /// Whether a provider may fail it, since it is not implemented yet.
  package var isPending = false
  /// The comments of version 4, such as `text` and `testname`.
  package var comments = JSONObject()
  /// Members that the specification does not know, or only keeps.
  package var attributes = JSONObject()
  /// The reason why it cannot be compared, such as a malformed rule; `nil` if it can.
  package var obstacle: String?
  /// The line of the file that it starts at.
  package var line: Int?

  package init(
    _ description: String,
    states: [ProviderState] = [],
    request: PactPart<ComparedRequest>,
    response: PactPart<ComparedResponse>
  ) {
    self.description = description
    self.states = states
    self.request = request
    self.response = response
  }
}

/// A request or response of a Pact file, with its rules and generators.
package struct PactPart<Message: Sendable & Hashable>: Sendable, Hashable {
  package var message: Message
  /// The matching rules in the form of versions 3 and 4: by part of the message.
  package var rules: JSONObject
  /// The generators, by part of the message.
  package var generators: JSONObject
  /// Members that the specification does not know.
  package var attributes = JSONObject()

  package init(_ message: Message, rules: JSONObject = JSONObject(), generators: JSONObject = JSONObject()) {
    self.message = message
    self.rules = rules
    self.generators = generators
  }
}

/// An interaction of a Pact file that is kept as it is, because nothing here can compare it.
package struct OpaquePactInteraction: Sendable, Hashable {
  package var description: String
  package var states: [ProviderState]
  /// The interaction as it was read.
  package var value: JSONObject
  /// The reason why it cannot be used.
  package var reason: String
  /// Whether it is a message of version 3, which has a list of its own in the file.
  package var isMessageOfVersion3 = false
  /// The line of the file that it starts at.
  package var line: Int?
}
