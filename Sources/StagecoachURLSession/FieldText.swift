import HTTPTypes

/// Converts between the bytes of a field value and the text that the engine uses.
enum FieldText {
  #if canImport(Darwin)
    /// Returns the text of a value: each byte is a character of ISO-8859-1.
    static func text(of field: HTTPField) -> String {
      if isASCII(field.value) { return field.value }
      return field.withUnsafeBytesOfValue { bytes in
        String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
      }
    }

    /// Returns the field for a text. Characters outside ISO-8859-1 become a blank.
    static func field(_ name: HTTPField.Name, _ text: String) -> HTTPField {
      if isASCII(text) { return HTTPField(name: name, value: text) }
      return HTTPField(name: name, value: text.unicodeScalars.map { UInt8(exactly: $0.value) ?? 0x20 })
    }

    private static func isASCII(_ text: String) -> Bool {
      text.utf8.allSatisfy { $0 < 0x80 }
    }
  #else
    /// Returns the text of a value, which the engine treats as UTF-8.
    static func text(of field: HTTPField) -> String { field.value }

    /// Returns the field for a text.
    static func field(_ name: HTTPField.Name, _ text: String) -> HTTPField {
      HTTPField(name: name, value: text)
    }
  #endif
}
