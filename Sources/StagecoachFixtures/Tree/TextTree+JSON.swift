extension TextTree {
  /// Reads JSON, whole or in part.
  ///
  /// A member or an element is a node; a value alone is `characters(0)`. Of several values, each is in its own `index`.
  ///
  /// - Parameter isSequence: Whether several values are expected: in lines, or after separators (RFC 7464).
  mutating func readJSON(isSequence: Bool = false) {
    var reader = JSONLeafReader(self, isSequence: isSequence)
    if !reader.read() {
      reader = JSONLeafReader(self, isSequence: true)
      _ = reader.read()
    }
    self = reader.tree
  }
}

/// Reads the leaves of JSON. Missing quotes, commas and brackets are no errors.
private struct JSONLeafReader {
  private struct Container {
    let isObject: Bool
    /// Whether the tree has a node for it.
    let isNode: Bool
    var index = 0
  }

  /// Containers that are nested more deeply are read as the one around them.
  private static let maxDepth = 256

  private(set) var tree: TextTree
  private let text: [UInt8]
  private let isSequence: Bool
  private var position = 0
  private var containers: [Container] = []
  private var skipped = 0
  private var key: String?
  /// How many values without a container around them have ended.
  private var valueCount = 0

  init(_ tree: TextTree, isSequence: Bool) {
    self.tree = tree
    text = tree.text
    self.isSequence = isSequence
  }

  /// - Returns: Whether the values are as many as was expected.
  mutating func read() -> Bool {
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\""): readString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if containers.isEmpty, valueCount > 0, !isSequence { return false }
        open(isObject: text[position] == UInt8(ascii: "{"))
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        position += 1
        if skipped > 0 { skipped -= 1 } else { close() }
      case UInt8(ascii: ","):
        if let last = containers.indices.last { containers[last].index += 1 }
        key = nil
        position += 1
      case UInt8(ascii: ":"), 0x1E,
        0xEF where position == 0, 0xBB where position == 1, 0xBF where position == 2:
        position += 1
      case let octet where octet.isSpace: position += 1
      default: readWord()
      }
    }
    while !containers.isEmpty { close() }
    return true
  }

  // MARK: Containers

  private mutating func open(isObject: Bool) {
    guard containers.count < Self.maxDepth else {
      skipped += 1
      key = nil
      return
    }
    let step = nextStep()
    if let step { tree.open(step, at: position) }
    containers.append(Container(isObject: isObject, isNode: step != nil))
  }

  private mutating func close() {
    guard let container = containers.popLast() else { return }
    key = nil
    if container.isNode { tree.close(at: position) }
    if containers.isEmpty { valueCount += 1 }
  }

  /// The step to the value at the position; `nil` for one that stands alone.
  private mutating func nextStep() -> TextTree.Step? {
    defer { key = nil }
    guard let container = containers.last else {
      return key.map { .member($0) } ?? (isSequence ? .index(valueCount) : nil)
    }
    return container.isObject ? .member(key ?? "") : .index(container.index)
  }

  private mutating func add(_ range: Range<Int>, _ coding: LeafCoding, _ type: Leaf.ValueType) {
    tree.add(nextStep() ?? .characters(valueCount), range, coding, type)
    if containers.isEmpty { valueCount += 1 }
  }

  // MARK: Values

  private mutating func readString() {
    let start = position + 1
    var end = start
    // No string contains a line break: one ends a string that has no end.
    while end < text.count, text[end] != UInt8(ascii: "\""), text[end] != 0x0A {
      end += text[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    end = min(end, text.count)
    if containers.isEmpty, text.has(end + 1, \.isAlphanumeric) {
      // A part of JSON began in a string, and this is its end.
      position = start
      return
    }
    position = min(end + 1, text.count)
    if isKey {
      key = String(decoding: LeafCoding.json.decode(text[start..<end]).value, as: UTF8.self)
    } else {
      add(start..<end, .json, .text)
    }
  }

  /// Whether what ends at the position is a key: a colon follows, where an object may have a key.
  private var isKey: Bool {
    guard key == nil, containers.last?.isObject != false else { return false }
    var next = position
    while next < text.count, text[next].isSpace { next += 1 }
    return next < text.count && text[next] == UInt8(ascii: ":")
  }

  /// Reads a number, a literal, or a word that is no JSON.
  private mutating func readWord() {
    let start = position
    while position < text.count, !text[position].endsJSONWord { position += 1 }
    let word = text[start..<position]
    if word.first?.isDigit == true || word.first == UInt8(ascii: "-"),
      word.allSatisfy({ $0.isDigit || $0.isOne(of: "+-.eE") })
    {
      add(word.indices, .plain, .number)
    } else if word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8) {
      add(word.indices, .plain, .boolean)
    } else if word.elementsEqual("null".utf8) {
      add(word.indices, .plain, .null)
    } else if isKey, !containers.isEmpty {
      key = String(decoding: word, as: UTF8.self)
    } else if !containers.isEmpty {
      add(word.indices, .plain, .text)
    }
  }
}

extension UInt8 {
  fileprivate var endsJSONWord: Bool {
    switch self {
    case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "\""):
      true
    default: isSpace
    }
  }
}
