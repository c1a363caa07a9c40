#if Tool
  import NIOCore
  import NIOHTTP1
  import StagecoachCore

  /// Fixed documents: `/json`, `/json/large`, `/xml`, `/feed.xml`, `/plist`, `/png`, `/html`, `/empty`,
  /// `/mismatch/type`, `/problem`.
  enum SampleRoutes {
    static let table: [String: Route] = [
      "/json": Route { _, _ in .reply(Reply(type: "application/json", json)) },
      "/json/large": Route { request, state throws(Refusal) in
        let size = try request.number("kb", default: 10, in: 1...10_240)
        return .reply(Reply(type: "application/json", state.largeJSON(kibibytes: size)))
      },
      "/xml": Route { _, _ in
        .reply(Reply(type: "application/xml", ByteBuffer(string: Samples.xml)))
      },
      "/feed.xml": Route { _, _ in
        .reply(Reply(type: "application/atom+xml", ByteBuffer(string: Samples.feed)))
      },
      "/plist": Route { _, _ in
        .reply(Reply(type: "application/x-plist", ByteBuffer(string: Samples.propertyList)))
      },
      "/png": Route { _, _ in .reply(Reply(type: "image/png", ByteBuffer(bytes: Samples.png))) },
      "/html": Route { _, _ in
        .reply(Reply(type: "text/html; charset=utf-8", ByteBuffer(string: Samples.html)))
      },
      "/empty": Route { _, _ in .reply(Reply()) },
      "/mismatch/type": Route { _, _ in .reply(Reply(type: "text/html", json)) },
      "/problem": Route { request, _ in
        let problem: JSONValue = [
          "type": "https://example.com/problems/out-of-stock",
          "title": "Out of stock",
          "status": 422,
          "detail": "Item 42 is not available",
          "instance": .string(request.target.path),
        ]
        return .reply(Reply(.unprocessableEntity, type: "application/problem+json", problem.encoded()))
      },
    ]

    private static let json = Samples.json(count: 3).encoded()
  }
#endif
