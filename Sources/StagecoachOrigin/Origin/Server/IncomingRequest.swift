#if Tool
  import NIOCore
  import NIOHTTP1

  /// A request while it arrives, and as the routes see it once it is complete.
  struct IncomingRequest {
    let head: HTTPRequestHead
    let target: RequestTarget
    let route: Route
    /// The path segments that follow the name of the route, percent-decoded.
    let parameters: [String]
    let startTime: NIODeadline
    /// The first bytes of the body, up to the limit.
    private(set) var body = ByteBuffer()
    private(set) var length = 0
    private(set) var checksum = FNV1a64()
    var trailers: HTTPHeaders = [:]
    private let bodyLimit: Int

    init(_ head: HTTPRequestHead, in configuration: Origin.Configuration, at time: NIODeadline) {
      self.head = head
      target = RequestTarget(head.uri)
      (route, parameters) = Router.route(for: target.path)
      startTime = time
      let recorded = configuration.recordsRequests ? configuration.recordedBodyLimit : 0
      bodyLimit = route.intake == .collect ? max(recorded, configuration.echoedBodyLimit) : recorded
    }

    mutating func receive(_ part: ByteBuffer) {
      length += part.readableBytes
      if route.intake == .checksum || route.intake == .slow { checksum.update(part.readableBytesView) }
      let room = bodyLimit - body.readableBytes
      guard room > 0, let kept = part.getSlice(at: part.readerIndex, length: min(room, part.readableBytes))
      else { return }
      body.writeImmutableBuffer(kept)
    }

    /// The value of the first query item of a name.
    func query(_ name: String) -> String? {
      target.queryItems.first { $0.name == name }?.value
    }

    /// A whole number from the query.
    func number(_ name: String, default fallback: Int, in range: ClosedRange<Int>) throws(Refusal) -> Int {
      guard let text = query(name) else { return fallback }
      return try Self.number(text, called: name, in: range)
    }

    /// A path segment; the router has counted them.
    func parameter(_ index: Int) -> String { parameters[index] }

    /// A whole number from the path.
    func number(_ index: Int, called name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int {
      try Self.number(parameter(index), called: name, in: range)
    }

    private static func number(
      _ text: String,
      called name: String,
      in range: ClosedRange<Int>
    ) throws(Refusal) -> Int {
      guard let value = Int(text), range.contains(value) else {
        throw Refusal("\(name) must be a whole number in \(range), not '\(text)'")
      }
      return value
    }
  }

  extension RecordedRequest {
    init(_ request: IncomingRequest, limit: Int, connection: Int, isComplete: Bool) {
      let head = request.head
      self.init(
        method: head.method.rawValue,
        target: head.uri,
        path: request.target.path,
        query: request.target.query,
        version: "\(head.version.major).\(head.version.minor)",
        fields: head.headers.map { Field(name: $0.name, value: $0.value) },
        body: Array(request.body.readableBytesView.prefix(limit)),
        bodyLength: request.length,
        trailers: request.trailers.map { Field(name: $0.name, value: $0.value) },
        connection: connection,
        isComplete: isComplete
      )
    }
  }
#endif
