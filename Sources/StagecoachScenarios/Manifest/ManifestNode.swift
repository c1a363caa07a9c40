package import HTTPTypes
package import StagecoachFormats

/// A value in a manifest, or in a JSON file of another tool, and the way to it, for errors that name the line.
package struct ManifestNode {
  package enum Step: Hashable {
    case key(String)
    case index(Int)
  }

  /// A defect at a place of the manifest; the reader adds file and line.
  package struct Failure: Error {
    package let path: [Step]
    package let message: String
  }

  package let value: JSONValue
  package let path: [Step]

  package init(_ value: JSONValue, path: [Step] = []) {
    self.value = value
    self.path = path
  }

  package func failure(_ message: String) -> Failure {
    let place = path.reduce(into: "") { text, step in
      switch step {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index(let index): text += "[\(index)]"
      }
    }
    return Failure(path: path, message: place.isEmpty ? message : "\(place): \(message)")
  }

  // MARK: Objects

  /// Checks that this is an object with some of these members, each once.
  package func expectMembers(_ names: [String]) throws(Failure) {
    guard let object = value.objectValue else { throw failure("expected an object") }
    var seen: Set<String> = []
    for member in object.members {
      let node = ManifestNode(member.value, path: path + [.key(member.key)])
      guard names.contains(member.key) else {
        throw node.failure("unknown member; known ones are \(names.joined(separator: ", "))")
      }
      guard seen.insert(member.key).inserted else { throw node.failure("the member is there twice") }
    }
  }

  /// The member of a name; `nil` if it is absent or null.
  package func member(_ key: String) -> ManifestNode? {
    guard let member = value[key], !member.isNull else { return nil }
    return ManifestNode(member, path: path + [.key(key)])
  }

  package func required(_ key: String) throws(Failure) -> ManifestNode {
    guard let member = member(key) else { throw failure("\"\(key)\" is missing") }
    return member
  }

  /// The members, in their order.
  package func members() throws(Failure) -> [(key: String, node: ManifestNode)] {
    guard let object = value.objectValue else { throw failure("expected an object") }
    return object.members.map { ($0.key, ManifestNode($0.value, path: path + [.key($0.key)])) }
  }

  // MARK: Values

  package func elements() throws(Failure) -> [ManifestNode] {
    guard let elements = value.arrayValue else { throw failure("expected an array") }
    return elements.enumerated().map { ManifestNode($0.element, path: path + [.index($0.offset)]) }
  }

  package func string() throws(Failure) -> String {
    guard let text = value.stringValue else { throw failure("expected a string") }
    return text
  }

  package func bool() throws(Failure) -> Bool {
    guard let flag = value.boolValue else { throw failure("expected true or false") }
    return flag
  }

  package func count() throws(Failure) -> Int {
    guard let number = value.intValue, number >= 0 else { throw failure("expected a number of at least 0") }
    return number
  }

  /// One of the raw values of an enumeration.
  package func choice<Choice: RawRepresentable & CaseIterable>(of type: Choice.Type) throws(Failure) -> Choice
  where Choice.RawValue == String {
    let text = try string()
    guard let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw failure("unknown value \"\(text)\"; known ones are \(known)")
    }
    return choice
  }

  /// Milliseconds, as exact as the microsecond.
  package func duration() throws(Failure) -> Duration {
    guard let number = value.doubleValue, number >= 0, number <= 1e12 else {
      throw failure("expected milliseconds, 0 or more")
    }
    return .microseconds(Int64((number * 1000).rounded()))
  }

  /// An array of pairs of a name and a value: a text, or an object with the text in Latin-1.
  package func fields() throws(Failure) -> HTTPFields {
    var fields = HTTPFields()
    for pair in try elements() {
      let parts = try pair.elements()
      guard parts.count == 2 else { throw pair.failure("expected a name and a value") }
      let (text, value) = (try parts[0].string(), try parts[1].octets())
      guard let name = HTTPField.Name(text) else {
        throw pair.failure("\"\(text)\" is not the name of a field")
      }
      guard HTTPField.isValidValue(value) else {
        throw pair.failure("the value has octets that no field may have")
      }
      fields.append(HTTPField(name: name, value: value))
    }
    return fields
  }

  /// The octets of a field value.
  private func octets() throws(Failure) -> [UInt8] {
    guard let latin1 = member("latin1") else { return Array(try string().utf8) }
    try expectMembers(["latin1"])
    let scalars = try latin1.string().unicodeScalars
    let octets = scalars.compactMap { UInt8(exactly: $0.value) }
    guard octets.count == scalars.count else { throw latin1.failure("expected characters up to U+00FF") }
    return octets
  }
}
