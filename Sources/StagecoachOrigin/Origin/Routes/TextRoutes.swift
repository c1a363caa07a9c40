#if Tool
  import NIOCore
  import NIOHTTP1

  /// Text in several encodings: `/text?charset=`.
  enum TextRoutes {
    static let table: [String: Route] = [
      "/text": Route { request, state throws(Refusal) in
        let charset = request.query("charset")?.lowercased() ?? "utf-8"
        guard let sample = SampleText.byCharset[charset] else {
          let known = SampleText.byCharset.keys.sorted().joined(separator: ", ")
          throw Refusal("charset must be one of \(known), not '\(charset)'")
        }
        let label = state.fault == .wrongCharset ? "iso-8859-1" : charset
        return .reply(Reply(type: "text/plain; charset=\(label)", ByteBuffer(bytes: sample.bytes)))
      }
    ]
  }
#endif
