import Foundation
import HTTPTypes
import StagecoachCache
import StagecoachCore
import Testing

extension CacheStoreCheck {
  /// The checks of stores that are bounded by ``capacity`` bytes.
  static let bounded = [
    CacheStoreCheck(testDescription: "content that is declared too large is refused at once") { store in
      var response = try sample("1")
      response.head.headerFields[.contentLength] = "\(capacity / 8 + 1)"
      let key = CacheKey(url: "http://h/")
      await #expect(throws: CacheStoreError.tooLarge(limit: capacity / 8)) {
        try await store.makeWriter(for: key, response, generation: store.lookUp(key).generation)
      }
    },
    CacheStoreCheck(testDescription: "content that grows too large ends in an error") { store in
      let key = CacheKey(url: "http://h/")
      let writer = try await store.makeWriter(for: key, sample("1"), generation: store.lookUp(key).generation)
      let body = octets(Int(capacity / 16), 1)
      try await writer.append(Bytes(body))
      await #expect(throws: (any Error).self) { try await writer.append(Bytes(body + [1])) }
      #expect(try await read(writer, body.count, 65_536) == body)
      #expect((try? await writer.commit(sample("1"))) != true)
      #expect(try await store.lookUp(key).entries.isEmpty)
    },
    CacheStoreCheck(testDescription: "the least recently used entries go first") { store in
      let kept = CacheKey(url: "http://h/kept")
      try await store.put(kept, sample("1"), octets(9, 1))
      for number in 0..<30 {
        try await store.put(
          CacheKey(url: "http://h/\(number)"),
          sample("1"),
          Array(repeating: 7, count: 400_000)
        )
        #expect(try await store.bodies(kept) == [octets(9, 1)])
      }
      var count = 0
      for number in 0..<30 { count += try await store.entries("http://h/\(number)").count }
      #expect((5...10).contains(count))
      #expect(try await store.entries("http://h/29").count == 1)
      #expect(try await store.entries("http://h/0").isEmpty)
    },
    CacheStoreCheck(testDescription: "entries that cannot be used any more go before others") { store in
      let body = [UInt8](repeating: 7, count: 400_000)
      var (ended, lasting) = (try sample("1"), try sample("1"))
      ended.endOfUse = .distantPast
      lasting.endOfUse = .distantFuture
      let keys = ["stored", "updated"].map { CacheKey(url: "http://h/\($0)") }
      try await store.put(keys[0], ended, body)
      try await store.put(keys[1], lasting, body)
      try await store.update(#require(store.lookUp(keys[1]).entries.first), of: keys[1], to: ended)
      for number in 0..<6 { try await store.put(CacheKey(url: "http://h/\(number)"), lasting, body) }
      // They were used last.
      for key in keys { #expect(try await store.bodies(key) == [body]) }
      var count = 6
      for key in keys {
        while count < 20, try await !store.lookUp(key).entries.isEmpty {
          try await store.put(CacheKey(url: "http://h/\(count)"), lasting, body)
          count += 1
        }
      }
      #expect(count < 20)
      for number in 0..<count { #expect(try await store.entries("http://h/\(number)").count == 1) }
    },
    CacheStoreCheck(
      testDescription: "what is being written counts, and removes entries up to half of the store"
    ) { store in
      let body = [UInt8](repeating: 7, count: 400_000)
      for number in 0..<12 { try await store.put(CacheKey(url: "http://h/\(number)"), sample("1"), body) }
      var writers: [any CacheWriter] = []
      for number in 20..<40 {
        let key = CacheKey(url: "http://h/\(number)")
        guard let writer = try? await store.makeWriter(for: key, sample("1"), generation: 0) else { continue }
        do {
          try await writer.append(Bytes(body))
          writers.append(writer)
        } catch CacheStoreError.full {
          writer.abandon()
        }
      }
      #expect((4...5).contains(writers.count))
      var kept = 0
      for number in 0..<12 { kept += try await store.entries("http://h/\(number)").count }
      #expect((4...6).contains(kept))
      for writer in writers {
        #expect(try await read(writer, body.count, 65_536) == body)
        #expect(try await writer.commit(sample("1")))
      }
      var count = 0
      for number in 20..<40 { count += try await store.entries("http://h/\(number)").count }
      #expect(count == writers.count)
    },
    CacheStoreCheck(testDescription: "what is being written can take all of an empty store") { store in
      let body = [UInt8](repeating: 7, count: 400_000)
      var writers: [any CacheWriter] = []
      for number in 0..<20 {
        let key = CacheKey(url: "http://h/\(number)")
        guard let writer = try? await store.makeWriter(for: key, sample("1"), generation: 0) else { continue }
        do {
          try await writer.append(Bytes(body))
          writers.append(writer)
        } catch CacheStoreError.full {
          writer.abandon()
        }
      }
      #expect((8...10).contains(writers.count))
      for writer in writers { #expect(try await writer.commit(sample("1"))) }
    },
  ]
}
