#if Tool
  import NIOCore
  import NIOHTTP1

  /// Writes the responses of one connection: frames them, streams bodies as fast as the peer takes them, and
  /// closes the connection where HTTP asks for it.
  final class ResponseSender {
    private struct Stream {
      let producer: any BodyProducer
      let closes: Bool
    }

    /// Pieces written in one go before other connections of the event loop get their turn.
    private static let burst = 16

    private let context: ChannelHandlerContext
    private let state: OriginState
    private var stream: Stream?
    private var isPumping = false
    private var timer: Scheduled<Void>?
    /// Whether the end of a response is being written, which lets the next pipelined request in.
    private(set) var isEndingResponse = false
    /// The last time that the peer accepted bytes, or that bytes were passed to it.
    private(set) var lastActivity = NIODeadline.now()

    init(_ context: ChannelHandlerContext, _ state: OriginState) {
      self.context = context
      self.state = state
    }

    func cancel() {
      timer?.cancel()
      stream = nil
    }

    func send(interim head: HTTPResponseHead) {
      write(.head(head))
      context.flush()
    }

    func send(_ reply: Reply, to request: HTTPRequestHead) {
      guard let delay = reply.delay, delay > .zero else {
        start(reply, request)
        return
      }
      after(delay) { self.start(reply, request) }
    }

    func writabilityChanged() {
      lastActivity = .now()
      // Waiting for a pause to end, the timer goes on.
      if timer == nil { pump() }
    }

    private func start(_ reply: Reply, _ request: HTTPRequestHead) {
      lastActivity = .now()
      for interim in reply.interim { send(interim: interim) }
      var fields = reply.fields
      var closes = reply.closes || !request.isKeepAlive
      let isHead = request.method == .HEAD
      switch reply.body {
      case .bytes(let bytes):
        if reply.status.mayHaveResponseBody {
          fields.add(name: "Content-Length", value: "\(bytes.readableBytes)")
        }
      case .stream(let producer):
        if let length = producer.length {
          fields.add(name: "Content-Length", value: "\(length)")
        } else if isHead {
          // Transfer-Encoding may be left out here (RFC 9112 6.1), and no body needs framing.
        } else if request.version != .http1_0 {
          fields.add(name: "Transfer-Encoding", value: "chunked")
        } else {
          closes = true
        }
      }
      fields.add(name: "Date", value: state.date.now)
      if closes {
        fields.add(name: "Connection", value: "close")
      } else if request.version == .http1_0 {
        fields.add(name: "Connection", value: "keep-alive")
      }
      write(.head(HTTPResponseHead(version: .http1_1, status: reply.status, headers: fields)))
      switch reply.body {
      case _ where isHead: end(trailers: nil, closes)
      case .bytes(let bytes):
        if bytes.readableBytes > 0, reply.status.mayHaveResponseBody { write(.body(.byteBuffer(bytes))) }
        end(trailers: nil, closes)
      case .stream(let producer):
        stream = Stream(producer: producer, closes: closes)
        pump()
      }
    }

    private func pump() {
      // A flush can make the channel writable again before it returns.
      guard !isPumping else { return }
      isPumping = true
      defer { isPumping = false }
      var left = Self.burst
      while let stream {
        if !context.channel.isWritable {
          context.flush()
          // The system may have taken everything at once.
          guard context.channel.isWritable else { return }
        }
        guard left > 0 else {
          context.flush()
          context.eventLoop.assumeIsolated().execute { self.pump() }
          return
        }
        left -= 1
        lastActivity = .now()
        switch stream.producer.next() {
        case .bytes(let bytes):
          write(.body(.byteBuffer(bytes)))
        case .pause(let time):
          context.flush()
          after(time) { self.pump() }
          return
        case .end(let trailers):
          self.stream = nil
          end(trailers: trailers, stream.closes)
        }
      }
    }

    private func end(trailers: HTTPHeaders?, _ closes: Bool) {
      isEndingResponse = true
      defer { isEndingResponse = false }
      guard closes else {
        context.writeAndFlush(wrap(.end(trailers)), promise: nil)
        return
      }
      let context = self.context
      let promise = context.eventLoop.makePromise(of: Void.self)
      promise.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
      context.writeAndFlush(wrap(.end(trailers)), promise: promise)
    }

    private func after(_ time: TimeAmount, _ action: @escaping () -> Void) {
      timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
        self.timer = nil
        action()
      }
    }

    private func write(_ part: HTTPServerResponsePart) {
      context.write(wrap(part), promise: nil)
    }

    private func wrap(_ part: HTTPServerResponsePart) -> NIOAny { NIOAny(part) }
  }
#endif
