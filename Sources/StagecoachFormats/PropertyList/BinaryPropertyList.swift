/// The object table of a binary property list, as far as its structure needs it.
struct BinaryPropertyList {
  private let bytes: UnsafeRawBufferPointer
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let root: Int
  private let table: Int

  /// Nil if the trailer makes no sense, or has sizes beyond eight bytes, of which the decoder would read the last.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 40 else { return nil }
    let trailer = bytes.count - 32
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.integer(bytes, trailer + 8, 8), let root = Self.integer(bytes, trailer + 16, 8),
      let table = Self.integer(bytes, trailer + 24, 8),
      root < count, table < trailer, count <= (trailer - table) / offsetSize
    else { return nil }
    (self.count, self.root, self.table) = (count, root, table)
  }

  /// Returns a big-endian integer; `nil` if it does not fit into an `Int` or extends beyond the end.
  private static func integer(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ size: Int) -> Int? {
    guard start >= 0, size <= bytes.count, start <= bytes.count - size else { return nil }
    var value: UInt64 = 0
    for offset in 0..<size { value = value << 8 | UInt64(bytes[start + offset]) }
    return Int(exactly: value)
  }

  /// Returns the references of an array, set or dictionary; none for other objects.
  ///
  /// - Throws: The error for a malformed object, which the decoder may interpret differently.
  private func references(of object: Int) throws(PropertyListStructure.Refusal) -> Range<Int> {
    guard let start = Self.integer(bytes, table + object * offsetSize, offsetSize), start < table else {
      throw .syntax
    }
    let marker = bytes[start]
    guard [0xA0, 0xC0, 0xD0].contains(marker & 0xF0) else { return 0..<0 }
    var first = start + 1
    var length = Int(marker & 0x0F)
    if length == 15 {
      guard first < table, bytes[first] & 0xF0 == 0x10, bytes[first] & 0x0F <= 3 else { throw .syntax }
      let size = 1 << Int(bytes[first] & 0x0F)
      guard let value = Self.integer(bytes, first + 1, size) else { throw .syntax }
      length = value
      first += 1 + size
    }
    guard length <= (table - first) / referenceSize else { throw .syntax }
    if marker & 0xF0 == 0xD0 { length *= 2 }
    guard length <= (table - first) / referenceSize else { throw .syntax }
    return first..<(first + length * referenceSize)
  }

  /// The depth of an object, and the number of values it expands to.
  private struct Measure {
    var depth = 1
    var values = 1

    mutating func add(_ child: Measure) throws(PropertyListStructure.Refusal) {
      depth = max(depth, child.depth + 1)
      values += child.values
      guard depth <= PropertyListStructure.maximumDepth else { throw .depth }
      guard values <= PropertyListStructure.maximumValues else { throw .values }
    }
  }

  /// Follows the references depth first, each object once.
  package func check() throws(PropertyListStructure.Refusal) {
    struct Visit {
      let object: Int
      var rest: Range<Int>
      var measure = Measure()
    }
    // What was met: nil in the optional for an object on the way to the current one.
    var measures: [Int: Measure?] = [:]
    measures.updateValue(nil, forKey: root)
    var path = [Visit(object: root, rest: try references(of: root))]
    while var visit = path.popLast() {
      guard !visit.rest.isEmpty else {
        measures.updateValue(visit.measure, forKey: visit.object)
        guard let last = path.indices.last else { return }
        try path[last].measure.add(visit.measure)
        continue
      }
      let reference = visit.rest.lowerBound
      visit.rest = (reference + referenceSize)..<visit.rest.upperBound
      guard let object = Self.integer(bytes, reference, referenceSize), object < count else { throw .syntax }
      switch measures[object] {
      case .some(.none): throw .cycle
      case .some(.some(let measure)):
        try visit.measure.add(measure)
        path.append(visit)
      case .none:
        path.append(visit)
        guard path.count < PropertyListStructure.maximumDepth else { throw .depth }
        measures.updateValue(nil, forKey: object)
        path.append(Visit(object: object, rest: try references(of: object)))
      }
    }
  }
}
