/// Numbers those that have the same name, from 0.
struct NameCounts {
  private var counts: [String: Int] = [:]

  mutating func next(_ name: String) -> Int {
    func next(_ count: inout Int) -> Int {
      defer { count += 1 }
      return count
    }
    return next(&counts[name, default: 0])
  }
}
