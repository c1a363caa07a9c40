package import StagecoachCore

/// A state that a provider has to be in before a request.
package struct ProviderState: Sendable, Hashable {
  /// The name; empty for the state of an interaction of a Pact file that names none.
  package var name: String
  /// The parameters.
  package var parameters: JSONObject

  package init(_ name: String, parameters: JSONObject = JSONObject()) {
    self.name = name
    self.parameters = parameters
  }
}

/// A request and the reply that a contract expects, from a scenario or a Pact file.
package struct ContractInteraction: Sendable, Hashable {
  /// A name that is unique in its source.
  package var id: String
  /// A title for reports.
  package var title: String
  /// The scenario or Pact file that it comes from, such as the path of its folder.
  package var source: String
  /// The line of ``file`` that it starts at, for reports.
  package var line: Int?
  /// The file that it stands in, for reports.
  package var file: String?
  /// The states of the provider before the request, in order.
  package var states: [ProviderState] = []
  /// The request. The target is a path with an optional query.
  package var request: Scenario.Request
  /// The URL in front of the target, unless a verification has another one.
  package var base: String?
  /// Generators for values of the request. Values that handlers of ``states`` returned are available to them.
  package var requestGenerators: [GeneratorRule] = []
  /// The expected reply. Only the fields in it are compared.
  package var expected: ComparedResponse
  /// The made-up values in the request and the reply.
  package var redacted: [Scenario.RedactedLeaf] = []
  /// Rules of comparing the reply.
  package var rules: MatchRules = []
  /// All fields of a recorded reply; `nil` if there is no recording. Changes of fields that are not compared are
  /// reported, but are no mismatches.
  package var recordedFields: [FieldLine]?
  /// Whether a mismatch is reported without failing the verification.
  package var isPending = false
  /// Warnings for reports, such as a rule that changes nothing.
  package var warnings: [String] = []
  /// Comments for reports.
  package var comments: [String] = []
  /// The reason why it cannot be verified; `nil` if it can.
  package var obstacle: String?

  package init(
    id: String,
    title: String,
    source: String,
    request: Scenario.Request,
    expected: ComparedResponse
  ) {
    self.id = id
    self.title = title
    self.source = source
    self.request = request
    self.expected = expected
  }
}
