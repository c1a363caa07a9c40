#if Tool
  import NIOHTTP1
  import StagecoachCore

  /// Validators and freshness (RFC 9110 13, RFC 9111): `/etag/{tag}`, `/last-modified`, `/cache`.
  enum CachingRoutes {
    private static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"

    static let table: [String: Route] = [
      "/etag": Route(parameters: 1) { request, _ throws(Refusal) in
        let tag = "\"\(try EchoRoutes.fieldValue(request.parameter(0)))\""
        let matches = request.head.headers["If-None-Match"].flatMap { $0.split(separator: ",") }.contains {
          // The comparison is the weak one (RFC 9110 13.1.2).
          var candidate = $0.drop { $0 == " " }
          while candidate.last == " " { candidate.removeLast() }
          if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
          return candidate == tag || candidate == "*"
        }
        return conditional(matches, "ETag", tag)
      },
      "/last-modified": Route { request, _ in
        let matches = request.head.headers.first(name: "If-Modified-Since") == modified
        return conditional(matches, "Last-Modified", modified)
      },
      "/cache": Route { request, _ throws(Refusal) in
        let age = try request.number("max-age", default: 60, in: 0...31_536_000)
        var reply = Reply(json: ["max-age": .number(age)])
        reply.fields.add(name: "Cache-Control", value: "max-age=\(age)")
        return .reply(reply)
      },
    ]

    private static func conditional(_ matches: Bool, _ name: String, _ validator: String) -> Outcome {
      var reply = matches ? Reply(.notModified) : Reply(json: ["validator": .string(validator)])
      reply.fields.add(name: name, value: validator)
      return .reply(reply)
    }
  }
#endif
