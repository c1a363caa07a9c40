import StagecoachFormats

extension Scenario {
  /// Returns a target with the origin in place of its alias; `nil` if there is no such alias.
  ///
  /// - Parameter target: The target of a request, such as `{api}/users`.
  public func url(of target: String) -> String? {
    guard let name = Self.alias(in: target) else { return target }
    guard let alias = origins.first(where: { $0.name == name }) else { return nil }
    return alias.origin + target.dropFirst(name.count + 2)
  }

  /// The alias that a target starts with; `nil` if there is none.
  package static func alias(in target: String) -> String? {
    guard target.first == "{", let end = target.firstIndex(of: "}") else { return nil }
    return String(target[target.index(after: target.startIndex)..<end])
  }

  static func isOfAlias(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
