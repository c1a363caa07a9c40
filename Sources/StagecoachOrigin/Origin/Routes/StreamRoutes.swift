#if Tool
  import NIOCore
  import NIOHTTP1

  /// Bodies that are made while they are sent: `/bytes/{n}`, `/chunked`, `/drip`.
  enum StreamRoutes {
    private static let type: HTTPHeaders = ["Content-Type": "application/octet-stream"]

    static let table: [String: Route] = [
      "/bytes": Route(parameters: 1) { request, _ throws(Refusal) in
        let length = try request.number(0, called: "n", in: 0...10 << 30)
        return .reply(Reply(fields: type, body: .stream(PatternBody(length: length))))
      },
      "/chunked": Route { request, _ throws(Refusal) in
        let hasTrailers = request.query("trailers") == "1" && request.head.version != .http1_0
        let body = PacedBody(
          pieces: try request.number("chunks", default: 5, in: 0...1_000_000),
          size: try request.number("size", default: 100, in: 1...131_072),
          pause: .milliseconds(Int64(try request.number("delay", default: 0, in: 0...60_000))),
          isChunked: true,
          hasTrailers: hasTrailers
        )
        var fields = type
        if hasTrailers { fields.add(name: "Trailer", value: "X-Chunks, X-Checksum") }
        return .reply(Reply(fields: fields, body: .stream(body)))
      },
      "/drip": Route { request, _ throws(Refusal) in
        let count = try request.number("bytes", default: 10, in: 1...10_000)
        let duration = try request.number("duration", default: 1000, in: 0...600_000)
        let pause = TimeAmount.microseconds(Int64(duration * 1000 / count))
        let body = PacedBody(pieces: count, size: 1, pause: pause, isChunked: false)
        var reply = Reply(fields: type, body: .stream(body))
        reply.delay = .milliseconds(Int64(try request.number("delay", default: 0, in: 0...600_000)))
        return .reply(reply)
      },
    ]
  }
#endif
