package import StagecoachCore

/// Reads requests, responses and messages of Pact files.
package struct PactPartsReader {
  private let version: PactVersion

  package init(version: PactVersion) {
    self.version = version
  }

  /// Reads a request. The method is GET and the path is `/` if they are absent.
  ///
  /// - Throws: ``PactFormatError`` if it is malformed.
  package func request(_ value: JSONValue, at place: String) throws(PactFormatError) -> ComparedRequest {
    let object = try value.pactObject(place)
    let fields = try fields(object["headers"], at: place + ".headers")
    return ComparedRequest(
      method: object["method"]?.stringValue ?? "GET",
      path: object["path"]?.stringValue ?? "/",
      query: try query(object["query"], at: place + ".query"),
      fields: fields,
      body: try PactBodyReader(version: version).body(object["body"], fields.mediaType, at: place + ".body")
    )
  }

  /// Reads a response.
  ///
  /// - Throws: ``PactFormatError`` if it is malformed.
  package func response(_ value: JSONValue, at place: String) throws(PactFormatError) -> ComparedResponse {
    let object = try value.pactObject(place)
    let fields = try fields(object["headers"], at: place + ".headers")
    return ComparedResponse(
      status: try object.pactCount("status", place),
      fields: fields,
      body: try PactBodyReader(version: version).body(object["body"], fields.mediaType, at: place + ".body")
    )
  }

  /// Reads a message without HTTP.
  ///
  /// - Throws: ``PactFormatError`` if it is malformed.
  package func message(_ value: JSONValue, at place: String) throws(PactFormatError) -> ComparedMessage {
    let object = try value.pactObject(place)
    let metadata = try (object["metadata"] ?? object["metaData"] ?? [:]).pactObject(place + ".metadata")
    let type = (metadata["contentType"] ?? metadata["Content-Type"])?.stringValue.flatMap { MediaType($0) }
    let contents = object["contents"] ?? object["content"]
    return ComparedMessage(
      metadata: metadata,
      body: try PactBodyReader(version: version).body(contents, type, at: place + ".contents")
    )
  }

  /// Reads a query: a text in versions 1 and 2, and lists by name since version 3.
  private func query(_ value: JSONValue?, at place: String) throws(PactFormatError) -> ComparedQuery {
    switch value {
    case nil, .null: return .none
    case .string(let text): return ComparedQuery(parsing: text)
    case let value?:
      var parameters: [ComparedQuery.Parameter] = []
      for member in try value.pactObject(place).members {
        parameters += texts(member.value).map { ComparedQuery.Parameter(member.key, $0) }
      }
      return ComparedQuery(parameters)
    }
  }

  private func fields(_ value: JSONValue?, at place: String) throws(PactFormatError) -> [FieldLine] {
    guard let value, !value.isNull else { return [] }
    var fields: [FieldLine] = []
    for member in try value.pactObject(place).members {
      fields += texts(member.value).map { FieldLine(member.key, $0) }
    }
    return fields
  }

  /// The texts of a value or of a list of values.
  private func texts(_ value: JSONValue) -> [String] {
    switch value {
    case .array(let values): values.map { $0.isNull ? "" : $0.plainText }
    case .null: [""]
    default: [value.plainText]
    }
  }
}
