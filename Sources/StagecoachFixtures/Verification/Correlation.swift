import HTTPTypes
import StagecoachCore

/// Values that a service made up in earlier replies, and that later requests repeat: tokens and cookies, which are
/// placeholders in a recording, and validators.
struct Correlation {
  private let redactor: Redactor
  /// The validators of today, by the recorded ones.
  private var validators: [String: String] = [:]

  private static let conditions: Set<HTTPField.Name> = [
    .ifMatch, .ifNoneMatch, .ifRange, .ifModifiedSince, .ifUnmodifiedSince,
  ]

  /// - Throws: ``RedactionError``.
  init(_ interactions: [ContractInteraction], _ options: RedactionOptions) throws(RedactionError) {
    redactor = Redactor(options)
    for interaction in interactions {
      try redactor.learn([interaction.request.message, interaction.expected.message])
    }
  }

  /// The values of placeholders in replies so far, by names such as `ACCESS_TOKEN#1`.
  var secrets: [String: String] { redactor.values.mapValues { String(decoding: $0, as: UTF8.self) } }

  /// - Throws: ``RedactionError``.
  mutating func learn(_ reply: ComparedResponse, to interaction: ContractInteraction) throws(RedactionError) {
    try redactor.learn([reply.message])
    for name in ["etag", "last-modified"] {
      guard let recorded = interaction.recordedFields?.values(of: name).first,
        let actual = reply.fields.values(of: name).first
      else { continue }
      validators[recorded] = actual
    }
  }

  /// Returns an interaction whose request has the validators of today.
  func applied(to interaction: ContractInteraction) -> ContractInteraction {
    var copy = interaction
    for index in copy.request.fields.indices where Self.conditions.contains(copy.request.fields[index].name) {
      if let current = validators[copy.request.fields[index].value] {
        copy.request.fields[index].value = current
      }
    }
    return copy
  }
}
