package import StagecoachCore

/// A line of a header, with its name as written.
package struct FieldLine: Sendable, Hashable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The body of a message, as it is compared.
package struct ComparedBody: Sendable, Hashable {
  /// The presence of a body.
  package enum Content: Sendable, Hashable {
    /// There is no body, or nothing is expected of it.
    case absent
    /// The body is the value `null`.
    case null
    /// The body has no bytes.
    case empty
    /// The bytes of the body, at least one.
    case bytes(Bytes)
  }

  /// The bytes, if any.
  package var content: Content
  /// The media type that is known besides the header.
  package var mediaType: MediaType?

  /// Creates a body. Bytes without any are empty.
  package init(_ content: Content, mediaType: MediaType? = nil) {
    if case .bytes(let bytes) = content, bytes.isEmpty {
      self.content = .empty
    } else {
      self.content = content
    }
    self.mediaType = mediaType
  }

  package static let absent = ComparedBody(.absent)
}

/// A query as text and as parameters.
package struct ComparedQuery: Sendable, Hashable {
  /// A parameter; the value is empty if there is no equals sign.
  package struct Parameter: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The decoded query, if it was a text.
  package var text: String?
  /// The decoded parameters in order.
  package var parameters: [Parameter]

  package init(_ parameters: [Parameter]) {
    text = nil
    self.parameters = parameters
  }

  /// Decodes a query; a plus sign is a space. Empty pairs, such as after a trailing `&`, are omitted.
  package init(parsing query: some StringProtocol) {
    text = query.formDecoded
    parameters = query.split(separator: "&").map { pair in
      let equals = pair.firstIndex(of: "=")
      let value = equals.map { pair[pair.index(after: $0)...] } ?? ""
      return Parameter(pair[..<(equals ?? pair.endIndex)].formDecoded, value.formDecoded)
    }
  }

  package static let none = ComparedQuery([])
}

extension StringProtocol {
  fileprivate var formDecoded: String {
    String(decoding: Array(utf8).percentDecoding(plusIsSpace: true).octets, as: UTF8.self)
  }
}

/// A request, as it is compared.
package struct ComparedRequest: Sendable, Hashable {
  package var method: String
  package var path: String
  package var query: ComparedQuery
  package var fields: [FieldLine]
  package var body: ComparedBody

  package init(
    method: String = "GET",
    path: String = "/",
    query: ComparedQuery = .none,
    fields: [FieldLine] = [],
    body: ComparedBody = .absent
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
  }
}

/// A response, as it is compared.
package struct ComparedResponse: Sendable, Hashable {
  /// The status code; `nil` if any is expected.
  package var status: Int?
  package var fields: [FieldLine]
  package var body: ComparedBody

  package init(status: Int? = nil, fields: [FieldLine] = [], body: ComparedBody = .absent) {
    self.status = status
    self.fields = fields
    self.body = body
  }
}

/// A message without HTTP, as it is compared.
package struct ComparedMessage: Sendable, Hashable {
  package var metadata: JSONObject
  package var body: ComparedBody

  package init(metadata: JSONObject = JSONObject(), body: ComparedBody = .absent) {
    self.metadata = metadata
    self.body = body
  }
}

extension [FieldLine] {
  /// The media type of Content-Type, if there is one.
  var mediaType: MediaType? { values(of: "content-type").first.flatMap { MediaType($0.withoutLineBreaks) } }

  /// The values of the lines with a name, in any case.
  func values(of name: String) -> [String] {
    let name = name.lowercased()
    return filter { $0.name.lowercased() == name }.map(\.value)
  }
}

extension String {
  /// A folded header value on one line.
  var withoutLineBreaks: String {
    replacing("\r\n", with: " ").replacing("\n", with: " ").replacing("\r", with: " ")
  }
}
