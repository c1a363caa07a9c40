#if Tool
  import NIOCore
  import NIOHTTP1
  import StagecoachCore

  /// JSON with a content coding (RFC 9110 8.4.1), whatever the request accepts: `/gzip`, `/deflate`.
  enum CompressionRoutes {
    static let table: [String: Route] = [
      "/gzip": Route { request, state throws(Refusal) in
        let plain = try plain(request, state)
        var coded = ByteBuffer(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
        coded.writeBytes(Deflate.compress(plain))
        coded.writeInteger(CRC32.of(plain), endianness: .little)
        coded.writeInteger(UInt32(truncatingIfNeeded: plain.count), endianness: .little)
        return reply("gzip", coded)
      },
      "/deflate": Route { request, state throws(Refusal) in
        let plain = try plain(request, state)
        // Some servers send the bare stream where RFC 9110 8.4.1.2 asks for the zlib format.
        if request.query("raw") == "1" { return reply("deflate", ByteBuffer(bytes: Deflate.compress(plain))) }
        var coded = ByteBuffer(bytes: [0x78, 0x9C])
        coded.writeBytes(Deflate.compress(plain))
        coded.writeInteger(Adler32.of(plain))
        return reply("deflate", coded)
      },
    ]

    /// Returns the body of `/json`, or of `/json/large` with `kb`.
    private static func plain(_ request: IncomingRequest, _ state: OriginState) throws(Refusal) -> [UInt8] {
      let size = try request.number("kb", default: 0, in: 0...10_240)
      let json = size > 0 ? state.largeJSON(kibibytes: size) : Samples.json(count: 3).encoded()
      return Array(json.readableBytesView)
    }

    private static func reply(_ coding: String, _ coded: ByteBuffer) -> Outcome {
      .reply(
        Reply(
          fields: [
            "Content-Type": "application/json", "Content-Encoding": coding, "Vary": "Accept-Encoding",
          ],
          body: .bytes(coded)
        )
      )
    }
  }
#endif
