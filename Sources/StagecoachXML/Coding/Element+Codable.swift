extension XML.Element: Codable {
  /// Takes the element that is decoded as it is; it declares all namespaces that are in scope there. Only an
  /// ``XMLDecoder`` can do that.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? PlaceDecoder, let element = decoder.session.element(at: decoder.place)
    else {
      throw DecodingError.typeMismatch(
        Self.self,
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no element of XML is here")
      )
    }
    self = element
  }

  /// Puts the content and the attributes into the element that is encoded, or the element itself where a key
  /// takes any elements. Only an ``XMLEncoder`` can do that.
  public func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? TargetEncoder else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "only XML holds elements")
      )
    }
    try encoder.encode(self)
  }
}
