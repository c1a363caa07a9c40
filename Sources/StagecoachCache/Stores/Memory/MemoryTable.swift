import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of a store in memory: by key, and in a ring that the hand of a clock goes round to find those that were
/// not used for longest.
struct MemoryTable {
  /// The most entries of a key.
  static let variants = 64

  private struct Slot {
    let id: UInt64
    let key: CacheKey
    var response: CachedResponse
    let content: MemoryContent
    /// Whether it was used since the hand passed.
    var wasUsed = false
    /// The bytes that its head is charged with.
    var cost: Int
  }

  private var slots: [Slot?] = []
  private var free: [Int] = []
  private var hand = 0
  private var places: [UInt64: Int] = [:]
  /// The identifiers of the entries by URL and partition, the oldest first.
  private var keys: [String: [String: [UInt64]]] = [:]
  private var lastID: UInt64 = 0
  private var invalidations = Invalidations()

  var count: Int { places.count }

  // MARK: Reading

  func lookUp(_ key: CacheKey) -> CacheLookup {
    var result = CacheLookup(generation: invalidations.generation(of: key.url))
    guard let ids = keys[key.url]?[key.partition] else { return result }
    for id in ids {
      guard let place = places[id], let slot = slots[place] else { continue }
      result.entries.append(CacheEntry(id: id, response: slot.response, length: Int64(slot.content.length)))
    }
    return result
  }

  mutating func use(_ id: UInt64) -> MemoryContent? {
    guard let place = places[id] else { return nil }
    slots[place]?.wasUsed = true
    return slots[place]?.content
  }

  // MARK: Writing

  mutating func insert(
    _ content: MemoryContent,
    _ response: CachedResponse,
    _ key: CacheKey,
    _ generation: UInt64
  ) -> Bool {
    guard !invalidations.happened(to: key.url, since: generation) else { return false }
    var ids = keys[key.url]?[key.partition] ?? []
    for id in ids where slot(id)?.response.vary == response.vary { remove(id) }
    ids = keys[key.url]?[key.partition] ?? []
    while ids.count >= Self.variants { remove(ids.removeFirst()) }
    lastID += 1
    let slot = Slot(
      id: lastID,
      key: key,
      response: response,
      content: content,
      cost: Self.cost(of: response, key)
    )
    let place = free.popLast() ?? slots.count
    if place == slots.count { slots.append(slot) } else { slots[place] = slot }
    places[lastID] = place
    keys[key.url, default: [:]][key.partition, default: []].append(lastID)
    return true
  }

  mutating func update(_ id: UInt64, _ key: CacheKey, to response: CachedResponse) {
    guard let place = places[id], var slot = slots[place] else { return }
    let others = keys[key.url]?[key.partition] ?? []
    for other in others where other != id && self.slot(other)?.response.vary == response.vary {
      remove(other)
    }
    let cost = Self.cost(of: response, key)
    slot.content.charge.add(cost - slot.cost)
    slot.cost = cost
    slot.response = response
    slots[place] = slot
  }

  private func slot(_ id: UInt64) -> Slot? { places[id].flatMap { slots[$0] } }

  // MARK: Removing

  @discardableResult
  mutating func remove(_ id: UInt64) -> MemoryContent? {
    guard let place = places.removeValue(forKey: id), let slot = slots[place] else { return nil }
    slots[place] = nil
    free.append(place)
    let key = slot.key
    keys[key.url]?[key.partition]?.removeAll { $0 == id }
    if keys[key.url]?[key.partition]?.isEmpty == true { keys[key.url]?[key.partition] = nil }
    if keys[key.url]?.isEmpty == true { keys[key.url] = nil }
    return slot.content
  }

  /// Removes an entry that was not used since the hand passed it last, or cannot be used any more. One that is being
  /// read stays: its memory would not become free.
  ///
  /// - Returns: Its content; `nil` if there is no such entry.
  mutating func evict(at now: Date) -> MemoryContent? {
    // The hand finds an entry that was used when it comes round again.
    for _ in 0..<(2 * slots.count) {
      if hand >= slots.count { hand = 0 }
      defer { hand += 1 }
      guard let slot = slots[hand], !slot.content.charge.isInUse else { continue }
      guard slot.wasUsed, slot.response.endOfUse.map({ now < $0 }) ?? true else { return remove(slot.id) }
      slots[hand]?.wasUsed = false
    }
    return nil
  }

  mutating func invalidate(_ url: String) {
    invalidations.add(url)
    for ids in (keys[url] ?? [:]).values { for id in ids { remove(id) } }
  }

  mutating func invalidate(_ url: String, since generation: UInt64) -> UInt64? {
    let happened = invalidations.happened(to: url, since: generation)
    invalidate(url)
    return happened ? nil : invalidations.generation(of: url)
  }

  /// A table without entries, which keeps nothing that is being written.
  var emptied: MemoryTable {
    var table = MemoryTable()
    table.lastID = lastID
    table.invalidations = invalidations
    table.invalidations.addAll()
    return table
  }

  // MARK: Costs

  /// About the memory of a head and of its places in the tables.
  static func cost(of response: CachedResponse, _ key: CacheKey) -> Int {
    var cost = 640 + 2 * key.url.utf8.count + key.partition.utf8.count
    for field in response.head.headerFields {
      cost += 120 + field.name.rawName.utf8.count + field.value.utf8.count
    }
    for field in response.vary { cost += 96 + field.name.utf8.count + (field.value?.utf8.count ?? 0) }
    return cost
  }
}

/// Which URLs were invalidated when: a bounded memory, which forgets in favour of not keeping.
struct Invalidations {
  private static let limit = 4096

  private var generation: UInt64 = 0
  /// All URLs count as invalidated in this generation.
  private var floor: UInt64 = 0
  private var generations: [String: UInt64] = [:]

  mutating func add(_ url: String) {
    generation += 1
    if generations.count >= Self.limit { addAll() }
    generations[url] = generation
  }

  mutating func addAll() {
    generation += 1
    floor = generation
    generations = [:]
  }

  func generation(of url: String) -> UInt64 { max(floor, generations[url] ?? 0) }

  func happened(to url: String, since: UInt64) -> Bool { since < generation(of: url) }
}
