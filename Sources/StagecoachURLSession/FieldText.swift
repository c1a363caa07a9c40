import HTTPTypes

/// The bytes of a field's value as the text that an engine has in their place.
enum FieldText {
  #if canImport(Darwin)
    /// The text for a value: each byte is a character of ISO-8859-1.
    static func text(of field: HTTPField) -> String {
      if isASCII(field.value) { return field.value }
      return field.withUnsafeBytesOfValue { bytes in
        String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
      }
    }

    /// The field that a text stands for. What ISO-8859-1 does not have becomes a blank.
    static func field(_ name: HTTPField.Name, _ text: String) -> HTTPField {
      if isASCII(text) { return HTTPField(name: name, value: text) }
      return HTTPField(name: name, value: text.unicodeScalars.map { UInt8(exactly: $0.value) ?? 0x20 })
    }

    private static func isASCII(_ text: String) -> Bool {
      text.utf8.allSatisfy { $0 < 0x80 }
    }
  #else
    /// The text for a value, which is UTF-8 for the engine.
    static func text(of field: HTTPField) -> String { field.value }

    /// The field that a text stands for.
    static func field(_ name: HTTPField.Name, _ text: String) -> HTTPField {
      HTTPField(name: name, value: text)
    }
  #endif
}
