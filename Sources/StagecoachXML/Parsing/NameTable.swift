internal import CLibXML2

/// The names of one document, each made once.
///
/// libxml2 keeps one copy of every name as long as the parser lives, so three addresses tell a name.
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

  /// The index of a name.
  mutating func index(_ name: SAXName) -> Int {
    let key = (UInt(bitPattern: name.local), UInt(bitPattern: name.prefix), UInt(bitPattern: name.uri))
    var position = Self.hash(key) & (slots.count - 1)
    while slots[position].index >= 0 {
      let slot = slots[position]
      if slot.local == key.0, slot.uri == key.2, slot.prefix == key.1 { return slot.index }
      position = (position + 1) & (slots.count - 1)
    }
    let index = names.count
    names.append(
      XML.Name(
        String(libxml: name.local),
        namespace: name.uri.map { String(cString: $0) },
        prefix: name.prefix.map { String(cString: $0) }
      )
    )
    slots[position] = Slot(local: key.0, prefix: key.1, uri: key.2, index: index)
    if names.count * 2 > slots.count { grow() }
    return index
  }

  /// The name as a value.
  mutating func name(_ name: SAXName) -> XML.Name {
    let index = index(name)
    return names[index]
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

  /// Addresses differ in their middle bits; nobody outside chooses them.
  private static func hash(_ key: (UInt, UInt, UInt)) -> Int {
    let mixed = (key.0 ^ (key.1 << 1) ^ (key.2 << 2)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 32)
  }
}
