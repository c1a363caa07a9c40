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
}

extension RulePath {
  /// Whether the path includes the value of a parameter at an index.
  func includes(_ index: Int) -> Bool {
    guard steps.count > 1, case .index(let only) = steps[1] else { return true }
    return only == index
  }
}
