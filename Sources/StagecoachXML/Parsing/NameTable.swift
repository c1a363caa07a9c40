internal import CLibXML2

/// The names of one document, each created once.
///
/// libxml2 stores one copy of every name as long as the parser lives, so three addresses identify a name.
struct NameTable {
  private struct Slot {
    var local: UInt = 0
    var prefix: UInt = 0
    var uri: UInt = 0
    var index = -1
  }

  /// The names in the order in which they were first met.
  private(set) var names: [XML.Name] = []
  private var slots = [Slot](repeating: Slot(), count: 64)

  /// The maximum number of names kept as values.
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// The index of a name.
  mutating func index(_ name: SAXName) -> Int {
    let (position, index) = find(name)
    if index >= 0 { return index }
    return add(name, at: position)
  }

  /// The name as a value.
  mutating func name(_ name: SAXName) -> XML.Name {
    let (position, index) = find(name)
    if index >= 0 { return names[index] }
    guard names.count < limit else { return XML.Name(name) }
    return names[add(name, at: position)]
  }

  /// Returns the position of a name or the position to insert it, and its index or -1.
  @inline(__always)
  private func find(_ name: SAXName) -> (position: Int, index: Int) {
    let key = (UInt(bitPattern: name.local), UInt(bitPattern: name.prefix), UInt(bitPattern: name.uri))
    var position = Self.hash(key) & (slots.count - 1)
    while slots[position].index >= 0 {
      let slot = slots[position]
      if slot.local == key.0, slot.uri == key.2, slot.prefix == key.1 { return (position, slot.index) }
      position = (position + 1) & (slots.count - 1)
    }
    return (position, -1)
  }

  private mutating func add(_ name: SAXName, at position: Int) -> Int {
    let index = names.count
    names.append(XML.Name(name))
    slots[position] = Slot(
      local: UInt(bitPattern: name.local),
      prefix: UInt(bitPattern: name.prefix),
      uri: UInt(bitPattern: name.uri),
      index: index
    )
    if names.count * 2 > slots.count { grow() }
    return index
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.index >= 0 {
      var position = Self.hash((slot.local, slot.prefix, slot.uri)) & (slots.count - 1)
      while slots[position].index >= 0 { position = (position + 1) & (slots.count - 1) }
      slots[position] = slot
    }
  }

  /// Hashes addresses, which differ in their middle bits and cannot be chosen from outside.
  private static func hash(_ key: (UInt, UInt, UInt)) -> Int {
    let mixed = (key.0 ^ (key.1 << 1) ^ (key.2 << 2)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 32)
  }
}

extension XML.Name {
  /// A copy of a name of libxml2.
  init(_ name: SAXName) {
    self.init(
      String(libxml: name.local),
      namespace: name.uri.map { String(cString: $0) },
      prefix: name.prefix.map { String(cString: $0) }
    )
  }
}
