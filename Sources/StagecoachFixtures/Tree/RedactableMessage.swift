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

  /// A text of a message, which is found again in another one: fields are told apart by their names and their position
  /// among those with the same name.
  enum Part: Sendable, Hashable {
    case target, body
    case field(String, Int)
    case trailer(String, Int)

    /// The name in the list of redacted leaves.
    var name: String {
      switch self {
      case .target: "target"
      case .field: "header"
      case .trailer: "trailer"
      case .body: "body"
      }
    }

    /// The name of a field, in lower case; `nil` for other parts.
    var fieldName: String? {
      if case .field(let name, _) = self { return name }
      return nil
    }
  }

  /// The texts, in order.
  var parts: [(place: Place, part: Part)] {
    var parts: [(place: Place, part: Part)] = []
    if target != nil { parts.append((.target, .target)) }
    var (counts, trailerCounts) = (NameCounts(), NameCounts())
    for index in fields.indices {
      let name = fields[index].name.canonicalName
      parts.append((.field(index), .field(name, counts.next(name))))
    }
    if body != nil { parts.append((.body, .body)) }
    for index in trailers.indices {
      let name = trailers[index].name.canonicalName
      parts.append((.trailer(index), .trailer(name, trailerCounts.next(name))))
    }
    return parts
  }

  /// The texts with their octets, in order.
  func texts() -> [(place: Place, text: [UInt8])] { parts.map { ($0.place, octets(at: $0.place)) } }

  func octets(at place: Place) -> [UInt8] {
    switch place {
    case .target: Array((target ?? "").utf8)
    case .field(let index): fields[index].octets
    case .trailer(let index): trailers[index].octets
    case .body: body?.array ?? []
    }
  }

  /// The octets of a part; none if there is no such part.
  func octets(of part: Part) -> [UInt8] { parts.first { $0.part == part }.map { octets(at: $0.place) } ?? [] }

  /// Reads a text as if it were a part.
  func tree(at place: Place, _ part: Part) -> TextTree {
    switch (place, part) {
    case (.field(let index), .field(_, let number)): TextTree(field: fields[index], number: number)
    case (.trailer(let index), .trailer(_, let number)): TextTree(field: trailers[index], number: number)
    case (.target, _): TextTree(target: octets(at: place))
    default: TextTree(content: octets(at: place), mediaType)
    }
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
