/// The parameters of a request: an ordered list of keys with values, which may repeat a key.
///
/// ```swift
/// let parameters: Parameters = ["name": "jack", "friends": [["name": "tom", "age": 13]]]
/// ```
///
/// A ``QueryEncoder`` makes them of an `Encodable` value, and writes them as a query or a form. A
/// ``QueryDecoder`` reads them back.
public struct Parameters: Sendable, Hashable {
  /// A key and its value.
  public struct Member: Sendable, Hashable {
    /// The key, not escaped.
    public var key: String
    /// The value.
    public var value: ParameterValue

    /// A member.
    public init(key: String, value: ParameterValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members, in order.
  public var members: [Member]

  /// Parameters with `members`, in that order.
  public init(_ members: [Member] = []) {
    self.members = members
  }

  /// Adds a member at the end; members with the same key stay.
  public mutating func append(_ value: ParameterValue, forKey key: String) {
    members.append(Member(key: key, value: value))
  }
}

extension Parameters: ExpressibleByDictionaryLiteral {
  /// Parameters with the members of the literal, in order, duplicates included.
  public init(dictionaryLiteral elements: (String, ParameterValue)...) {
    members = elements.map { Member(key: $0, value: $1) }
  }
}
