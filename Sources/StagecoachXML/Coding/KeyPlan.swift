#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The plan of a type of coding keys: the names of the tape that its keys match.
///
/// It is filled while decoding, so that a key costs one comparison of strings, and a name one table look-up.
struct KeyPlan {
  /// A reference to a plan, which lives as long as its workspace. A pointer avoids reference counting and checks for
  /// overlapping access for every value.
  typealias Reference = UnsafeMutablePointer<KeyPlan>

  /// The kind of decoding for a type.
  enum ValueKind: UInt8 {
    case other, date, data, url, decimal, element, attribute, text, optional
  }

  /// The kind of a key.
  enum Kind: UInt8 {
    /// A child element, or else an attribute.
    case natural
    case attribute, text, rest, nodes, payload
    /// Behind other elements.
    case path
    /// Not in the notation.
    case unknown
  }

  let index: Int
  /// Whether any string is a key, as for dictionaries.
  let isOpen: Bool
  private let naming: KeyNaming
  private let makeKey: (String) -> (any CodingKey)?

  private(set) var keys: [String] = []
  private(set) var kinds: [Kind] = []
  private(set) var patterns: [KeyPattern] = []
  private var types: [ObjectIdentifier?] = []
  private var valueKinds: [ValueKind] = []
  private var entries: [String: Int] = [:]
  /// Which entry was asked for behind which, from -1 for the first.
  private var followers: [Int32] = [-1]
  /// Grows when names that are known may mean another entry.
  private(set) var version = 0

  private static let unknown: Int32 = -2
  private static let none: Int32 = -1
  /// By name, for elements in the namespace of their parent, and for others.
  private var elementEntries: [Int32] = []
  private var foreignEntries: [Int32] = []
  private var attributeEntries: [Int32] = []
  /// The entries for a local name, and the names of the tape that have it.
  private var elementCandidates: [String: [Int]] = [:]
  private var attributeCandidates: [String: [Int]] = [:]
  private var knownNames: [String: [Int]] = [:]
  /// By entry of a path to any elements, and by name and whether it is in the namespace of the parent: whether another
  /// key names it there.
  private var namesInPaths: [Int: [Int: Bool]] = [:]

  init<Key: CodingKey>(_ type: Key.Type, index: Int, naming: KeyNaming) {
    self.index = index
    makeKey = { Key(stringValue: $0) }
    // A string that is never a name.
    isOpen = Key(stringValue: "\u{1}") != nil
    var naming = naming
    if isOpen {
      // A dictionary has all that is there.
      naming.keyCase = .asGiven
      naming.matchesAnyNamespace = true
    }
    self.naming = naming
    hasPayload = !isOpen && Key(stringValue: "_0") != nil && Key(stringValue: "_1") == nil
  }

  /// Whether the keys are those of an enumeration case with one unlabelled value.
  private let hasPayload: Bool

  func key(_ entry: Int) -> any CodingKey {
    let name = keys[entry]
    return makeKey(name) ?? TextKey(stringValue: name)
  }

  /// Whether a string is a key.
  func accepts(_ key: String) -> Bool { !isOpen && makeKey(key) != nil }

  // MARK: - Entries

  /// The entry of a key that is asked for after another one.
  @inline(__always)
  mutating func entry(for key: String, after previous: Int) -> Int {
    let guess = Int(followers[previous + 1])
    if guess >= 0, keys[guess] == key { return guess }
    let entry = entry(for: key)
    followers[previous + 1] = Int32(truncatingIfNeeded: entry)
    return entry
  }

  @inline(never)
  mutating func entry(for key: String) -> Int {
    if let entry = entries[key] { return entry }
    let entry = keys.count
    let pattern = hasPayload && key == "_0" ? KeyPattern(.payload) : KeyPattern(key, naming: naming)
    keys.append(key)
    patterns.append(pattern)
    types.append(nil)
    valueKinds.append(.other)
    followers.append(-1)
    entries[key] = entry
    if let first = pattern.firstStep {
      kinds.append(.path)
      // Recorded as an element that a key names.
      _ = self.entry(for: first)
      return entry
    }
    switch pattern.target {
    case .elements(let name):
      kinds.append(.natural)
      elementCandidates[name.localName, default: []].append(entry)
      attributeCandidates[name.localName, default: []].append(entry)
      forget(name.localName)
    case .attribute(let name):
      kinds.append(.attribute)
      attributeCandidates[name.localName, default: []].append(entry)
      forget(name.localName)
    case .text: kinds.append(.text)
    case .rest: kinds.append(.rest)
    case .nodes: kinds.append(.nodes)
    case .payload: kinds.append(.payload)
    case .unknown: kinds.append(.unknown)
    }
    return entry
  }

  /// Returns the kind of decoding for a type, determined once for an entry.
  @inline(__always)
  mutating func valueKind<Value>(_ type: Value.Type, entry: Int) -> ValueKind {
    if types[entry] == ObjectIdentifier(type) { return valueKinds[entry] }
    let kind = ValueKind(type)
    types[entry] = ObjectIdentifier(type)
    valueKinds[entry] = kind
    return kind
  }

  // MARK: - Names

  private mutating func forget(_ localName: String) {
    guard let names = knownNames.removeValue(forKey: localName) else { return }
    for name in names {
      elementEntries[name] = Self.unknown
      foreignEntries[name] = Self.unknown
      attributeEntries[name] = Self.unknown
    }
    version += 1
  }

  /// Makes room for names that the tape has.
  mutating func prepare(names count: Int) {
    guard elementEntries.count < count else { return }
    let missing = repeatElement(Self.unknown, count: count - elementEntries.count)
    elementEntries += missing
    foreignEntries += missing
    attributeEntries += missing
  }

