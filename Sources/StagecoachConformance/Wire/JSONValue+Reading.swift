import StagecoachCore

// Members of scripts. A member of the wrong type is an error, because an ignored expectation would always be met.
extension JSONValue {
  /// Throws if an object has unknown members, because a misspelt expectation would always be met.
  func refuseOthers(than known: Set<String>) throws {
    guard let object = objectValue else { throw ScriptError("\(self) is not an object") }
    for member in object.members where !known.contains(member.key) {
      throw ScriptError("\"\(member.key)\" is not known here")
    }
  }

  /// A member that is true or false.
  func flag(_ key: String) throws -> Bool? {
    guard let value = self[key] else { return nil }
    guard let flag = value.boolValue else { throw ScriptError("\"\(key)\" is neither true nor false") }
    return flag
  }

  /// A member that is a whole number.
  func number(_ key: String) throws -> Int? {
    guard let value = self[key] else { return nil }
    guard let number = value.intValue else { throw ScriptError("\"\(key)\" is not a whole number") }
    return number
  }

  /// A member that is a text.
  func text(_ key: String) throws -> String? {
    guard let value = self[key] else { return nil }
    guard let text = value.stringValue else { throw ScriptError("\"\(key)\" is not text") }
    return text
  }

  /// The items of a member that is an array.
  func items(_ key: String) throws -> [JSONValue]? {
    guard let value = self[key] else { return nil }
    guard let items = value.arrayValue else { throw ScriptError("\"\(key)\" is not an array") }
    return items
  }

  /// Pairs of a name and a value.
  func pairs() throws -> [(name: String, value: String)] {
    guard let items = arrayValue else { throw ScriptError("\(self) must be an array of pairs") }
    return try items.map { pair in
      guard let name = pair[0]?.stringValue, let value = pair[1]?.stringValue else {
        throw ScriptError("\(pair) is not a pair of name and value")
      }
      return (name, try ScriptText.expanded(value))
    }
  }

  /// Several texts, or one.
  func texts() throws -> [String] {
    try (arrayValue ?? [self]).map { item in
      guard let text = item.stringValue else { throw ScriptError("\(item) is not text") }
      return try ScriptText.expanded(text)
    }
  }

  /// Several numbers, or one.
  func numbers() throws -> [Int] {
    try (arrayValue ?? [self]).map { item in
      guard let number = item.intValue else { throw ScriptError("\(item) is not a whole number") }
      return number
    }
  }

  /// Capabilities by their names.
  func capabilities() throws -> TransportCapabilities {
    guard let names = arrayValue else { throw ScriptError("\(self) must be an array of capabilities") }
    return try names.reduce(into: []) { all, name in
      guard let capability = name.stringValue.flatMap({ TransportCapabilities(named: $0) }) else {
        throw ScriptError("\(name) is not a capability")
      }
      all.insert(capability)
    }
  }
}
