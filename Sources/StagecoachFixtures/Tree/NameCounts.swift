/// Numbers those that have the same name, from 0.
struct NameCounts {
  private static let maxListed = 4

  /// The names that came first: most are counted among few.
  private var first: [(name: String, count: Int)] = []
  private var others: [String: Int] = [:]

  mutating func next(_ name: String) -> Int {
    func next(_ count: inout Int) -> Int {
      defer { count += 1 }
      return count
    }
    if let index = first.firstIndex(where: { $0.name == name }) { return next(&first[index].count) }
    guard first.count < Self.maxListed else { return next(&others[name, default: 0]) }
    first.append((name, 1))
    return 0
  }
}
