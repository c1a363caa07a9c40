import Foundation
import HTTPTypes
import StagecoachCache
import StagecoachCore
import Testing

/// A promise of ``CacheStore``, to be checked with every store.
struct CacheStoreCheck: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Checks an empty store.
  let run: @Sendable (any CacheStore) async throws -> Void

  /// The capacity of the stores that are checked, if they have one: an eighth of it is larger than all bodies here.
  static let capacity: Int64 = 4 << 20

  /// The checks of all stores.
  static let all: [CacheStoreCheck] = finding + writing + changing + invalidating + changed

  private static let finding = [
    CacheStoreCheck(testDescription: "the salt stays") { store in
      let salt = try await store.salt()
      #expect(salt.count >= 16)
      #expect(try await store.salt() == salt)
    },
    CacheStoreCheck(testDescription: "an unknown key has no entries") { store in
      let entries = try await store.entries("http://h/")
      #expect(entries.isEmpty)
    },
    CacheStoreCheck(testDescription: "a response comes back whole") { store in
      var response = try sample(
        "1",
        vary: [.init(name: "accept", value: "a"), .init(name: "dnt", value: nil)]
      )
      response.part = .init(start: 3, total: 5000)
      for (number, size) in [0, 1, 100, 16_384, 16_385, 65_536, 65_537, 300_000].enumerated() {
        let key = CacheKey(url: "http://h/\(number)", partition: "p")
        let body = octets(size, number)
        try await store.put(key, response, body, chunk: 10_000)
        let entry = try #require(await store.lookUp(key).entries.first)
        #expect(entry.response == response)
        #expect(entry.length == size)
        let content = try #require(await store.content(of: entry))
        for count in [1 << 20, 65_536, 7777] { #expect(try await read(content, size, count) == body) }
        guard size > 2 else { continue }
        let middle = Int64(size / 2)
        let piece = try await content.read(at: middle, upTo: 2)
        #expect(!piece.isEmpty && body.dropFirst(size / 2).starts(with: piece.array))
      }
    },
    CacheStoreCheck(testDescription: "URL and partition are both part of the key") { store in
      let keys = [
        CacheKey(url: "http://h/a"), CacheKey(url: "http://h/a", partition: "1"),
        CacheKey(url: "http://h/a", partition: "2"), CacheKey(url: "http://h/A"),
        CacheKey(url: "http://h/a1"),
        CacheKey(url: "http://h/'; DROP TABLE entries; --"), CacheKey(url: "../../../etc/passwd"),
        CacheKey(url: "http://h/\0\r\nä", partition: "\0'"), CacheKey(url: ""),
        CacheKey(url: "http://h/" + String(repeating: "x", count: 8000)),
      ]
      for (number, key) in keys.enumerated() {
        try await store.put(key, sample("\(number)"), octets(9, number))
      }
      for (number, key) in keys.enumerated() {
        #expect(try await store.bodies(key) == [octets(9, number)])
      }
    },
  ]

  private static let writing = [
    CacheStoreCheck(testDescription: "nothing is visible before its commit, and nothing after abandon") {
      store in
      let key = CacheKey(url: "http://h/")
      for size in [100, 200_000] {
        let writer = try await store.makeWriter(
          for: key,
          sample("1"),
          generation: store.lookUp(key).generation
        )
        let body = octets(size, 1)
        try await writer.append(Bytes(body))
        #expect(try await store.lookUp(key).entries.isEmpty)
        writer.abandon()
        #expect(try await read(writer, size, 4096) == body)
        #expect(try await store.lookUp(key).entries.isEmpty)
      }
    },
    CacheStoreCheck(testDescription: "what was appended is read at once, and after the commit") { store in
      let key = CacheKey(url: "http://h/")
      let writer = try await store.makeWriter(for: key, sample("1"), generation: store.lookUp(key).generation)
      let body = octets(200_000, 2)
      var count = 0
      for size in [1, 20_000, 50_000, 129_999] {
        try await writer.append(Bytes(body[count..<count + size]))
        count += size
        #expect(try await read(writer, count, 30_000) == Array(body[..<count]))
      }
      #expect(try await writer.commit(sample("2")))
      #expect(try await read(writer, count, 30_000) == body)
      #expect(try await store.lookUp(key).entries.first?.response == sample("2"))
    },
    CacheStoreCheck(testDescription: "an entry replaces those of equal nominated fields alone") { store in
      let key = CacheKey(url: "http://h/")
      for (number, value) in ["a", "b", "a", nil, "b", nil].enumerated() {
        try await store.put(
          key,
          sample("\(number)", vary: [.init(name: "x", value: value)]),
          octets(9, number)
        )
      }
      let entries = try await store.lookUp(key).entries
      #expect(Set(entries.map(\.response.head.headerFields[.eTag])) == ["2", "4", "5"])
      #expect(Set(entries.map(\.id)).count == 3)
      #expect(try await Set(store.bodies(key)) == [octets(9, 2), octets(9, 4), octets(9, 5)])
    },
    CacheStoreCheck(testDescription: "of more than 64 entries the oldest go") { store in
      let key = CacheKey(url: "http://h/")
      for number in 0..<70 {
        try await store.put(
          key,
          sample("\(number)", vary: [.init(name: "x", value: "\(number)")]),
          octets(9, number)
        )
      }
      let tags = try await store.lookUp(key).entries.map(\.response.head.headerFields[.eTag])
      #expect(Set(tags) == Set((6..<70).map { "\($0)" }))
    },
    CacheStoreCheck(testDescription: "of two writers the last to commit wins") { store in
      let key = CacheKey(url: "http://h/")
      let first = try await store.makeWriter(for: key, sample("1"), generation: store.lookUp(key).generation)
      let second = try await store.makeWriter(for: key, sample("2"), generation: store.lookUp(key).generation)
      try await second.append(Bytes(octets(100_000, 2)))
      try await first.append(Bytes(octets(9, 1)))
      #expect(try await second.commit(sample("2")))
      #expect(try await first.commit(sample("1")))
      #expect(try await store.bodies(key) == [octets(9, 1)])
    },
  ]

  private static let changing = [
    CacheStoreCheck(testDescription: "an update changes the head alone") { store in
      let key = CacheKey(url: "http://h/")
      for size in [9, 100_000] {
        try await store.put(key, sample("1"), octets(size, 1))
        let entry = try #require(await store.lookUp(key).entries.first)
        var response = try sample("1")
        response.responseTime += 60
        response.head.headerFields[.cacheControl] = "max-age=1"
        try await store.update(entry, of: key, to: response)
        let updated = try #require(await store.lookUp(key).entries.first)
        #expect(updated.response == response)
        #expect(updated.id == entry.id)
        #expect(try await store.bodies(key) == [octets(size, 1)])
      }
    },
    CacheStoreCheck(testDescription: "an update of nominated fields replaces no other entry") { store in
      let key = CacheKey(url: "http://h/")
      try await store.put(key, sample("1", vary: [.init(name: "x", value: "1")]), octets(9, 1))
      let entry = try #require(await store.lookUp(key).entries.first)
      let moved = try sample("1", vary: [.init(name: "x", value: "2")])
      try await store.update(entry, of: key, to: moved)
      try await store.put(key, sample("2", vary: [.init(name: "x", value: "1")]), octets(9, 2))
      #expect(try await store.lookUp(key).entries.count == 2)
      try await store.put(key, moved, octets(9, 3))
      #expect(try await Set(store.bodies(key)) == [octets(9, 2), octets(9, 3)])
    },
    CacheStoreCheck(testDescription: "a removed entry is gone for all calls, but for its readers") { store in
      let key = CacheKey(url: "http://h/")
      for size in [100, 200_000] {
        let body = octets(size, 1)
        try await store.put(key, sample("1"), body)
        let entry = try #require(await store.lookUp(key).entries.first)
        let content = try #require(await store.content(of: entry))
        try await store.remove(entry, of: key)
        try await store.remove(entry, of: key)
        try await store.update(entry, of: key, to: sample("2"))
        #expect(try await store.lookUp(key).entries.isEmpty)
        #expect(try await store.content(of: entry) == nil)
        #expect(try await read(content, size, 4096) == body)
      }
    },
    CacheStoreCheck(testDescription: "a replaced entry stays readable") { store in
      let key = CacheKey(url: "http://h/")
      try await store.put(key, sample("1"), octets(200_000, 1))
      let entry = try #require(await store.lookUp(key).entries.first)
      let content = try #require(await store.content(of: entry))
      try await store.put(key, sample("2"), octets(200_000, 2))
      #expect(try await read(content, 200_000, 4096) == octets(200_000, 1))
      #expect(try await store.content(of: entry) == nil)
      #expect(try await store.bodies(key) == [octets(200_000, 2)])
    },
  ]

  private static let invalidating = [
    CacheStoreCheck(testDescription: "all partitions of a URL are invalidated, and no other URL") { store in
      let keys = ["", "1", "2"].map { CacheKey(url: "http://h/a", partition: $0) }
      for key in keys + [CacheKey(url: "http://h/b")] { try await store.put(key, sample("1"), octets(9, 1)) }
      try await store.invalidate(url: "http://h/a")
      for key in keys { #expect(try await store.lookUp(key).entries.isEmpty) }
      #expect(try await store.entries("http://h/b").count == 1)
    },
    CacheStoreCheck(testDescription: "a response whose request came before the invalidation is not kept") {
      store in
      let key = CacheKey(url: "http://h/a", partition: "1")
      for size in [9, 100_000] {
        let before = try await store.lookUp(key).generation
        let early = try await store.makeWriter(for: key, sample("1"), generation: before)
        try await early.append(Bytes(octets(size, 1)))
        try await store.invalidate(url: "http://h/a")
        #expect(try await early.commit(sample("1")) == false)
        #expect(try await read(early, size, 4096) == octets(size, 1))
        let late = try await store.makeWriter(for: key, sample("1"), generation: before)
        try await late.append(Bytes(octets(size, 1)))
        #expect(try await late.commit(sample("1")) == false)
        let after = try await store.lookUp(key)
        #expect(after.entries.isEmpty && after.generation != before)
        try await store.put(key, sample("2"), octets(size, 2))
        #expect(try await store.bodies(key) == [octets(size, 2)])
      }
    },
    CacheStoreCheck(testDescription: "a removed entry does not keep others from being stored") { store in
      let key = CacheKey(url: "http://h/")
      try await store.put(key, sample("1"), octets(9, 1))
      let before = try await store.lookUp(key)
      try await store.remove(#require(before.entries.first), of: key)
      try await store.put(key, sample("2"), octets(9, 2), generation: before.generation)
      #expect(try await store.bodies(key) == [octets(9, 2)])
    },
    CacheStoreCheck(testDescription: "many tasks never see a mixed entry") { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask {
            for round in 0..<12 {
              let key = CacheKey(url: "http://h/\((task + round) % 3)")
              let size = [50, 20_000, 90_000][round % 3]
              let found = try await store.lookUp(key)
              for entry in found.entries {
                guard let content = try await store.content(of: entry) else { continue }
                let tag = try #require(entry.response.head.headerFields[.eTag].flatMap { Int($0) })
                #expect(try await read(content, Int(entry.length), 30_000) == octets(Int(entry.length), tag))
                if round % 5 == 4 { try await store.update(entry, of: key, to: entry.response) }
              }
              if round % 6 == 5 { try await store.invalidate(url: key.url) }
              let mark = task * 100 + round
              let writer = try await store.makeWriter(
                for: key,
                sample("\(mark)"),
                generation: found.generation
              )
              try await writer.append(Bytes(octets(size, mark)))
              _ = try await writer.commit(sample("\(mark)"))
            }
          }
        }
        try await group.waitForAll()
      }
    },
  ]
}
