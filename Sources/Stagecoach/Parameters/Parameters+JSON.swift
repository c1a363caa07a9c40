extension Parameters {
  /// The JSON object of these parameters, in their order, with duplicates; dates and data are texts in the
  /// style of an encoder.
  ///
  /// - Throws: ``ParameterEncodingError``, or what a custom style throws.
  package func json(in style: QueryEncoder) throws -> JSONValue {
    try Self.json(self, at: [], in: style)
  }

  private static func json(_ parameters: Parameters, at path: [String], in style: QueryEncoder) throws
    -> JSONValue
  {
    guard path.count <= style.depthLimit else {
      throw ParameterEncodingError.tooDeep(key: path.joined(separator: "."), limit: style.depthLimit)
    }
    return .object(
      JSONObject(
        try parameters.members.map { member in
          JSONObject.Member(
            key: member.key,
            value: try json(member.value, at: path + [member.key], in: style)
          )
        }
      )
    )
  }

  private static func json(_ value: ParameterValue, at path: [String], in style: QueryEncoder) throws
    -> JSONValue
  {
    let key = path.joined(separator: ".")
    guard path.count <= style.depthLimit else {
      throw ParameterEncodingError.tooDeep(key: key, limit: style.depthLimit)
    }
    switch value {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .number(JSONNumber(value))
    case .double(let value):
      guard let number = JSONNumber(value) else { throw ParameterEncodingError.nonFiniteNumber(key: key) }
      return .number(number)
    case .string(let value): return .string(value)
    case .date(let value):
      guard let text = try style.dateStyle.text(of: value) else {
        throw ParameterEncodingError.unwritableDate(key: key)
      }
      return .string(text)
    case .data(let value): return .string(style.dataStyle.text(of: value))
    case .array(let elements):
      return .array(
        try elements.enumerated().map { try json($1, at: path + ["\($0)"], in: style) }
      )
    case .set(let elements):
      // Without an order of their own, so in the one that gives equal sets equal bytes.
      let values = try elements.map { try json($0, at: path, in: style) }
      let ordered = values.map { (text: $0.serialized(), value: $0) }
        .sorted { $0.text.lexicographicallyPrecedes($1.text) }
      return .array(ordered.map(\.value))
    case .object(let parameters): return try json(parameters, at: path, in: style)
    }
  }
}
