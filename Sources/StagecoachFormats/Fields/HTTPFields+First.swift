package import HTTPTypes

extension HTTPFields {
  /// Returns the value of the first field with a name; many times faster than the subscript, which joins all values.
  package func first(of name: HTTPField.Name) -> String? {
    firstField(name)?.value
  }

  /// The first field with a name.
  package func firstField(_ name: HTTPField.Name) -> HTTPField? {
    for index in startIndex..<endIndex where self[index].name == name { return self[index] }
    return nil
  }

  /// The field with a name; nil if there is none, or if there are several that differ, so that none can be trusted.
  package func onlyField(_ name: HTTPField.Name) -> HTTPField? {
    guard let field = firstField(name), !contains(where: { $0.name == name && $0.value != field.value })
    else { return nil }
    return field
  }
}
