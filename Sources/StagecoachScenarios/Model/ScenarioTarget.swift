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

  /// The origin of a target, and what follows it: recordings against another origin are recordings of the same service.
  package func parts(of target: String) -> (origin: Substring, path: Substring) {
    let url = url(of: target) ?? target
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let end = url[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "*" } ?? url.endIndex
    return (url[..<end], url[end...])
  }

  /// The target for a URL, behind the alias of its origin, which is added if it is new: with the name that it has in an
  /// older recording, or with one whose origin is not asked any more.
  package mutating func shorten(_ url: String, over old: Scenario? = nil) -> String {
    let known = origins.first {
      url.hasPrefix($0.origin) && "/?*".contains(url.dropFirst($0.origin.count).first ?? "/")
    }
    if let known { return "{\(known.name)}\(url.dropFirst(known.origin.count))" }
    let (origin, path) = parts(of: url)
    let names = (old?.origins ?? []).filter { alias in !origins.contains { $0.name == alias.name } }
    let name = (names.first { $0.origin == origin } ?? names.first)?.name
    var number = 1
    while name == nil, origins.contains(where: { $0.name == Self.name(ofOrigin: number) }) { number += 1 }
    origins.append(Alias(name: name ?? Self.name(ofOrigin: number), origin: String(origin)))
    return "{\(origins[origins.count - 1].name)}\(path)"
  }

  private static func name(ofOrigin number: Int) -> String { number == 1 ? "api" : "api\(number)" }

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
