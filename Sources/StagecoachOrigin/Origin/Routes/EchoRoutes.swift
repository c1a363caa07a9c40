#if Tool
  import NIOCore
  import NIOHTTP1
  import StagecoachCore

  /// Routes that give back what they were given: `/echo`, `/status/{code}`, `/headers`.
  enum EchoRoutes {
    static let table: [String: Route] = [
      "/echo": Route(intake: .collect, echo),
      "/status": Route(parameters: 1, status),
      "/headers": Route(headers),
    ]

    @Sendable private static func echo(_ request: IncomingRequest, _ state: OriginState) throws(Refusal)
      -> Outcome
    {
      let limit = state.configuration.echoedBodyLimit
      guard request.length <= limit else {
        throw Refusal(.payloadTooLarge, "/echo takes at most \(limit) bytes, not \(request.length)")
      }
      let body = request.body.readableBytesView
      let text = String(validating: body, as: UTF8.self)
      return .reply(
        Reply(json: [
          "method": .string(request.head.method.rawValue),
          "target": .string(request.head.uri),
          "path": .string(request.target.path),
          "query": request.target.query.map(JSONValue.string) ?? .null,
          "version": .string("\(request.head.version.major).\(request.head.version.minor)"),
          "fields": .pairs(request.head.headers.map { ($0.name, $0.value) }),
          "length": .number(request.length),
          "encoding": text == nil ? "base64" : "text",
          "body": .string(text ?? String(decoding: Base64.encode(body), as: UTF8.self)),
          "trailers": .pairs(request.trailers.map { ($0.name, $0.value) }),
        ])
      )
    }

    @Sendable private static func status(_ request: IncomingRequest, _ state: OriginState) throws(Refusal)
      -> Outcome
    {
      let code = try request.number(0, called: "code", in: 200...999)
      return .reply(Reply(HTTPResponseStatus(statusCode: code), json: ["status": .number(code)]))
    }

    /// Fields that frame the message or belong to the connection; the origin sets those itself.
    private static let reserved: Set<String> = [
      "connection", "content-length", "date", "keep-alive", "transfer-encoding",
    ]

    @Sendable private static func headers(_ request: IncomingRequest, _ state: OriginState) throws(Refusal)
      -> Outcome
    {
      var fields = HTTPHeaders()
      for (name, value) in request.target.queryItems {
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
          throw Refusal("'\(name)' is not a field name")
        }
        guard !reserved.contains(name.lowercased()) else { throw Refusal("the origin sets \(name) itself") }
        fields.add(name: name, value: try fieldValue(value))
      }
      let list = JSONValue.pairs(fields.map { ($0.name, $0.value) })
      if !fields.contains(name: "Content-Type") {
        fields.add(name: "Content-Type", value: "application/json")
      }
      return .reply(Reply(fields: fields, body: .bytes(list.encoded())))
    }

    /// A value that cannot end its field line early (RFC 9110 5.5).
    static func fieldValue(_ value: String) throws(Refusal) -> String {
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw Refusal("a field value holds a control character")
      }
      return value
    }

    /// Returns whether a byte is allowed in a token (RFC 9110 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        true
      default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    }
  }
#endif
