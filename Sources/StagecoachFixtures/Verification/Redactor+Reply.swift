import HTTPTypes
import StagecoachCore

extension Redactor {
  /// Creates a redactor that knows the values of placeholders.
  ///
  /// Short values are replaced at their own places alone.
  convenience init(_ options: RedactionOptions, knowing values: [Placeholder: [UInt8]]) {
    var options = options
    for (placeholder, value) in values where value.count >= 6 {
      guard let text = String(validating: value, as: UTF8.self) else { continue }
      options.secrets[placeholder.identifier] = text
    }
    self.init(options)
  }

  /// Returns the expected reply of an interaction, or a reply with its placeholders, without secrets.
  func redact(
    _ response: ComparedResponse,
    of interaction: ContractInteraction
  ) throws(RedactionError) -> ComparedResponse {
    response.with(try redact(response.message, side: "reply", listed: interaction.redacted).message)
  }

  /// Returns a text without the secrets that are known.
  func redact(text: String) throws(RedactionError) -> String {
    let message = try redact(RedactableMessage(response: [:], body: Bytes(text), mediaType: .plainText))
    return message.body.map { String(decoding: $0) } ?? text
  }
}
