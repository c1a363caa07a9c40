#if Tool
  import NIOHTTP1
  import StagecoachCore

  /// Bodies that are counted and forgotten: `/upload`, `/slow-upload`.
  enum UploadRoutes {
    static let table: [String: Route] = [
      "/upload": Route(intake: .checksum) { request, _ in .reply(summary(of: request)) },
      "/slow-upload": Route(intake: .slow) { request, _ throws(Refusal) in
        _ = try request.number("rate", default: 65_536, in: paces)
        var reply = summary(of: request)
        // The buffers of the connection are small now.
        reply.closes = true
        return .reply(reply)
      },
    ]

    /// The rates of `/slow-upload` in bytes a second.
    static let paces = 64...1 << 30

    private static func summary(of request: IncomingRequest) -> Reply {
      Reply(json: ["length": .number(request.length), "fnv1a64": .string(request.checksum.hexadecimal)])
    }
  }
#endif
