/// The nesting of the elements of a tape, computed in one pass.
final class TapeOutline {
  private let storage: XML.EventBatch.Storage
  /// By record: the start tag of the element that it is in, or -1.
  private let parents: [Int32]
  /// By start tag: how many siblings of the same name there are up to it.
  private lazy var positions = countSiblings()
  /// The scope that was asked for last, and the element that has it.
  private var last: (element: Int32, scope: [String: String])?

  init(_ storage: XML.EventBatch.Storage) {
    self.storage = storage
    var parents: [Int32] = []
    parents.reserveCapacity(storage.records.count)
    var open: [Int32] = []
    for (index, record) in storage.records.enumerated() {
      if record.kind == .endElement { open.removeLast() }
      parents.append(open.last ?? -1)
      if record.kind == .startElement { open.append(Int32(truncatingIfNeeded: index)) }
    }
    self.parents = parents
  }

  /// The way to a record: `feed/entry[3]/@id`.
  func path(to record: Int) -> String {
    var steps: [String] = []
    if storage.records[record].kind == .attribute {
      steps.append("@" + storage.name(of: storage.records[record]).qualifiedName)
    }
    var element = storage.records[record].kind == .startElement ? record : Int(parents[record])
    while element >= 0 {
      let name = storage.name(of: storage.records[element]).qualifiedName, position = positions[element]
      steps.append(position > 1 ? "\(name)[\(position)]" : name)
      element = Int(parents[element])
    }
    return steps.reversed().joined(separator: "/")
  }

  /// The namespaces in scope around an element, by prefix.
  func scope(around element: Int) -> [String: String] {
    let parent = parents[element]
    if let last, last.element == parent { return last.scope }
    var ancestors: [Int32] = []
    var next = parent
    while next >= 0 {
      ancestors.append(next)
      next = parents[Int(next)]
    }
    var scope = storage.scope
    for ancestor in ancestors.reversed() { storage.declareNamespaces(of: Int(ancestor), in: &scope) }
    last = (parent, scope)
    return scope
  }

  private func countSiblings() -> [Int32] {
    // Names that are written the same way count as the same.
    var spellings: [String: Int] = [:]
    let kinds = storage.names.enumerated().map { index, name in
      let first = spellings[name.qualifiedName, default: index]
      spellings[name.qualifiedName] = first
      return first
    }
    var positions = [Int32](repeating: 1, count: storage.records.count)
    var counts: [[Int: Int32]] = []
    for (index, record) in storage.records.enumerated() {
      switch record.kind {
      case .startElement:
        if let parent = counts.indices.last {
          counts[parent][kinds[Int(record.name)], default: 0] += 1
          positions[index] = counts[parent][kinds[Int(record.name)], default: 1]
        }
        counts.append([:])
      case .endElement: counts.removeLast()
      default: break
      }
    }
    return positions
  }
}
