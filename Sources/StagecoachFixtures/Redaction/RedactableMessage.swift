package import HTTPTypes
package import StagecoachFormats

/// A request or a response of a recording.
package struct RedactableMessage: Sendable, Hashable {
  /// The method; `nil` for a response.
  package var method: String?
  /// The target or the URL of a request.
  package var target: String?
  package var fields: HTTPFields
  package var trailers: HTTPFields
  /// The body without content codings; `nil` if there is none.
  package var body: Bytes?
  /// The media type of the body. Without one, it is guessed.
  package var mediaType: MediaType?

  /// Creates a request.
  package init(
    method: String,
    target: String,
    fields: HTTPFields = [:],
    body: Bytes? = nil,
    mediaType: MediaType? = nil
  ) {
    self.method = method
    self.target = target
    self.fields = fields
    trailers = [:]
    self.body = body
    self.mediaType = mediaType ?? fields.contentType
  }

  /// Creates a response.
  package init(
    response fields: HTTPFields,
    trailers: HTTPFields = [:],
    body: Bytes? = nil,
    mediaType: MediaType? = nil
  ) {
    self.fields = fields
    self.trailers = trailers
    self.body = body
    self.mediaType = mediaType ?? fields.contentType
  }

  /// The method and the path without parameters; `nil` for a response.
  var exchange: String? {
    guard let method, let target else { return nil }
    return "\(method) \(target.prefix { $0 != "?" && $0 != "#" })"
  }
}

extension RedactableMessage: CustomStringConvertible, CustomReflectable {
  /// The kind of message, without its content, which may be secret.
  package var description: String { method == nil ? "a response" : "a request" }

  /// The sizes, without the content, which may be secret.
  package var customMirror: Mirror {
    Mirror(self, children: ["fields": fields.count, "trailers": trailers.count, "body": body?.count ?? 0])
  }
}
