import StagecoachCore

/// Writes the bodies of Pact files, so that ``PactBodyReader`` reads the same content.
struct PactBodyWriter {
  /// The version of the file.
  let version: PactVersion

  /// Deeper JSON is written as a text, since the file around it has a limit too.
  private static let limits = JSONValue.Limits(depth: 100)

  /// The value of `body`; `nil` if there is no body. It is not exact if the version has no form for the content.
  func value(_ body: ComparedBody, _ headerType: MediaType?) -> (value: JSONValue?, isExact: Bool) {
    switch body.content {
    case .absent: return (nil, true)
    case .null: return (wrapped(.null, nil, false), true)
    case .empty: return (wrapped("", nil, false), true)
    case .bytes(let bytes): return value(bytes, body.mediaType, headerType)
    }
  }

  private func value(
    _ bytes: Bytes,
    _ bodyType: MediaType?,
    _ headerType: MediaType?
  ) -> (value: JSONValue?, isExact: Bool) {
    let type = headerType ?? bodyType
    let json = (type?.isJSON ?? true) ? try? JSONValue(parsing: bytes.array, limits: Self.limits) : nil
    let text = String(validating: bytes.array, as: UTF8.self)
    let base64 = String(decoding: Base64.encode(bytes.array), as: UTF8.self)
    var candidates: [JSONValue] = []
    if let json { candidates.append(wrapped(json, type, false)) }
    // Other verifiers expect Base64 of a type that is not one of text, also where the reader would see a text.
    if let text, version == .v4 || type?.isWrittenAsText != false {
      candidates.append(wrapped(.string(text), type, false))
    }
    candidates.append(wrapped(.string(base64), type, "base64"))
    let reader = PactBodyReader(version: version)
    for candidate in candidates {
      guard let read = try? reader.body(candidate, headerType, at: "body") else { continue }
      guard case .bytes(let content) = read.content else { continue }
      if content == bytes { return (candidate, true) }
      // White space between the values of JSON is not content.
      guard let json, let other = try? JSONValue(parsing: content.array) else { continue }
      if other == json { return (candidate, true) }
    }
    return (wrapped(.string(base64), type, "base64"), false)
  }

  /// A content, in version 4 with its type and encoding.
  private func wrapped(_ content: JSONValue, _ type: MediaType?, _ encoding: JSONValue) -> JSONValue {
    guard version == .v4 else { return content }
    var object: JSONObject = ["content": content]
    if let type { object["contentType"] = .string(type.description) }
    object["encoded"] = encoding
    return .object(object)
  }
}
