import StagecoachCore

/// Reads the bodies of Pact files.
struct PactBodyReader {
  let version: PactVersion

  /// Reads a body.
  ///
  /// - Parameters:
  ///   - value: The value of `body`, `nil` if it is absent.
  ///   - type: The media type of the header.
  ///   - place: The place of the value for errors.
  func body(_ value: JSONValue?, _ type: MediaType?, at place: String) throws(PactFormatError) -> ComparedBody
  {
    guard let value else { return .absent }
    if version == .v4, case .object(let object) = value,
      let content = object["content"] ?? object["contents"]
    {
      return try body(object, content, type, place)
    }
    return ComparedBody(content(value, type))
  }

  /// Reads a body object of version 4: `{"content": ..., "contentType": ..., "encoded": ...}`.
  private func body(
    _ object: JSONObject,
    _ value: JSONValue,
    _ headerType: MediaType?,
    _ place: String
  ) throws(PactFormatError) -> ComparedBody {
    let type = object["contentType"]?.stringValue.flatMap { MediaType($0) }
    guard case .string(let text) = value, let encoding = object["encoded"], encoding != false,
      !encoding.isNull
    else {
      return ComparedBody(content(value, headerType ?? type, decodesBinary: false), mediaType: type)
    }
    switch encoding.stringValue?.lowercased() {
    case "json": return ComparedBody(.bytes(Bytes(text)), mediaType: type)
    case "base64", nil:
      guard let bytes = Bytes(base64: text) else { throw PactFormatError(place, "the content is not Base64") }
      return ComparedBody(.bytes(bytes), mediaType: type)
    case let name?: throw PactFormatError(place, "unknown encoding \"\(name)\"")
    }
  }

  /// Reads contents: JSON as a value, and other formats as a text, which is Base64 unless the type is one of text.
  private func content(
    _ value: JSONValue,
    _ type: MediaType?,
    decodesBinary: Bool = true
  ) -> ComparedBody.Content {
    switch value {
    case .null: return .null
    case .string(""): return .empty
    case .string(let text):
      if let type, !type.isWrittenAsText, decodesBinary, let bytes = Bytes(base64: text) {
        return .bytes(bytes)
      }
      let isJSON = type?.isJSON ?? !Bytes(text).array[...].trimmingSpace.starts(with: "<?xml".utf8)
      // A text in JSON may be written as the text or as its JSON.
      guard isJSON, (try? JSONValue(parsing: text, limits: JSONComparison.limits)) == nil else {
        return .bytes(Bytes(text))
      }
      return .bytes(Bytes(value.serialized()))
    case .bool, .number, .array, .object: return .bytes(Bytes(value.serialized()))
    }
  }
}
