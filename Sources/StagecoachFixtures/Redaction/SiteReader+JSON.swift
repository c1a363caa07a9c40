extension SiteReader {
  private struct Container {
    let isObject: Bool
    /// The key of the member that is read, or of the array.
    var key: String
    /// Whether this is the content of a member with a secret name.
    let isSecret: Bool
    let path: String
    var index = 0
    /// The name of a pair such as `{"name": "X-Api-Key", "value": "..."}`, or `["X-Api-Key", "..."]` in a list.
    var pairName: String?

    var namesPair: Bool { key == "name" || key == "key" || key == "Name" || key == "Key" }
  }

  /// Containers that are nested more deeply are read as the one around them.
  private static let maxContainers = 256

  /// Reads JSON, whole or as a part of other text: several values, server-sent events, scripts. Nothing is refused.
  mutating func readJSON(_ range: Range<Int>) {
    var containers: [Container] = []
    var skipped = 0
    var position = range.lowerBound
    while position < range.upperBound {
      switch text[position] {
      case UInt8(ascii: "\""):
        let content = string(from: position + 1, limit: range.upperBound)
        position = min(content.upperBound + 1, range.upperBound)
        let after = text[position..<range.upperBound].prefix(1_024).first { !$0.isSpace }
        if after == UInt8(ascii: ":"), containers.last?.isObject != false {
          let key = String(decoding: unescaped(content), as: UTF8.self)
          if containers.isEmpty {
            // A part of an object, as a stream may contain.
            containers.append(Container(isObject: true, key: key, isSecret: false, path: "json "))
          } else {
            containers[containers.count - 1].key = key
          }
        } else {
          readString(content, &containers)
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if containers.count < Self.maxContainers {
          containers.append(container(isObject: text[position] == UInt8(ascii: "{"), in: containers.last))
        } else {
          skipped += 1
        }
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if skipped > 0 { skipped -= 1 } else { _ = containers.popLast() }
        position += 1
      case UInt8(ascii: ","):
        if let last = containers.indices.last { containers[last].index += 1 }
        position += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        let number = text[position..<range.upperBound].prefix { $0.isDigit || "+-.eE".utf8.contains($0) }
        readNumber(number.indices, containers.last)
        position = number.endIndex
      default:
        position += 1
      }
    }
  }

  private func container(isObject: Bool, in outer: Container?) -> Container {
    guard let outer else { return Container(isObject: isObject, key: "", isSecret: false, path: "json ") }
    let path = outer.path + (outer.isObject ? ".\(outer.key.prefix(64))" : ".*")
    let key = outer.key
    let isSecret = outer.isSecret || outer.isObject && naming.verdict(member: key) == .secret
    return Container(
      isObject: isObject,
      key: key,
      isSecret: isSecret && !naming.allows(key),
      path: String(path.prefix(1_024))
    )
  }

  /// Returns the range of a string without its quotes. A line break ends it, since no string contains one.
  private func string(from start: Int, limit: Int) -> Range<Int> {
    var end = start
    while end < limit, text[end] != UInt8(ascii: "\""), text[end] != 0x0A {
      end += text[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return start..<min(end, limit)
  }

  private func unescaped(_ range: Range<Int>) -> [UInt8] {
    let octets = Array(text[range])
    guard octets.contains(UInt8(ascii: "\\")) else { return octets }
    return TextView(octets, decoding: .json)?.octets ?? octets
  }

  private mutating func readString(_ range: Range<Int>, _ containers: inout [Container]) {
    guard let container = containers.last else { return }
    let value = unescaped(range)
    learnNested(value)
    let isFirst = !container.isObject && container.index == 0
    if isFirst && Self.isList(containers.dropLast().last) || container.isObject && container.namesPair {
      containers[containers.count - 1].pairName = String(decoding: value.prefix(256), as: UTF8.self)
    }
    let pairName = Self.pairName(container)
    let name = pairName ?? container.key
    if pairName != nil, container.path.hasSuffix(".cookies.*"), !naming.allows(name) {
      return add(site(range, value, name, container))
    }
    switch naming.verdict(member: name) {
    case .secret where container.isObject || container.isSecret || pairName != nil: break
    case .secret, .harmless, .ifRandom:
      // An object in a secret member may contain other data; a list contains nothing but secrets.
      guard container.isSecret && !container.isObject || isRandomSecret(value, name, container) else {
        return
      }
    }
    if SecretValues.isURL(value) { return learnSegments(value, name) }
    let isField = ["authorization", "cookie", "set-cookie"].contains(name.lowercased())
    isField ? addField(range, value, name, container) : add(site(range, value, name, container))
  }

  private static func isList(_ container: Container?) -> Bool { container?.isObject == false }

  /// Returns the name that belongs to the value at the current position of a pair.
  private static func pairName(_ container: Container) -> String? {
    guard let name = container.pairName else { return nil }
    return (container.isObject ? ["value", "Value", "text"].contains(container.key) : container.index == 1)
      ? name : nil
  }

  private func isRandomSecret(_ value: [UInt8], _ name: String, _ container: Container) -> Bool {
    (container.isSecret || container.isObject && naming.verdict(member: name) == .ifRandom)
      && SecretValues.isRandom(value)
  }

  /// Adds the value of a field in a description of a message: its scheme or the names of cookies are no secrets.
  private mutating func addField(
    _ range: Range<Int>,
    _ value: [UInt8],
    _ name: String,
    _ container: Container
  ) {
    guard value.count == range.count else { return add(site(range, value, name, container)) }
    var reader = SiteReader(value, naming)
    reader.readField(name)
    for var site in reader.findings.sites {
      site.range = site.range.shifted(by: range.lowerBound)
      deny(site)
    }
    findings.values += reader.findings.values
  }

  /// A URL under a secret name is no secret itself, but its path may contain one.
  private mutating func learnSegments(_ value: [UInt8], _ name: String) {
    for segment in value.split(separator: UInt8(ascii: "/")).dropFirst(2).prefix(64) {
      let segment = segment.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      if SecretValues.isRandom(segment) { learn(Array(segment), Placeholder.name(from: name)) }
    }
  }

  /// Short numbers are counts, states and codes.
  private mutating func readNumber(_ range: Range<Int>, _ container: Container?) {
    guard let container, range.count >= PatternSet.minLength, text[range].allSatisfy(\.isDigit) else {
      return
    }
    let isSecret = container.isObject && naming.verdict(member: container.key) == .secret
    guard isSecret || container.isSecret && !container.isObject else { return }
    // Language models count tokens.
    if container.key.lowercased().hasSuffix("tokens") { return }
    var site = site(range, Array(text[range]), container.key, container)
    site.style = .quoted
    add(site)
  }

  private func site(_ range: Range<Int>, _ value: [UInt8], _ name: String, _ container: Container) -> Site {
    Site(
      range: range,
      value: value,
      name: Placeholder.name(from: name),
      label: name,
      position: "\(container.path).\(name)"
    )
  }
}
