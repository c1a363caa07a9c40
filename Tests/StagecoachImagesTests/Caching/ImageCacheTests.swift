#if Images
  import Testing

  @testable import StagecoachImages

  @Suite struct ImageCacheTests {
    /// An image of so many pixels, of 4 bytes each.
    private func image(_ count: Int = 1, seed: UInt64 = 1) throws -> Image {
      try #require(Image(format: .png, width: count, height: 1, pixels: noise(count * 4, seed: seed)))
    }

    private func kept(_ cache: ImageCache, of count: Int) -> [Int] {
      (0..<count).filter { cache.image(for: "\($0)") != nil }
    }

    @Test func theLeastRecentlyUsedGoFirst() throws {
      let cache = ImageCache(capacity: 40, usageAfterPurge: 24)
      for index in 0..<10 { cache.add(try image(), for: "\(index)") }
      #expect(cache.usage == 40)
      #expect(cache.image(for: "0") != nil)
      cache.add(try image(), for: "10")
      #expect(cache.usage == 24)
      #expect(kept(cache, of: 11) == [0, 6, 7, 8, 9, 10])
    }

    @Test func keepsAHundredMebibytesByDefault() throws {
      let cache = ImageCache()
      // 10 MiB each.
      let large = try image(10 << 18)
      for index in 0..<10 { cache.add(large, for: "\(index)") }
      #expect(cache.usage == 100 << 20)
      cache.add(large, for: "10")
      #expect(cache.usage == 60 << 20)
    }

    @Test func addingAgainReplacesTheImage() throws {
      let cache = ImageCache(capacity: 40, usageAfterPurge: 24)
      cache.add(try image(), for: "a")
      cache.add(try image(5, seed: 2), for: "a")
      #expect(cache.usage == 20)
      #expect(try cache.image(for: "a") == image(5, seed: 2))
      // It replaces itself within the capacity.
      cache.add(try image(10), for: "a")
      #expect(cache.usage == 40)
    }

    @Test func doesNotKeepImagesBeyondTheCapacity() throws {
      let cache = ImageCache(capacity: 40, usageAfterPurge: 24)
      cache.add(try image(2), for: "small")
      cache.add(try image(11), for: "too large")
      #expect(cache.usage == 8)
      // More than is kept by a purge, and nevertheless kept.
      cache.add(try image(9), for: "large")
      #expect(cache.image(for: "large") != nil)
      #expect(cache.image(for: "small") == nil)
      // What cannot be kept replaces what was there.
      cache.add(try image(11), for: "large")
      #expect(cache.usage == 0)
    }

    @Test func keepsVariantsByIdentifier() throws {
      let cache = ImageCache()
      cache.add(try image(1), for: "http://h/a")
      cache.add(try image(2), for: "http://h/a", identifier: "round")
      #expect(cache.image(for: "http://h/a")?.width == 1)
      #expect(cache.image(for: "http://h/a", identifier: "round")?.width == 2)
      #expect(cache.image(for: "http://h/a", identifier: "square") == nil)
      #expect(cache.remove("http://h/a", identifier: "round"))
      #expect(!cache.remove("http://h/a", identifier: "round"))
      #expect(cache.usage == 4)
    }

    @Test func findsImagesByEquivalentURLs() throws {
      let cache = ImageCache()
      cache.add(try image(), for: "HTTP://H:80/a b#top")
      #expect(cache.image(for: "http://h/a%20b") != nil)
      for other in ["https://h/a%20b", "http://h/A%20b", "http://h/a%20b?x", "http://h:81/a%20b"] {
        #expect(cache.image(for: other) == nil)
      }
    }

    @Test func purgesDownToTheUsage() throws {
      let cache = ImageCache(capacity: 40, usageAfterPurge: 12)
      for index in 0..<5 { cache.add(try image(), for: "\(index)") }
      cache.purge()
      #expect(kept(cache, of: 5) == [2, 3, 4])
      cache.purge()
      #expect(cache.usage == 12)
      cache.removeAll()
      #expect(cache.usage == 0)
      #expect(kept(cache, of: 5) == [])
      cache.add(try image(), for: "0")
      #expect(kept(cache, of: 5) == [0])
    }

    @Test(arguments: [(0, 0), (-1, -5), (8, 100), (8, -1)]) func clampsNonsensicalLimits(
      capacity: Int,
      usage: Int
    ) throws {
      let cache = ImageCache(capacity: capacity, usageAfterPurge: usage)
      for index in 0..<10 {
        cache.add(try image(), for: "\(index)")
        #expect(cache.usage <= max(0, capacity))
      }
    }

    @Test func staysWithinTheCapacityUnderManyTasks() async throws {
      let cache = ImageCache(capacity: 400, usageAfterPurge: 200)
      let images = try (0..<8).map { try image($0 + 1) }
      await withTaskGroup { group in
        for task in 0..<8 {
          group.addTask {
            for index in 0..<500 {
              let url = "\((index * 7 + task) % 50)"
              if cache.image(for: url) == nil { cache.add(images[task], for: url) }
              if index % 100 == 0 { cache.purge() }
            }
          }
        }
      }
      #expect(cache.usage <= 400)
    }
  }
#endif
