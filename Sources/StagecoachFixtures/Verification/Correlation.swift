import HTTPTypes
import StagecoachCore

/// Values that a service made up in earlier replies, and that later requests repeat: tokens and cookies, which are
/// placeholders in a recording, and validators.
struct Correlation {
  /// The values of secrets in replies so far, by the source of the exchange.
  private var values: [String: [Placeholder: [UInt8]]] = [:]
  /// Those of all sources: an exchange of one may log in for another.
  private var latest: [Placeholder: [UInt8]] = [:]
  /// The validators of today, by the recorded ones.
  private var validators: [String: String] = [:]

  private static let conditions: Set<HTTPField.Name> = [
    .ifMatch, .ifNoneMatch, .ifRange, .ifModifiedSince, .ifUnmodifiedSince,
  ]

  /// The value of a secret in earlier replies.
  func value(of placeholder: Placeholder, for interaction: ContractInteraction) -> [UInt8]? {
    values[interaction.source]?[placeholder] ?? latest[placeholder]
  }

  mutating func learn(_ reply: ComparedResponse, to interaction: ContractInteraction) {
    for (placeholder, value) in interaction.redactedReply?.aligned(reply.message).values ?? [] {
      values[interaction.source, default: [:]][placeholder] = value
      latest[placeholder] = value
    }
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

extension Correlation: HidesContent {}
