import StagecoachCore

/// Applies generators to messages.
package struct GeneratorApplication: Sendable {
  /// The generators.
  package var rules: [GeneratorRule]
  /// The inputs of the generators.
  package var context: GeneratorContext

  package init(_ rules: [GeneratorRule], context: GeneratorContext) {
    self.rules = rules
    self.context = context
  }

  /// Returns a request with generated values.
  ///
  /// - Throws: ``GeneratorError``.
  package func request(_ request: ComparedRequest) throws(GeneratorError) -> ComparedRequest {
    var request = request
    for rule in rules {
      guard let value = try rule.generator.value(in: context) else { continue }
      switch rule.part {
      case .method: request.method = value.plainText
      case .path: request.path = value.plainText
      case .query: replace(&request.query, rule.path, value)
      case .header: replace(&request.fields, rule.path, value)
      case .body, .status, .metadata: break
      }
    }
    request.body = try body(request.body, request.fields.mediaType)
    return request
  }

  /// Returns a response with generated values.
  ///
  /// - Throws: ``GeneratorError``.
  package func response(_ response: ComparedResponse) throws(GeneratorError) -> ComparedResponse {
    var response = response
    for rule in rules {
      guard let value = try rule.generator.value(in: context) else { continue }
      switch rule.part {
      case .status: response.status = value.intValue ?? Int(value.plainText) ?? response.status
      case .header: replace(&response.fields, rule.path, value)
      case .method, .path, .query, .body, .metadata: break
      }
    }
    response.body = try body(response.body, response.fields.mediaType)
    return response
  }

  /// Returns a message without HTTP with generated values.
  ///
  /// - Throws: ``GeneratorError``.
  package func message(_ message: ComparedMessage) throws(GeneratorError) -> ComparedMessage {
    var message = message
    for rule in rules where rule.part == .metadata {
      guard case .key(let name)? = rule.path.steps.first, let value = try rule.generator.value(in: context)
      else {
        continue
      }
      message.metadata[name] = value
    }
    message.body = try body(message.body, nil)
    return message
  }

  /// Replaces the values of a parameter, or adds it. A path may end in the index of a value.
  private func replace(_ query: inout ComparedQuery, _ path: RulePath, _ value: JSONValue) {
    guard case .key(let name)? = path.steps.first else { return }
    let places = query.parameters.indices.filter { query.parameters[$0].name == name }
    for (index, place) in places.enumerated() where path.includes(index) {
      query.parameters[place].value = value.plainText
    }
    if places.isEmpty { query.parameters.append(ComparedQuery.Parameter(name, value.plainText)) }
    query.text = nil
  }

  private func replace(_ fields: inout [FieldLine], _ path: RulePath, _ value: JSONValue) {
    guard case .key(let name)? = path.steps.first else { return }
    let places = fields.indices.filter { fields[$0].name.lowercased() == name.lowercased() }
    for (index, place) in places.enumerated() where path.includes(index) {
      fields[place].value = value.plainText
    }
    if places.isEmpty { fields.append(FieldLine(name, value.plainText)) }
  }

  /// Replaces values of a JSON body; the whole of a text, with a generator for the root. Other bodies stay.
  private func body(_ body: ComparedBody, _ headerType: MediaType?) throws(GeneratorError) -> ComparedBody {
    let rules = rules.filter { $0.part == .body }
    guard !rules.isEmpty, case .bytes(let bytes) = body.content else { return body }
    let type = headerType ?? body.mediaType ?? BodyFormat.assumedType(of: bytes)
    var body = body
    if type.isJSON, var json = try? JSONValue(parsing: bytes.array, limits: JSONComparison.limits) {
      for rule in rules {
        try json.replace(rule.path.steps[...]) { () throws(GeneratorError) in
          try rule.generator.value(in: context)
        }
      }
      body.content = .bytes(Bytes(json.serialized()))
    } else if type.type == "text", let rule = rules.first(where: { $0.path.steps.isEmpty }),
      let value = try rule.generator.value(in: context)
    {
      body.content = .bytes(Bytes(value.plainText))
    }
    return body
  }
}

extension RulePath {
  /// Whether the path includes the value of a parameter at an index.
  fileprivate func includes(_ index: Int) -> Bool {
    guard steps.count > 1, case .index(let only) = steps[1] else { return true }
    return only == index
  }
}

extension JSONValue {
  /// Replaces all values at a path that exist, each by another generated value.
  fileprivate mutating func replace(
    _ steps: ArraySlice<RulePath.Step>,
    _ value: () throws(GeneratorError) -> JSONValue?
  ) throws(GeneratorError) {
    guard let step = steps.first else {
      if let value = try value() { self = value }
      return
    }
    switch self {
    case .array(var elements):
      for index in elements.indices where step.matches(index: index) {
        try elements[index].replace(steps.dropFirst(), value)
      }
      self = .array(elements)
    case .object(var object):
      for index in object.members.indices where step.matches(key: object.members[index].key) {
        try object.members[index].value.replace(steps.dropFirst(), value)
      }
      self = .object(object)
    case .null, .bool, .number, .string: break
    }
  }
}

extension RulePath.Step {
  fileprivate func matches(index: Int) -> Bool {
    switch self {
    case .any, .anyIndex: true
    case .index(let other): index == other
    case .key(let key): key == String(index)
    }
  }

  fileprivate func matches(key: String) -> Bool {
    switch self {
    case .any: true
    case .key(let other): key.utf8.elementsEqual(other.utf8)
    case .index(let index): key == String(index)
    case .anyIndex: false
    }
  }
}
