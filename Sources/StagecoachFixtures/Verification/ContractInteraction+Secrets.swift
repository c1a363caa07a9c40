import HTTPTypes
import StagecoachCore

extension ContractInteraction {
  /// The secrets of the request; `nil` if it has none.
  var redactedRequest: RedactedMessage? {
    RedactedMessage(request.message, side: "request", listed: redacted).ifAny
  }

  /// The secrets of the recorded reply, also in fields that are not compared; `nil` if it has none.
  var redactedReply: RedactedMessage? {
    var reply = expected
    reply.fields = recordedFields ?? expected.fields
    return RedactedMessage(reply.message, side: "reply", listed: redacted).ifAny
  }

  /// Returns a reply with the recorded placeholders and made-up values in place of secrets.
  func aligned(_ reply: ComparedResponse) -> ComparedResponse {
    redactedReply.map { reply.with($0.aligned(reply.message).message) } ?? reply
  }

  /// The secrets of the request of which no value is known: in its target and content, and in fields that are sent.
  ///
  /// - Parameters:
  ///   - fields: Fields that are sent in place of recorded ones.
  ///   - value: The values that are known.
  func missingSecrets(
    _ fields: HTTPFields,
    _ value: (Placeholder) -> [UInt8]?
  ) -> (inContent: [Placeholder], inFields: [Placeholder]) {
    guard let request = redactedRequest else { return ([], []) }
    func missing(_ isIncluded: (RedactedMessage.Part) -> Bool) -> [Placeholder] {
      request.placeholders(in: isIncluded).filter { value($0) == nil }.sorted { $0.text < $1.text }
    }
    return (
      missing { $0 == .target || $0 == .body },
      missing { part in
        part.fieldName.flatMap { HTTPField.Name($0) }.map {
          !fields.contains($0) && !OutgoingRequest.isOfConnection($0)
        } ?? false
      }
    )
  }
}

extension ComparedResponse {
  /// What may hold secrets. Lines that no field can have are left out.
  var message: RedactableMessage {
    var fields = HTTPFields()
    for line in self.fields {
      guard let name = HTTPField.Name(line.name), HTTPField.isValidValue(line.value) else { continue }
      fields.append(HTTPField(name: name, value: line.value))
    }
    let bytes: Bytes? = if case .bytes(let bytes) = body.content { bytes } else { nil }
    var message = RedactableMessage(
      response: fields,
      body: bytes,
      mediaType: fields.contentType ?? body.mediaType
    )
    message.isPartial = status == 206
    return message
  }

  /// Returns the reply with the texts of a message.
  func with(_ message: RedactableMessage) -> ComparedResponse {
    var copy = self
    copy.fields = FieldLine.lines(of: message.fields)
    if case .bytes = body.content, let body = message.body { copy.body.content = .bytes(body) }
    return copy
  }
}

extension RedactedMessage {
  fileprivate var ifAny: RedactedMessage? { placeholders.isEmpty ? nil : self }
}
