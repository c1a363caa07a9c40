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
