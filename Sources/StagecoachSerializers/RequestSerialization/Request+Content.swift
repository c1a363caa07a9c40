import HTTPTypes
import StagecoachCore

extension Request {
  /// Replaces the body and declares its media type, unless the request declares one: that is the caller's.
  mutating func setContent(_ body: Body, as type: MediaType) {
    self.body = body
    if !fields.contains(.contentType) { fields[.contentType] = type.description }
  }
}
