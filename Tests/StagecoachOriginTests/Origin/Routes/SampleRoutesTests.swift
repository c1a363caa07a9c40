#if Tool
  import StagecoachOrigin
  import Testing

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  struct SampleRoutesTests {
    @Test func jsonIsTheDocumentedObject() async throws {
      struct Sample: Decodable, Equatable {
        struct Author: Decodable, Equatable {
          let name: String
          let active: Bool
          let manager: String?
        }
        let title: String
        let count: Int
        let tags: [String]
        let author: Author
      }
      try await withOrigin { origin in
        let expected = Sample(
          title: "Stagecoach",
          count: 3,
          tags: ["http", "swift", "Grüße, 世界"],
          author: Sample.Author(name: "A. Driver", active: true, manager: nil)
        )
        for (path, type) in [("/json", "application/json"), ("/mismatch/type", "text/html")] {
          let response = try await origin.exchange("GET", path)
          #expect(response["content-type"] == type)
          #expect(try JSONDecoder().decode(Sample.self, from: Data(response.body)) == expected)
        }
      }
    }

    @Test(arguments: [1, 10, 300])
    func largeJSONHasAboutTheSizeAndIsAlwaysTheSame(_ size: Int) async throws {
      struct Large: Decodable {
        struct Item: Decodable {
          let id: Int
          let name: String
          let tags: [String]
        }
        let items: [Item]
      }
      try await withOrigin { origin in
        let first = try await origin.exchange("GET", "/json/large?kb=\(size)")
        let second = try await origin.exchange("GET", "/json/large?kb=\(size)")
        #expect(first.body == second.body)
        #expect((size * 1024...size * 1024 + 200).contains(first.body.count))
        let items = try JSONDecoder().decode(Large.self, from: Data(first.body)).items
        #expect(items.map(\.id) == Array(1...items.count))
      }
    }

    @Test func propertyListDecodes() async throws {
      struct Sample: Decodable {
        let title: String
        let count: Int
        let tags: [String]
      }
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/plist")
        let sample = try PropertyListDecoder().decode(Sample.self, from: Data(response.body))
        #expect(sample.title == "Stagecoach")
        #expect(sample.count == 3)
        #expect(sample.tags == ["http", "swift"])
      }
    }

    @Test(arguments: [
      ("/xml", "application/xml", "</catalog>\n"),
      ("/feed.xml", "application/atom+xml", "</feed>\n"),
      ("/plist", "application/x-plist", "</plist>\n"),
      ("/html", "text/html; charset=utf-8", "</html>\n"),
    ])
    func documentsAreLabelledAndComplete(_ path: String, _ type: String, _ ending: String) async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", path)
        #expect(response.status == 200)
        #expect(response["content-type"] == type)
        #expect(response.text.hasSuffix(ending))
        #expect(response["date"]?.hasSuffix(" GMT") == true)
      }
    }

    @Test func pngChunksHaveRightChecksums() async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/png")
        #expect(response["content-type"] == "image/png")
        #expect(Array(response.body.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        var rest = response.body.dropFirst(8)
        var types: [String] = []
        while !rest.isEmpty {
          let length = Int(bigEndian(rest.prefix(4)))
          let body = rest.dropFirst(4).prefix(4 + length)
          types.append(String(decoding: body.prefix(4), as: UTF8.self))
          #expect(bigEndian(rest.dropFirst(8 + length).prefix(4)) == referenceCRC32(Array(body)))
          rest = rest.dropFirst(12 + length)
        }
        #expect(types == ["IHDR", "IDAT", "IEND"])
      }
    }

    @Test func emptyHasALengthOfZero() async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/empty")
        #expect(response.status == 200)
        #expect(response["content-length"] == "0")
      }
    }

    @Test func problemHasItsMediaTypeAndStatus() async throws {
      struct Problem: Decodable {
        let status: Int
        let instance: String
      }
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/problem")
        #expect(response.status == 422)
        #expect(response["content-type"] == "application/problem+json")
        let problem = try JSONDecoder().decode(Problem.self, from: Data(response.body))
        #expect(problem.status == 422)
        #expect(problem.instance == "/problem")
      }
    }

    private func bigEndian(_ bytes: some Sequence<UInt8>) -> UInt32 {
      bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
#endif
