/// An object of a JSON text (RFC 8259, section 4): its members in the order of the text, duplicates included.
///
/// Equality takes order and duplicates into account. Keys are matched code unit by code unit, as section 8.3 of
/// the RFC advises, so `é` and `e` + U+0301 are different keys. A lookup takes time linear in the number of
/// members; make a ``dictionary`` for many lookups in a large object.
public struct JSONObject: Sendable, Hashable {
  /// A key and its value.
  public struct Member: Sendable, Hashable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// A member.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }

    // A byte comparison only after Swift's, which is quick to refuse but holds canonical equivalents equal.
    func hasKey(_ other: String) -> Bool {
      key == other && key.utf8.elementsEqual(other.utf8)
    }
  }

  /// The members, in order.
  public var members: [Member]

  /// An object with `members`, in that order.
  public init(_ members: [Member] = []) {
    self.members = members
  }

  /// The value for `key`; of duplicates the last, as most parsers decide.
  ///
  /// Assigning replaces that value or appends a member; assigning nil removes every member with the key.
  public subscript(key: String) -> JSONValue? {
    get {
      members.last { $0.hasKey(key) }?.value
    }
    set {
      guard let newValue else { return members.removeAll { $0.hasKey(key) } }
      if let index = members.lastIndex(where: { $0.hasKey(key) }) {
        members[index].value = newValue
      } else {
        members.append(Member(key: key, value: newValue))
      }
    }
  }

  /// The values by key; of duplicates the last. Keys that Swift holds equal (canonical equivalents) are one.
  public var dictionary: [String: JSONValue] {
    Dictionary(members.lazy.map { ($0.key, $0.value) }) { _, last in last }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object with the members of the literal, in order, duplicates included.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { Member(key: $0, value: $1) }
  }
}
