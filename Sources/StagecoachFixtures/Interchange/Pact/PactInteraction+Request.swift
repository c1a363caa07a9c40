import HTTPTypes
import StagecoachCore

extension PactInteraction {
  /// The request as it is sent, with a path and query as its target.
  ///
  /// - Throws: ``PactFormatError`` if a header field cannot be sent.
  func outgoingRequest() throws(PactFormatError) -> Scenario.Request {
    let message = request.message
    let method = message.method.uppercased()
    guard HTTPRequest.Method(method) != nil else {
      throw PactFormatError("request.method", "\"\(message.method)\" is not a method")
    }
    var outgoing = Scenario.Request(method, message.target)
    outgoing.fields = try HTTPFields(message.fields, at: "request.headers")
    guard let bytes = message.body.sent(message.fields) else { return outgoing }
    outgoing.body = Scenario.Body(
      bytes,
      type: (message.fields.mediaType ?? message.body.mediaType)?.description
    )
    outgoing.fields.addType(of: message.body)
    return outgoing
  }
}

extension ComparedRequest {
  /// The path as it is sent.
  var encodedPath: String {
    // Percent signs are left: the path may be encoded already. A question mark would begin the query.
    let path = path.percentEncoded(.target).replacing("?", with: "%3F")
    return path.hasPrefix("/") ? path : "/" + path
  }

  /// The encoded path and query.
  var target: String {
    let query = query.parameters.map { parameter in
      "\(parameter.name.percentEncoded(.unreserved))=\(parameter.value.percentEncoded(.unreserved))"
    }
    return encodedPath + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }
}

extension ComparedBody {
  /// The bytes that are sent; `nil` if there is no content.
  func sent(_ fields: [FieldLine]) -> Bytes? {
    switch content {
    case .bytes(let bytes): bytes
    case .null: (fields.mediaType ?? mediaType)?.isJSON == true ? "null" : nil
    case .absent, .empty: nil
    }
  }
}

extension HTTPFields {
  /// Creates the fields of the headers of a Pact file.
  ///
  /// - Throws: ``PactFormatError`` if a name or value is not allowed in a field.
  init(_ lines: [FieldLine], at place: String) throws(PactFormatError) {
    self.init()
    for line in lines {
      guard let name = HTTPField.Name(line.name) else {
        throw PactFormatError(place, "\"\(line.name)\" is not the name of a field")
      }
      let value = line.value.withoutLineBreaks
      guard HTTPField.isValidValue(value) else {
        throw PactFormatError(place, "the value of \(line.name) has octets that no field may have")
      }
      append(HTTPField(name: name, value: value))
    }
  }

  /// Adds the media type that only the body says.
  mutating func addType(of body: ComparedBody) {
    if let type = body.mediaType, self[.contentType] == nil { self[.contentType] = type.description }
  }
}
