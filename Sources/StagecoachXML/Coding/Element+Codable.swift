extension XML.Element: Codable {
  /// Decodes an element unchanged; it declares all namespaces that are in scope. Only supported by ``XMLDecoder``.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? PlaceDecoder, let element = decoder.session.element(at: decoder.place)
    else {
      throw DecodingError.typeMismatch(
        Self.self,
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "there is no XML element")
      )
    }
    self = element
  }

  /// Encodes the content and the attributes into the current element, or the element itself if the key accepts any
  /// elements. Only supported by ``XMLEncoder``.
  public func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? TargetEncoder else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "elements can only be encoded as XML"
        )
      )
    }
    try encoder.encode(self)
  }
}
