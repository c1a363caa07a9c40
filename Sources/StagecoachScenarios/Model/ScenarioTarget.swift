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

  /// The identifier of an exchange at a position: `01`, `02`.
  package static func identifier(at position: Int) -> String {
    position < 99 ? String(String(position + 101).dropFirst()) : String(position + 1)
  }

  /// The target for a URL, behind the alias of its origin, which is added if it is new.
  package mutating func shorten(_ url: String) -> String {
    let known = origins.first {
      url.hasPrefix($0.origin) && "/?".contains(url.dropFirst($0.origin.count).first ?? "/")
    }
    if let known { return "{\(known.name)}\(url.dropFirst(known.origin.count))" }
    let scheme = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let origin = String(
      url[..<(url[scheme...].firstIndex { $0 == "/" || $0 == "?" || $0 == "*" } ?? url.endIndex)]
    )
    let name = origins.isEmpty ? "api" : "api\(origins.count + 1)"
    origins.append(Alias(name: name, origin: origin))
    return "{\(name)}\(url.dropFirst(origin.count))"
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
