/// A list of field names, as in Vary and in the argument of `private`.
package struct FieldNameList {
  /// The names in lower case, sorted, each once.
  package let names: [String]

  /// Reads a list; nil if an element is not a field name.
  package init?(_ octets: UnsafeBufferPointer<UInt8>) {
    var names: [String] = []
    for element in octets.split(separator: UInt8(ascii: ",")) {
      let trimmed = element.drop(while: \.isBlankInField)
      let name = trimmed.prefix { !$0.isBlankInField }
      guard trimmed.dropFirst(name.count).allSatisfy(\.isBlankInField), name.allSatisfy(\.isTokenOctet)
      else { return nil }
      if !name.isEmpty { names.append(String(decoding: name.map(\.lowercasedInField), as: UTF8.self)) }
    }
    names.sort()
    var last: String?
    names.removeAll { name in
      defer { last = name }
      return name == last
    }
    self.names = names
  }
}
