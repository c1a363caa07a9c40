package import HTTPTypes

/// The fields of a request that are meant for one origin.
package enum SensitiveFields {
  /// The fields that are always meant for one origin.
  private static let always = Set(
    ["Authorization", "Cookie", "Proxy-Authorization", "Origin", "Referer"].compactMap { HTTPField.Name($0) }
  )

  /// Returns the fields of a request that are meant for one origin: the fixed ones, those marked by the caller, and
  /// those with secret names.
  package static func of(_ request: Request) -> Set<HTTPField.Name> {
    always.union(request.options.sensitiveFields).union(called(in: request.fields))
  }

  /// Returns the fields with secret names.
  package static func called(in fields: HTTPFields) -> [HTTPField.Name] {
    fields.map(\.name).filter { SecretNames.contains($0) }
  }
}

extension HTTPFields {
  /// Removes all fields with these names; the others keep their order.
  ///
  /// - Returns: The names that were present, each once.
  @discardableResult
  package mutating func remove(_ names: Set<HTTPField.Name>) -> [HTTPField.Name] {
    var removed: [HTTPField.Name] = []
    for field in self where names.contains(field.name) && !removed.contains(field.name) {
      removed.append(field.name)
    }
    if !removed.isEmpty { self = filter { !removed.contains($0.name) } }
    return removed
  }
}
