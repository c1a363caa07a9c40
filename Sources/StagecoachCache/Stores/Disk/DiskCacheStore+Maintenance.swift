#if SQLite
  internal import StagecoachCore

  #if canImport(FoundationEssentials)
    package import FoundationEssentials
  #else
    package import Foundation
  #endif

  /// Listing, and removing more than single entries.
  extension DiskCacheStore {
    /// An entry with its key.
    package struct Listed: Sendable {
      /// The key.
      package let key: CacheKey
      /// The entry.
      package let entry: CacheEntry
      /// The bytes that it is counted for.
      package let size: Int64
      /// When its content was last asked for, or when it was stored; up to ten seconds too early.
      package let lastUse: Date

      init?(_ row: IndexRow) {
        guard let entry = row.entry else { return nil }
        key = CacheKey(url: String(decoding: row.url), partition: String(decoding: row.partition))
        self.entry = entry
        size = row.size
        lastUse = Date(timeIntervalSince1970: Double(row.used) / 1000)
      }
    }

    /// A part of a listing.
    package struct Page: Sendable {
      /// The entries, in the order in which they were stored. Damaged ones are left out.
      package var entries: [Listed] = []
      /// Where the next page begins; `nil` at the end.
      package var next: UInt64?
    }

    /// The contents of a store in numbers.
    package struct Statistics: Sendable, Hashable {
      /// The number of entries.
      package let count: Int64
      /// The bytes that they are counted for.
      package let size: Int64
      /// The most bytes that they may be counted for.
      package let capacity: Int64
    }

    /// Returns entries, some at a time.
    ///
    /// - Parameter start: Where the page begins: ``Page/next`` of the one before, or 0.
    /// - Throws: ``DiskCacheError`` if the index cannot be read.
    package func entries(after start: UInt64 = 0, limit: Int = 200) async throws -> Page {
      try await reading { try $0.page(after: start, limit: limit) }
    }

    /// Returns the entries with a URL, whatever their partition.
    ///
    /// - Throws: ``DiskCacheError`` if the index cannot be read.
    package func entries(url: String) async throws -> [Listed] {
      try await reading { try $0.entries(url: url) }
    }

    /// Returns the contents in numbers.
    ///
    /// - Throws: ``DiskCacheError`` if the index cannot be read.
    package func statistics() async throws -> Statistics {
      try await reading { try $0.totals() }
    }

    /// Removes the least recently used entries, and gives their space back.
    ///
    /// - Parameters:
    ///   - size: The bytes that the entries which stay may be counted for.
    ///   - date: Only entries that were last used before this time are removed; any if it is `nil`.
    /// - Throws: ``DiskCacheError`` if the index cannot be changed.
    package func prune(toSize size: Int64, unusedSince date: Date? = nil) async throws {
      try await evict(to: size, before: date)
      try await writing { try $0.shrink() }
    }

    /// Removes all entries, and those that are being written by any process, as when a user signs out.
    ///
    /// - Throws: ``DiskCacheError`` if the index cannot be changed.
    public func removeAll() async throws {
      try await writing { try $0.refuseEarlierRequests() }
      // Also those that a damaged index does not count.
      try await prune(toSize: .min)
    }
  }
#endif
