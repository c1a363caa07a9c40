import StagecoachCore

/// The name and value of a cookie: octets, which are sent back as they came.
struct CookiePair: Sendable, Hashable {
  /// The most octets that name and value may have together.
  static let maximumCount = 4096

  /// The octets as they are sent: `name=value`, or only the value if there is no name.
  let octets: [UInt8]
  private let nameCount: Int

  /// Creates a pair from a name and a value, without surrounding spaces and tabs.
  init(name: some Collection<UInt8>, value: some Collection<UInt8>) throws(CookieRejection) {
    let (name, value) = (Array(name).trimmed, Array(value).trimmed)
    guard !name.isEmpty || !value.isEmpty else { throw .empty }
    guard name.count + value.count <= Self.maximumCount else { throw .tooLong }
    guard !name.contains(where: \.isControlInField), !value.contains(where: \.isControlInField) else {
      throw .controlCharacter
    }
    nameCount = name.count
    octets = name.isEmpty ? Array(value) : name + [UInt8(ascii: "=")] + value
  }

  var name: ArraySlice<UInt8> { octets[..<nameCount] }

  var value: ArraySlice<UInt8> { nameCount == 0 ? octets[...] : octets[(nameCount + 1)...] }
}
