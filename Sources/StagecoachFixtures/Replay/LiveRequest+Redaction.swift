import HTTPTypes
import StagecoachCore

extension LiveRequest {
  /// - Parameter redactor: Puts the placeholders of the recording in place of secrets.
  init(_ request: Request, body: Bytes, _ redactor: Redactor) throws(RedactionError) {
    let target =
      "\(request.head.scheme ?? "http")://\(request.head.authority ?? "")\(request.head.path ?? "/")"
    let redacted = try redactor.redact(
      RedactableMessage(
        method: request.method.rawValue,
        target: target,
        fields: request.fields,
        body: request.body.isEmpty ? nil : body
      )
    )
    self.init(
      method: request.method.rawValue,
      url: redacted.target ?? target,
      fields: redacted.fields,
      body: redacted.body ?? body
    )
  }
}
