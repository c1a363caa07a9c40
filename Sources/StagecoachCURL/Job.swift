#if CURL
  import CCurl
  import HTTPTypes
  import StagecoachCore
  import StagecoachTransportKit

  /// The state of a transfer on the engine's thread, used by curl's callbacks.
  final class Job {
    let transfer: Transfer
    let easy: EasyHandle
    let session: Session
    private unowned let loop: EngineLoop

    /// The data to deliver at the end of this turn of the loop.
    var delivery = Transfer.Delivery()
    /// Whether the loop knows that there is data to deliver.
    var isTouched = false
    /// The error with which this side stopped the transfer.
    private(set) var failure: (any Error)?
    /// The number of times curl was about to send the request.
    private var attempts = 0
    /// Whether curl was allowed to send it.
    private var isSent = false
    /// Whether it was sent on a reused connection.
    private var wasReused = false
    private(set) var hasHead = false
    /// Whether the response is final although curl would repeat the request.
    private var isAnswered = false
    /// Whether the response is framed, on a multiplexed connection (HTTP/2, HTTP/3).
    private(set) var hasFrames = false

    private var head: [UInt8] = []
    private var meter: ResponseHeadMeter
    private var informationalCount = 0
    private var trailers: [UInt8] = []
    private var hasLength = false
    private var hasCoding = false
    private var hasIdentity = false
    /// The number of missing content bytes, if curl does not count them.
    private var missing: Int64?
    /// The last known amount of data that waits for the reader, in bytes.
    private var buffered = 0
    private var isReceivingPaused = false
    private var isSendingPaused = false
    /// Whether sending was resumed once since the head of the response arrived.
    private var hasReconsidered = false
    /// The number of content bytes given to curl.
    private var sent: Int64 = 0
    private let readsContent: Bool
    private var isHeadSent = false
    private var isAllSent = false

    init(_ transfer: Transfer, _ easy: EasyHandle, _ session: Session, _ loop: EngineLoop) {
      self.transfer = transfer
      self.easy = easy
      self.session = session
      self.loop = loop
      readsContent = easy.readsContent
      meter = ResponseHeadMeter(transfer.request.options.responseHeadLimits)
    }

    private var request: Request { transfer.request }

    private func touch() {
      guard !isTouched else { return }
      isTouched = true
      loop.touched.append(self)
    }

    // MARK: Sending

    /// Called when the connection is ready and the request is about to be written to it.
    ///
    /// - Returns: Whether to continue.
    func willSend(over link: Link) -> Bool {
      attempts += 1
      guard attempts == 1 else {
        // curl would repeat the request: after a 417, which is a final response, or on a new connection if the first
        // one died without a response.
        if hasHead {
          isAnswered = true
        } else {
          failure = wasReused ? EngineFailure.diedUnanswered : EngineFailure.refusedStream
        }
        return false
      }
      wasReused = easy.connectionCount == 0
      var info = ConnectionInfo(remoteAddress: link.remoteText, isReused: wasReused)
      if easy.connectionCount > 0 { easy.readTimings(into: &info) }
      do {
        try session.check(link, of: easy, host: transfer.place.authority)
      } catch {
        failure = error
        easy.forbidReuse()
        return false
      }
      guard transfer.willSend(over: info) else { return false }
      isSent = true
      touch()
      return true
    }

    /// Copies content to curl's buffer; returns the result of curl's callback.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      noteHeadSent()
      guard let upload = transfer.upload else { return readMemory(into: buffer) }
      switch upload.read(into: buffer) {
      case .bytes(let count):
        didRead(count)
        return count
      case .nothing:
        isSendingPaused = true
        return Int(CURL_READFUNC_PAUSE)
      case .end:
        noteAllSent()
        return 0
      }
    }

    private func readMemory(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      guard let bytes = request.body.bytes else { return 0 }
      let count = bytes.withUnsafeBytes { bytes in
        let rest = bytes[min(Int(sent), bytes.count)...].prefix(buffer.count)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest))
        return rest.count
      }
      didRead(count)
      return count
    }

    private func didRead(_ count: Int) {
      guard count > 0 else { return }
      sent += Int64(count)
      transfer.didSend(sent)
      if sent == request.body.length, transfer.upload == nil || !request.body.hasTrailers { noteAllSent() }
    }

    /// Returns the trailer fields in curl's format; curl frees the list.
    func trailerList() -> UnsafeMutablePointer<curl_slist>? {
      var list: UnsafeMutablePointer<curl_slist>?
      for field in transfer.upload?.trailers ?? [:] {
        let value = field.withUnsafeBytesOfValue { Array($0) }
        let line = Array("\(field.name.rawName): ".utf8) + value + [0]
        list =
          line.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap { curl_slist_append(list, $0.assumingMemoryBound(to: CChar.self)) }
          } ?? list
      }
      return list
    }

    /// Reports that the request was sent, at the end of a turn that wrote it, because curl does not report it.
    func noteSent() {
      guard isSent else { return }
      noteHeadSent()
      guard !readsContent else { return }
      if let length = request.body.length, length > 0, sent == 0 {
        sent = length
        transfer.didSend(length)
      }
      noteAllSent()
    }

    private func noteHeadSent() {
      guard !isHeadSent else { return }
      isHeadSent = true
      request.emit(.requestHeadSent)
    }

    private func noteAllSent() {
      guard !isAllSent else { return }
      isAllSent = true
      transfer.didSendRequest()
    }

    // MARK: Receiving

    /// Receives a line of a head, or a trailer field; returns false if it is refused.
    func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
      guard failure == nil, !isAnswered else { return false }
      let isEnd = line.first == 0x0a || line.first == 0x0d && line.count <= 2
      if hasHead {
        guard !isEnd else { return true }
        return append(line, to: \.trailers)
      }
      if head.isEmpty {
        noteSent()
        meter = ResponseHeadMeter(request.options.responseHeadLimits)
        (hasLength, hasCoding, hasIdentity) = (false, false, false)
        guard !isEnd else { return true }
        head.reserveCapacity(512)
        return append(line, to: \.head, isField: false)
      }
      guard isEnd else {
        noteFraming(line)
        return append(line, to: \.head)
      }
      return endHead()
    }

    private func append(
      _ line: UnsafeRawBufferPointer,
      to lines: ReferenceWritableKeyPath<Job, [UInt8]>,
      isField: Bool = true
    ) -> Bool {
      do {
        try meter.add(line.count, isField: isField)
      } catch {
        failure = error
        return false
      }
      self[keyPath: lines].append(contentsOf: line)
      return true
    }

    private func noteFraming(_ line: UnsafeRawBufferPointer) {
      switch line.first.map({ $0 | 0x20 }) {
      case 0x20,
        0x29 where line.first == 0x09:
        request.emit(.violationTolerated("a field on several lines (RFC 9112 5.2)"))
      case UInt8(ascii: "c") where line.count > 15 && line[14] == UInt8(ascii: ":"):
        if easy.isName("content-length", at: line) { hasLength = true }
      case UInt8(ascii: "t") where line.count > 18 && line[17] == UInt8(ascii: ":"):
        guard easy.isName("transfer-encoding", at: line) else { break }
        // It says nothing: the registry has no such coding any more (RFC 9112 12.3).
        guard !line.dropFirst(18).isIdentity else {
          request.emit(.violationTolerated("Transfer-Encoding: identity, which says nothing (RFC 9112 7)"))
          hasIdentity = true
          break
        }
        hasCoding = true
      default: break
      }
    }

    private func endHead() -> Bool {
      // The first digit of the status code. A malformed status line is refused when the head is parsed.
      let code = head.firstIndex(of: 0x20).flatMap { head.indices.contains($0 + 1) ? head[$0 + 1] : nil }
      if code == UInt8(ascii: "1") { return endInformational() }
      if hasLength, hasCoding {
        easy.forbidReuse()  // RFC 9112 6.1
        request.emit(
          .violationTolerated("Content-Length beside Transfer-Encoding, which counts (RFC 9112 6.3)")
        )
      }
      if hasCoding, head.starts(with: "HTTP/1.0".utf8) {
        easy.forbidReuse()  // RFC 9112 6.1
        request.emit(.violationTolerated("Transfer-Encoding in a response of HTTP/1.0 (RFC 9112 6.1)"))
      }
      if hasLength, hasIdentity, !hasCoding {
        // curl ignores a length beside any transfer coding, and a malformed one is refused when the head is parsed.
        missing = (try? ResponseHead(head)).flatMap { $0.hasContent(to: request) ? $0.length : nil }
        transfer.endAtLength()
      }
      hasFrames = head.starts(with: "HTTP/2".utf8) || head.starts(with: "HTTP/3".utf8)
      hasHead = true
      if !hasLength, !hasCoding, !hasFrames, transfer.place.isSecure { AbruptEnds.report(to: easy) }
      meter = ResponseHeadMeter(request.options.responseHeadLimits, areTrailers: true)
      delivery.head = head
      head = []
      touch()
      return true
    }

    private func endInformational() -> Bool {
      do {
        let parsed = try ResponseHead(head)
        head.removeAll(keepingCapacity: true)
        guard parsed.response.status.code != 101 else {
          throw FieldLines.violation("101, though the request asked for no other protocol")
        }
        informationalCount += 1
        try transfer.receive(informational: parsed.response, count: informationalCount)
        return true
      } catch {
        failure = error
        return false
      }
    }

    /// Receives a part of the body; returns the result of curl's callback.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
      guard failure == nil, !isAnswered else { return 0 }
      guard !bytes.isEmpty else { return 0 }
      if let missing {
        // What follows is no part of the body, and the connection is closed.
        guard missing > 0 else { return bytes.count }
        if missing < Int64(bytes.count) {
          let count = receive(UnsafeRawBufferPointer(rebasing: bytes[..<Int(missing)]))
          return count == Int(missing) ? bytes.count : count
        }
      }
      if buffered + delivery.chunks.footprint + bytes.count > BodyInbox.capacity {
        if transfer.pauses(with: delivery.chunks.footprint) {
          isReceivingPaused = true
          if !hasFrames { loop.hold(easy.socket, true) }
          return Int(CURL_WRITEFUNC_PAUSE)
        }
        buffered = 0
      }
      let copy = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
        count = bytes.count
      }
      delivery.chunks.append(Bytes(copy))
      missing = missing.map { $0 - Int64(bytes.count) }
      touch()
      return bytes.count
    }

    // MARK: Turns

    /// Resumes a paused direction.
    func resume(receiving: Bool) {
      guard receiving ? isReceivingPaused : isSendingPaused else { return }
      if receiving {
        isReceivingPaused = false
        buffered = 0
        loop.hold(easy.socket, false)
      } else {
        isSendingPaused = false
      }
      // curl may call back at once, and the callback may pause again.
      let state = (isReceivingPaused ? CURLPAUSE_RECV : 0) | (isSendingPaused ? CURLPAUSE_SEND : 0)
      let code = easy.pause(state)
      if code != CURLE_OK { loop.end(self, code) }
    }

    /// Delivers the data of this turn.
    func flush() {
      isTouched = false
      if !isAllSent { noteSent() }
      // Not after curl has finished: the handle may then belong to another transfer.
      if hasHead, isSendingPaused, !hasReconsidered, easy.job === self {
        // curl stops sending on a status of 300 or above, but does not finish while sending is paused.
        hasReconsidered = true
        resume(receiving: false)
      }
      guard !delivery.isEmpty else { return }
      let taken = delivery
      delivery = Transfer.Delivery()
      buffered = transfer.deliver(taken)
    }

    /// Called when curl has finished the transfer.
    func end(_ code: CURLcode) {
      delivery.end = result(code)
      easy.findSocket()
      if isSent { transfer.didLeaveConnection(isKept: session.isOpen(easy.socket)) }
      touch()
    }

    private func result(_ code: CURLcode) -> Result<HTTPFields?, any Error> {
      if let failure { return .failure(EngineFailure.finished(failure, isSent: isSent)) }
      if isAnswered { return .failure(EngineFailure.ignoredContent) }
      // Where curl ignores the length, it takes the end of the connection for that of the body.
      let code = code == CURLE_OK && (missing ?? 0) > 0 ? CURLE_PARTIAL_FILE : code
      guard code == CURLE_OK, hasHead else {
        return .failure(EngineFailure.map(code, of: easy, request.head, isSent: isSent, hasHead: hasHead))
      }
      guard !trailers.isEmpty else { return .success(nil) }
      return Result { try trailers.withUnsafeBufferPointer { try FieldLines.parse($0) } }
    }
  }

  extension Slice<UnsafeRawBufferPointer> {
    /// Whether the value of a field line is `identity`.
    fileprivate var isIdentity: Bool {
      let value = filter { !FieldLines.isBlank($0) && $0 != 0x0d && $0 != 0x0a }
      return value.elementsEqual("identity".utf8) { $0 | 0x20 == $1 }
    }
  }
#endif
