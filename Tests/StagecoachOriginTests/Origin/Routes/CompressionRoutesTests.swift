#if Tool
  import StagecoachOrigin
  import Testing

  struct CompressionRoutesTests {
    private func little(_ bytes: some Collection<UInt8>) -> UInt32 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    @Test(arguments: [("/gzip", "/json"), ("/gzip?kb=200", "/json/large?kb=200")])
    func gzipHoldsThePlainBody(_ coded: String, _ plain: String) async throws {
      try await withOrigin { origin in
        let plain = try await origin.exchange("GET", plain).body
        let response = try await origin.exchange("GET", coded)
        #expect(response["content-encoding"] == "gzip")
        #expect(response.body.starts(with: [0x1F, 0x8B, 8, 0]))
        #expect(try Inflater.inflate(response.body.dropFirst(10).dropLast(8)) == plain)
        #expect(little(response.body.suffix(8).prefix(4)) == referenceCRC32(plain))
        #expect(little(response.body.suffix(4)) == plain.count)
        if plain.count > 10_000 { #expect(response.body.count < plain.count / 2) }
      }
    }

    @Test func deflateIsZlibOrBare() async throws {
      try await withOrigin { origin in
        let plain = try await origin.exchange("GET", "/json/large?kb=50").body
        let wrapped = try await origin.exchange("GET", "/deflate?kb=50")
        #expect(wrapped["content-encoding"] == "deflate")
        #expect(wrapped.body.starts(with: [0x78, 0x9C]))
        #expect((Int(wrapped.body[0]) * 256 + Int(wrapped.body[1])) % 31 == 0)
        #expect(try Inflater.inflate(wrapped.body.dropFirst(2).dropLast(4)) == plain)
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in plain {
          low = (low + UInt32(byte)) % 65_521
          high = (high + low) % 65_521
        }
        #expect(wrapped.body.suffix(4).reduce(0) { $0 << 8 | UInt32($1) } == high << 16 | low)
        let bare = try await origin.exchange("GET", "/deflate?kb=50&raw=1")
        #expect(try Inflater.inflate(bare.body) == plain)
      }
    }
  }
#endif
