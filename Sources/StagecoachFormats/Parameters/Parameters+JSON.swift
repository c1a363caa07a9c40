extension Parameters {
  /// Returns the JSON object of these parameters, in order and with duplicates; dates and data are written in the
  /// style of an encoder.
  ///
  /// - Throws: ``ParameterError``, or any error of a custom style.
  package func json(in style: QueryEncoder) throws -> JSONValue {
    try json(at: ParameterPath(), in: style)
  }

  fileprivate func json(at path: ParameterPath, in style: QueryEncoder) throws -> JSONValue {
    .object(
      JSONObject(
        try members.map { member in
          let value = try member.value.json(at: try path.appending(member.key, in: style), in: style)
          return JSONObject.Member(key: member.key, value: value)
        }
      )
    )
  }
}

extension ParameterValue {
  /// The JSON value of this one.
  ///
  /// - Throws: ``ParameterError``, or what a custom style throws.
  func json(at path: ParameterPath, in style: QueryEncoder) throws -> JSONValue {
    switch self {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .number(JSONNumber(value))
    case .double(let value):
      guard let number = JSONNumber(value) else {
        throw ParameterError.nonFiniteNumber(key: path.text)
      }
      return .number(number)
    case .string(let value): return .string(value)
    case .date(let value):
      guard let value = try style.dateStyle.json(of: value) else {
        throw ParameterError.unwritableDate(key: path.text)
      }
      return value
    case .data(let value): return .string(style.dataStyle.text(of: value))
    case .array(let elements):
      return .array(
        try elements.enumerated().map { try $1.json(at: path.appending("\($0)", in: style), in: style) }
      )
    case .set(let elements): return .array(try elements.ordered(at: path, in: style).map(\.json))
    case .object(let parameters): return try parameters.json(at: path, in: style)
    }
  }
}

extension Set<ParameterValue> {
  /// Returns the elements in the order of their JSON texts, so that equal sets give equal bytes.
  func ordered(at path: ParameterPath, in style: QueryEncoder) throws -> [(value: Element, json: JSONValue)] {
    let path = try path.appending("", in: style)
    let values = try map { value in
      let json = try value.json(at: path, in: style)
      return (value: value, json: json, text: json.serialized())
    }
    return values.sorted { $0.text.lexicographicallyPrecedes($1.text) }.map { ($0.value, $0.json) }
  }
}

/// The position of a value in parameters.
struct ParameterPath {
  private var keys: [String] = []

  /// The keys joined as in a query, for errors.
  package var text: String {
    keys.enumerated().map { $0.offset == 0 ? $0.element : "[\($0.element)]" }.joined()
  }

  /// The path of a member or an element.
  ///
  /// Throws ``ParameterError/tooDeep(key:limit:)``.
  func appending(_ key: String, in style: QueryEncoder) throws(ParameterError) -> ParameterPath {
    var path = self
    path.keys.append(key)
    let limit = min(style.depthLimit, QueryEncoder.greatestDepth)
    guard keys.count <= limit else { throw .tooDeep(key: path.text, limit: limit) }
    return path
  }
}
