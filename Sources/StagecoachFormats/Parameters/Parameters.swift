/// The parameters of a request: an ordered list of keys and values, in which keys may repeat.
///
/// ```swift
/// let parameters: Parameters = ["name": "jack", "friends": [["name": "tom", "age": 13]]]
/// ```
///
/// A ``QueryEncoder`` creates parameters from an `Encodable` value, and writes them as a query or a form.
public struct Parameters: Sendable, Hashable {
  /// A key and its value.
  public struct Member: Sendable, Hashable {
    /// The unescaped key.
    public var key: String
    /// The value.
    public var value: ParameterValue

    /// Creates a member.
    public init(key: String, value: ParameterValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members, in order.
  public var members: [Member]

  /// Creates parameters with members in order.
  public init(_ members: [Member] = []) {
    self.members = members
  }

  /// Adds a member at the end; members with the same key are kept.
  public mutating func append(_ value: ParameterValue, forKey key: String) {
    members.append(Member(key: key, value: value))
  }
}

extension Parameters: ExpressibleByDictionaryLiteral {
  /// Creates parameters with the members of the literal, in order, including duplicates.
  public init(dictionaryLiteral elements: (String, ParameterValue)...) {
    members = elements.map { Member(key: $0, value: $1) }
  }
}
