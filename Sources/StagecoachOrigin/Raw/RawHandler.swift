#if Tool
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif
  import NIOCore

  /// Plays a script on one connection.
  final class RawHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// What the current step waits for.
    private enum Wait {
      case nothing
      case bytes
      case silence
      /// The peer, to close the connection.
      case close
      /// A timer, a write or a command, which calls back.
      case callback
    }

    private static let headLimit = 1 << 20

    private let state: RawState
    private let index: Int
    private let steps: [RawScript.Step]
    private let limit: TimeAmount
    private var position = 0
    private var wait = Wait.nothing
    /// Bytes that were read and that no step has used yet.
    private var pending = ByteBuffer()
    /// How many bytes the current step has read or searched.
    private var progress = 0
    private var inputEnded = false
    private var end: RawConnection.End?
    private var timers: [Scheduled<Void>] = []

    init(_ state: RawState, index: Int, script: RawScript?, limit: TimeAmount) {
      self.state = state
      self.index = index
      self.limit = limit
      steps = script?.steps ?? []
      if script == nil { end = .refused }
    }

    // MARK: Channel

    func channelActive(context: ChannelHandlerContext) {
      guard end == nil else {
        context.close(promise: nil)
        return
      }
      after(limit, context) { self.finish(.timedOut(step: self.position), context) }
      advance(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let bytes = unwrapInboundIn(data)
      state.record(bytes, at: index)
      pending.writeImmutableBuffer(bytes)
      if wait == .silence { finish(.unexpectedBytes(step: position), context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
      if wait == .bytes { advance(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      guard case .some(.inputClosed) = event as? ChannelEvent else {
        context.fireUserInboundEventTriggered(event)
        return
      }
      inputEnded = true
      switch wait {
      case .bytes: advance(context)
      case .silence, .close: finish(.peerClosed(step: position), context)
      case .callback:
        if position < steps.count, steps[position] == .awaitCommand {
          finish(.peerClosed(step: position), context)
        }
      case .nothing: break
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      finish(.peerClosed(step: position), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
      for timer in timers { timer.cancel() }
      timers = []
      // With both directions closed the channel ends without telling the end of input apart.
      if end == nil, position < steps.count, steps[position] == .readToEnd { position += 1 }
      if position == steps.count { end = end ?? .finished }
      end = state.end(index, end, step: position)
      context.fireChannelInactive()
    }

    // MARK: Steps

    /// Plays steps until one has to wait.
    private func advance(_ context: ChannelHandlerContext) {
      wait = .nothing
      while end == nil, wait == .nothing {
        guard position < steps.count else {
          finish(.finished, context)
          return
        }
        play(steps[position], context)
      }
    }

    private func next() {
      position += 1
      progress = 0
    }

    private func play(_ step: RawScript.Step, _ context: ChannelHandlerContext) {
      switch step {
      case .readHead:
        if let length = headLength() {
          pending.moveReaderIndex(forwardBy: length)
          next()
        } else if pending.readableBytes > Self.headLimit {
          finish(.unexpectedBytes(step: position), context)
        } else {
          readMore(context)
        }
      case .read(let count):
        let taken = min(pending.readableBytes, max(count - progress, 0))
        pending.moveReaderIndex(forwardBy: taken)
        progress += taken
        if progress >= count { next() } else { readMore(context) }
      case .readToEnd:
        pending.clear()
        if inputEnded { next() } else { readMore(context) }
      case .send(let bytes): send(bytes, context)
      case .pause(let time): resume(after: TimeAmount(time), context)
      case .awaitCommand: awaitCommand(context)
      case .expectSilence(let time): expectSilence(TimeAmount(time), context)
      case .halfClose:
        wait = .callback
        let promise = context.eventLoop.makePromise(of: Void.self)
        context.close(mode: .output, promise: promise)
        continueOn(promise.futureResult, context)
      case .close: finish(.finished, context)
      case .reset:
        // On the event loop of the channel this takes effect at once.
        _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(Self.abortively)
        finish(.finished, context)
      case .hold:
        if inputEnded { finish(.peerClosed(step: position), context) } else { wait = .close }
      }
    }

    /// No lingering: closing discards what is unsent and sends RST.
    private static let abortively = linger(l_onoff: 1, l_linger: 0)

    /// The length up to the end of the empty line. While there is none, the progress of the step is what was
    /// searched already.
    private func headLength() -> Int? {
      let bytes = pending.readableBytesView
      let rest = bytes.dropFirst(max(progress - 3, 0))
      progress = bytes.count
      guard let range = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      return range.upperBound - bytes.startIndex
    }

    private func readMore(_ context: ChannelHandlerContext) {
      guard !inputEnded else {
        finish(.peerClosed(step: position), context)
        return
      }
      wait = .bytes
      context.read()
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
      wait = .callback
      let promise = context.eventLoop.makePromise(of: Void.self)
      context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: promise)
      continueOn(promise.futureResult, context)
    }

    private func continueOn(_ future: EventLoopFuture<Void>, _ context: ChannelHandlerContext) {
      future.assumeIsolated().whenComplete { result in
        guard self.end == nil else { return }
        switch result {
        case .success:
          self.next()
          self.advance(context)
        case .failure: self.finish(.peerClosed(step: self.position), context)
        }
      }
    }

    private func resume(after time: TimeAmount, _ context: ChannelHandlerContext) {
      wait = .callback
      after(time, context) {
        self.next()
        self.advance(context)
      }
    }

    private func awaitCommand(_ context: ChannelHandlerContext) {
      guard !inputEnded else {
        finish(.peerClosed(step: position), context)
        return
      }
      wait = .callback
      let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
      let eventLoop = context.eventLoop
      let command = RawState.Command(index: index) {
        eventLoop.execute {
          let (handler, context) = bound.value
          guard handler.end == nil else { return }
          handler.next()
          handler.advance(context)
        }
      }
      state.waiting.post(command)
    }

    private func expectSilence(_ time: TimeAmount, _ context: ChannelHandlerContext) {
      guard pending.readableBytes == 0 else {
        finish(.unexpectedBytes(step: position), context)
        return
      }
      guard !inputEnded else {
        finish(.peerClosed(step: position), context)
        return
      }
      let step = position
      wait = .silence
      context.read()
      after(time, context) {
        guard self.position == step else { return }
        self.next()
        self.advance(context)
      }
    }

    private func after(_ time: TimeAmount, _ context: ChannelHandlerContext, _ action: @escaping () -> Void) {
      let timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
        if self.end == nil { action() }
      }
      timers.append(timer)
    }

    private func finish(_ end: RawConnection.End, _ context: ChannelHandlerContext) {
      guard self.end == nil else { return }
      self.end = end
      context.close(promise: nil)
    }
  }
#endif
