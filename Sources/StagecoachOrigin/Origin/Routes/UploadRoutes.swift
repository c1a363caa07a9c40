#if Tool
  import NIOHTTP1

  /// Bodies that are counted and forgotten: `/upload`, `/slow-upload`.
  enum UploadRoutes {
    static let table: [String: Route] = [
      "/upload": Route(intake: .checksum) { request, state in .reply(summary(of: request, state)) },
      "/slow-upload": Route(intake: .slow) { request, state throws(Refusal) in
        _ = try request.number("rate", default: 65_536, in: paces)
        var reply = summary(of: request, state)
        // The buffers of the connection are small now.
        reply.closes = true
        return .reply(reply)
      },
    ]

    /// The rates of `/slow-upload` in bytes a second.
    static let paces = 64...1 << 30

    private static func summary(of request: IncomingRequest, _ state: OriginState) -> Reply {
      let length = request.length + (state.fault == .miscountsUpload ? 1 : 0)
      return Reply(json: ["length": .number(length), "fnv1a64": .string(request.checksum.hexadecimal)])
    }
  }
#endif