  /// The entry that an element of this name belongs to; negative for none.
  ///
  /// - Parameter isOwn: Whether the element is in the namespace of its parent.
  @inline(__always)
  mutating func elementEntry(_ name: Int, isOwn: Bool, in names: [XML.Name]) -> Int {
    let entry = isOwn ? elementEntries[name] : foreignEntries[name]
    if entry != Self.unknown { return Int(entry) }
    resolve(name, names[name])
    return Int(isOwn ? elementEntries[name] : foreignEntries[name])
  }

  /// The entry that an attribute of this name belongs to; negative for none.
  @inline(__always)
  mutating func attributeEntry(_ name: Int, in names: [XML.Name]) -> Int {
    let entry = attributeEntries[name]
    if entry != Self.unknown { return Int(entry) }
    resolve(name, names[name])
    return Int(attributeEntries[name])
  }

  @inline(never)
  private mutating func resolve(_ index: Int, _ name: XML.Name) {
    // Adds keys that have not been used yet, so that all of them are known before the first one is used.
    let spellings = isOpen ? [name.localName] : Self.spellings(of: name, naming)
    for spelling in spellings where entries[spelling] == nil {
      // A key made from an equivalent string means another name.
      guard let key = makeKey(spelling)?.stringValue, key != spelling || key.isWritten(as: spelling) else {
        continue
      }
      _ = entry(for: spelling)
    }
    knownNames[name.localName, default: []].append(index)
    elementEntries[index] = best(elementCandidates, name, isOwn: true, isAttribute: false)
    foreignEntries[index] = best(elementCandidates, name, isOwn: false, isAttribute: false)
    let isOwn = name.namespaceURI == nil
    attributeEntries[index] = best(attributeCandidates, name, isOwn: isOwn, isAttribute: true)
  }

  /// Returns whether a key that differs from the key of an entry in the last step, as `a/b` from `a/*`, matches
  /// elements with a name.
  mutating func hasSibling(of entry: Int, named name: Int, isOwn: Bool, in names: [XML.Name]) -> Bool {
    let id = name << 1 | (isOwn ? 1 : 0)
    if let known = namesInPaths[entry]?[id] { return known }
    let path = keys[entry].prefix(upTo: keys[entry].lastIndex(of: "/") ?? keys[entry].startIndex)
    let isNamed = Self.spellings(of: names[name], naming).contains { spelling in
      guard spelling.first != "@", let key = makeKey("\(path)/\(spelling)")?.stringValue,
        key.isWritten(as: "\(path)/\(spelling)")
      else { return false }
      return NamePattern(spelling[...], naming: naming, isAttribute: false).admits(names[name], isOwn: isOwn)
    }
    namesInPaths[entry, default: [:]][id] = isNamed
    return isNamed
  }

  /// Returns the ways in which a key may spell a name.
  static func spellings(of name: XML.Name, _ naming: KeyNaming) -> [String] {
    let local = naming.keyCase.key(for: name.localName)
    let any = NamePattern.anyNamespace + local
    var spellings = [local, "@" + local, any, "@" + any]
    if let uri = name.namespaceURI {
      spellings += ["{\(uri)}\(local)", "@{\(uri)}\(local)"]
      for (prefix, bound) in naming.namespaces where bound == uri && !prefix.isEmpty {
        spellings += ["\(prefix):\(local)", "@\(prefix):\(local)"]
      }
    }
    if let prefix = name.prefix { spellings += ["\(prefix):\(local)", "@\(prefix):\(local)"] }
    return spellings
  }

  /// The most exact of the keys that mean a name.
  private func best(
    _ candidates: [String: [Int]],
    _ name: XML.Name,
    isOwn: Bool,
    isAttribute: Bool
  ) -> Int32 {
    var best = Self.none, bestRank = -1
    for entry in candidates[name.localName] ?? [] {
      let pattern: NamePattern
      let isForAttribute: Bool
      switch patterns[entry].target {
      case .elements(let name): (pattern, isForAttribute) = (name, false)
      case .attribute(let name): (pattern, isForAttribute) = (name, true)
      default: continue
      }
      // A key for elements in a namespace is for attributes in none, since those have no default.
      guard pattern.localName.isWritten(as: name.localName),
        pattern.admits(name, isOwn: isOwn)
          || isAttribute && !isForAttribute && isOwn && pattern.prefix == nil && keys[entry].first != "{"
      else { continue }
      var rank = isForAttribute ? 4 : 0
      switch pattern.namespace {
      case .any: break
      case .natural: rank += 1
      case .prefix: rank += 2
      case .exactly: rank += 3
      }
      if rank > bestRank { (best, bestRank) = (Int32(truncatingIfNeeded: entry), rank) }
    }
    return best
  }
}

extension KeyPattern {
  fileprivate init(_ target: Target) { self.target = target }
}

extension KeyPlan.ValueKind {
  init(_ type: any Any.Type) {
    if type == Date.self {
      self = .date
    } else if type == Data.self {
      self = .data
    } else if type == URL.self {
      self = .url
    } else if type == Decimal.self {
      self = .decimal
    } else if type == XML.Element.self {
      self = .element
    } else if let mark = type as? any XMLFieldMark.Type {
      self =
        switch mark.field {
        case .attribute: .attribute
        case .text: .text
        case .optional: .optional
        }
    } else {
      self = .other
    }
  }
}

/// A key that is made here.
struct TextKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The place in an array.
struct IndexKey: CodingKey {
  let index: Int
  var stringValue: String { "Index \(index)" }
  var intValue: Int? { index }
  init(_ index: Int) { self.index = index }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { index = intValue }
}
