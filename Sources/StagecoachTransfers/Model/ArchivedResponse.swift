import HTTPTypes

/// The head of a response in an archive.
struct ArchivedResponse: Codable, Sendable, Equatable {
  /// The maximum number of fields.
  private static let mostFields = 1024

  var status: Int
  var fields: [ArchivedRequest.Field]

  init(_ head: HTTPResponse) {
    status = head.status.code
    fields = head.headerFields.map { ArchivedRequest.Field(name: $0.name.rawName, value: $0.value) }
  }

  var contradiction: String? {
    guard 100...999 ~= status else { return "the status of the response is \(status)" }
    guard fields.count <= Self.mostFields, fields.allSatisfy({ ArchivedRequest.isValid($0) }) else {
      return "a field of the response is not valid"
    }
    return nil
  }

  /// The head, if the form does not contradict itself.
  var restored: HTTPResponse? {
    guard contradiction == nil else { return nil }
    var head = HTTPResponse(status: HTTPResponse.Status(code: status))
    for field in fields {
      guard let name = HTTPField.Name(field.name) else { continue }
      head.headerFields.append(HTTPField(name: name, value: field.value))
    }
    return head
  }
}
