/// An object of a JSON text: its members in order, including duplicates (RFC 8259 4).
///
/// Equality includes order and duplicates. Keys are compared by code units, so `é` and `e` + U+0301 are different keys
/// (RFC 8259 8.3). A look-up takes time linear in the number of members; use ``dictionary`` for many look-ups in a
/// large object.
public struct JSONObject: Sendable, Hashable {
  /// A key and its value.
  public struct Member: Sendable, Hashable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
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

  /// Creates an object with members in order.
  public init(_ members: [Member] = []) {
    self.members = members
  }

  /// The value for `key`; of duplicates the last one, as in most parsers.
  ///
  /// Assigning replaces that value or appends a member; assigning `nil` removes all members with the key.
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

  /// The values by key; of duplicates the last one. Keys that Swift considers equal (canonical equivalents) are
  /// merged.
  public var dictionary: [String: JSONValue] {
    Dictionary(members.lazy.map { ($0.key, $0.value) }) { _, last in last }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object with the members of the literal, in order, including duplicates.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { Member(key: $0, value: $1) }
  }
}
