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
  /// Whether the body is a part of the content (RFC 9110 15.3.7).
  package var isPartial = false

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
}

extension RedactableMessage {
  /// A text of a message.
  enum Place: Sendable, Hashable { case target, field(Int), trailer(Int), body }

  /// The texts of the message, in order.
  func texts() -> [(place: Place, text: [UInt8])] {
    var texts: [(place: Place, text: [UInt8])] = []
    if let target { texts.append((.target, Array(target.utf8))) }
    for index in fields.indices { texts.append((.field(index), fields[index].octets)) }
    if let body { texts.append((.body, [UInt8](body))) }
    for index in trailers.indices { texts.append((.trailer(index), trailers[index].octets)) }
    return texts
  }

  mutating func set(_ text: [UInt8], _ place: Place) {
    switch place {
    case .target: target = String(decoding: text, as: UTF8.self)
    case .field(let index): fields[index] = HTTPField(name: fields[index].name, value: text)
    case .trailer(let index): trailers[index] = HTTPField(name: trailers[index].name, value: text)
    case .body: body = Bytes(text)
    }
  }

  /// The name of the field at a place; `nil` for other places.
  func fieldName(of place: Place) -> String? {
    switch place {
    case .field(let index): fields[index].name.rawName
    case .trailer(let index): trailers[index].name.rawName
    case .target, .body: nil
    }
  }

  /// The place for reports.
  func name(of place: Place) -> String {
    switch place {
    case .target: "target"
    case .field(let index): "field \(fields[index].name.rawName)"
    case .trailer(let index): "trailer field \(trailers[index].name.rawName)"
    case .body: "body"
    }
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
