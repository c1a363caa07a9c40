package import HTTPTypes

extension HTTPFields {
  /// Returns the value of the first field with a name; many times faster than the subscript, which joins all values.
  package func first(of name: HTTPField.Name) -> String? {
    for index in startIndex..<endIndex where self[index].name == name { return self[index].value }
    return nil
  }
}
