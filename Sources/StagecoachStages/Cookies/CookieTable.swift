import StagecoachCore

/// The cookies of a jar by site, so that a request only examines those of its own site.
struct CookieTable {
  private struct Entry {
    var cookie: Cookie
    /// The order in which cookies came: their dates may be equal, and clocks are set back.
    var created: UInt64
    var used: UInt64

    /// Whether it was used less recently than another one.
    func isStaler(than other: Entry) -> Bool {
      (cookie.lastAccess, used) < (other.cookie.lastAccess, other.used)
    }

    func isExpired(at now: Int64) -> Bool { cookie.expiry.map { $0 <= now } ?? false }
  }

  private var sites: [String: [Entry]] = [:]
  private var sequence: UInt64 = 0
  private(set) var count = 0

  private mutating func tick() -> UInt64 {
    sequence += 1
    return sequence
  }

  /// Stores a cookie, or removes the one that it replaces if it has expired.
  ///
  /// - Returns: The cookies that had to make room.
  mutating func put(
    _ cookie: Cookie,
    site: String,
    fromSecure: Bool,
    limits: CookieJar.Limits,
    now: Int64
  ) throws(CookieRejection) -> [Cookie] {
    var entries = sites[site] ?? []
    let isShadowed = entries.contains { !$0.isExpired(at: now) && Self.shadows($0.cookie, by: cookie) }
    guard fromSecure || !isShadowed else {
      throw .shadowsSecure
    }
    // The array is removed from the table before it is changed, so that it is not copied.
    sites[site] = nil
    let created = tick()
    var entry = Entry(cookie: cookie, created: created, used: created)
    if let index = entries.firstIndex(where: { cookie.replaces($0.cookie) }) {
      if !entries[index].isExpired(at: now) {
        entry.created = entries[index].created
        entry.cookie.creation = entries[index].cookie.creation
      }
      entries[index] = entry
    } else {
      entries.append(entry)
      count += 1
    }
    let before = entries.count
    entries.removeAll { $0.isExpired(at: now) }
    var evicted: [Cookie] = []
    while entries.count > max(limits.perSite, 0) {
      // Cookies that are not Secure are evicted first.
      let insecure = entries.indices.filter { !entries[$0].cookie.isSecure }
      let candidates = insecure.isEmpty ? Array(entries.indices) : insecure
      guard let stalest = candidates.min(by: { entries[$0].isStaler(than: entries[$1]) }) else { break }
      evicted.append(entries.remove(at: stalest).cookie)
    }
    count -= before - entries.count
    if !entries.isEmpty { sites[site] = entries }
    if count > max(limits.total, 0) { evicted += makeRoom(max(limits.total, 0), now: now) }
    return evicted
  }

  /// Returns whether a cookie from an insecure connection would be sent instead of or before a Secure one (RFC 6265bis
  /// 5.7, "leave secure cookies alone").
  private static func shadows(_ old: Cookie, by new: Cookie) -> Bool {
    old.isSecure && old.pair.name == new.pair.name
      && (CookieHost.matches(old.domain, domain: new.domain)
        || CookieHost.matches(new.domain, domain: old.domain))
      && CookiePath.matches(new.path.utf8, cookiePath: old.path)
  }

  /// Removes what has expired, and if that is not enough the cookies that were used least recently: a twentieth
  /// more than must be, so that the next ones find room without a look at all.
  private mutating func makeRoom(_ limit: Int, now: Int64) -> [Cookie] {
    _ = removeAll { cookie in cookie.expiry.map { $0 <= now } ?? false }
    guard count > limit else { return [] }
    let stalest = sites.values.joined().sorted { $0.isStaler(than: $1) }.prefix(count - limit + limit / 20)
    let doomed = Set(stalest.map(\.created))
    sites = sites.compactMapValues { entries in
      let rest = entries.filter { !doomed.contains($0.created) }
      return rest.isEmpty ? nil : rest
    }
    count -= stalest.count
    return stalest.map(\.cookie)
  }

  /// The cookies that go with a request, in the order in which they are sent (RFC 6265bis 5.8.3).
  ///
  /// - Parameter isUse: Whether they are sent indeed, and so used.
  mutating func cookies(for request: CookieRequest, site: String, now: Int64, isUse: Bool) -> [Cookie] {
    guard var entries = sites[site] else { return [] }
    var indices: [Int] = []
    for index in entries.indices where !entries[index].isExpired(at: now) {
      if request.takes(entries[index].cookie) { indices.append(index) }
    }
    indices.sort { first, second in
      let (first, second) = (entries[first], entries[second])
      let (length, other) = (first.cookie.path.utf8.count, second.cookie.path.utf8.count)
      return length == other ? first.created < second.created : length > other
    }
    if isUse {
      // As above: so that it is not copied.
      sites[site] = nil
      for index in indices {
        entries[index].used = tick()
        entries[index].cookie.lastAccess = now
      }
      sites[site] = entries
    }
    return indices.map { entries[$0].cookie }
  }

  /// All cookies that have not expired, in the order in which they were created.
  func all(at now: Int64) -> [Cookie] {
    sites.values.joined().filter { !$0.isExpired(at: now) }.sorted { $0.created < $1.created }.map(\.cookie)
  }

  /// Removes cookies.
  ///
  /// - Returns: How many.
  mutating func removeAll(where isRemoved: (Cookie) -> Bool) -> Int {
    let before = count
    sites = sites.compactMapValues { entries in
      let rest = entries.filter { !isRemoved($0.cookie) }
      return rest.isEmpty ? nil : rest
    }
    count = sites.values.reduce(0) { $0 + $1.count }
    return before - count
  }
}
