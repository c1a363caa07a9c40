#if Tool
  import NIOCore
  import NIOHTTP1

  /// Text in several encodings: `/text?charset=`.
  enum TextRoutes {
    static let table: [String: Route] = [
      "/text": Route { request, _ throws(Refusal) in
        let charset = request.query("charset")?.lowercased() ?? "utf-8"
        guard let sample = SampleText.byCharset[charset] else {
          let known = SampleText.byCharset.keys.sorted().joined(separator: ", ")
          throw Refusal("charset must be one of \(known), not '\(charset)'")
        }
        return .reply(Reply(type: "text/plain; charset=\(charset)", ByteBuffer(bytes: sample.bytes)))
      }
    ]
  }
#endif
