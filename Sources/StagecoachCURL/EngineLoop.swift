#if CURL
  import CCurl
  import StagecoachCore
  import StagecoachTransportKit

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// The loop of the engine's thread: all calls of curl, and all callbacks, happen in ``run()``.
  ///
  /// It is created on its thread and never leaves it, so nothing here is locked.
  final class EngineLoop {
    /// The maximum number of trust policies with open connections. Beyond it, the connections of the least recently
    /// used policy without transfers are closed.
    private static let sessionLimit = 16

    /// The maximum number of successive turns that process commands before sockets.
    private static let longestSkip = 8

    let poller = Poller()
    /// The transfers with data to deliver in this turn.
    var touched: [Job] = []

    private let mailbox: Mailbox
    private let configuration: EngineConfiguration
    private let time: any TimeSource
    private let watchdog: Watchdog
    private let sweepWatch: Watchdog.Watch
    private let executor: UnownedTaskExecutor
    private var sessions: [Session] = []
    /// Becomes readable when the mailbox wakes the thread.
    private var alarm: Int32 = -1
    private var uses = 0
    /// The number of successive turns that skipped the sockets.
    private var skipped = 0
    private var origins: Origins
    private var jobs: [ObjectIdentifier: Job] = [:]
    private var sockets: [Socket] = []

    /// The state of a socket, by its number.
    private struct Socket {
      var session: Session?
      /// The events that curl waits for.
      var asked: Poller.Interest = []
      /// Whether reading is suspended, whatever curl asks for.
      var isHeld = false
      /// Whether the last response on it was framed (HTTP/2).
      var hasFrames = false
      var idleSince: ContinuousClock.Instant?
    }

    init(
      _ mailbox: Mailbox,
      _ configuration: EngineConfiguration,
      time: any TimeSource,
      watchdog: Watchdog,
      executor: UnownedTaskExecutor
    ) {
      self.executor = executor
      self.mailbox = mailbox
      self.configuration = configuration
      self.time = time
      self.watchdog = watchdog
      origins = Origins(limit: configuration.connections.connectionsPerOrigin)
      sweepWatch = watchdog.watch(for: nil) { [mailbox] in _ = mailbox.post(.sweep) }
    }

    /// The system's monotonic clock in nanoseconds.
    static var now: UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // MARK: Turns

    /// Runs until the mailbox is closed, and then ends all transfers.
    ///
    /// - Returns: The error if the loop could not start; `nil` on success.
    func run() -> ExchangeError? {
      guard poller.isUsable, let alarm = mailbox.open() else {
        watchdog.remove(sweepWatch)
        return ExchangeError(.transport, "no descriptors could be created for libcurl")
      }
      self.alarm = alarm
      poller.watch(alarm, for: .reading)
      var commands: [Command] = []
      while mailbox.take(&commands) {
        for command in commands { execute(command) }
        commands.removeAll(keepingCapacity: true)
        runTimers()
        finish()
        flush()
        wait()
      }
      Engine.refuse(commands, Engine.wasShutDown)
      end(Engine.wasShutDown)
      return nil
    }

    private func end(_ error: ExchangeError) {
      for job in jobs.values {
        job.session.remove(job)
        job.transfer.fail(error)
      }
      jobs = [:]
      touched = []
      for transfer in origins.removeAll() { transfer.fail(error) }
      for session in sessions { session.close() }
      sessions = []
      watchdog.remove(sweepWatch)
    }

    private func wait() {
      var limit: Int32 = -1
      if let deadline = sessions.lazy.compactMap(\.deadline).min() {
        let now = Self.now
        // Rounded up, so that curl's timeout has passed when this one has.
        limit = deadline <= now ? 0 : Int32(min((deadline - now + 999_999) / 1_000_000, UInt64(Int32.max)))
      }
      let sleeps = mailbox.prepareToSleep()
      // Commands arrive in quick succession if tasks run on this thread: sockets can wait for some of them.
      skipped += 1
      guard sleeps || skipped > Self.longestSkip else { return }
      skipped = 0
      poller.wait(milliseconds: sleeps ? limit : 0) { descriptor, flags in
        guard descriptor != alarm else { return drainAlarm() }
        guard flags != 0 else { return dropStirred(descriptor) }
        if sockets.indices.contains(Int(descriptor)) {
          sockets[Int(descriptor)].session?.act(descriptor, flags)
        }
      }
      if sleeps { mailbox.awake() }
      finish()
      flush()
    }

    private func drainAlarm() {
      var bytes: UInt64 = 0
      while read(alarm, &bytes, MemoryLayout.size(ofValue: bytes)) == MemoryLayout.size(ofValue: bytes) {}
    }

    private func runTimers() {
      guard sessions.contains(where: { $0.deadline != nil }) else { return }
      let now = Self.now
      for session in sessions {
        guard let deadline = session.deadline, deadline <= now else { continue }
        session.deadline = nil
        session.act()
      }
    }

    /// Delivers the data of this turn.
    private func flush() {
      // By index, because delivering may touch more transfers.
      var index = 0
      while index < touched.count {
        touched[index].flush()
        index += 1
      }
      touched.removeAll(keepingCapacity: true)
    }

    // MARK: Commands

    private func execute(_ command: Command) {
      switch command {
      case .start(let transfer):
        if origins.enter(transfer) { begin(transfer) } else { transfer.didQueue() }
      case .receive(let transfer): jobs[ObjectIdentifier(transfer)]?.resume(receiving: true)
      case .send(let transfer): jobs[ObjectIdentifier(transfer)]?.resume(receiving: false)
      case .abandon(let transfer):
        if let job = jobs[ObjectIdentifier(transfer)] {
          let socket = job.easy.socket
          // Over HTTP/2 the connection stays open.
          remove(job) { transfer.didLeaveConnection(isKept: $0) }
          // So that curl sends RST_STREAM, which otherwise stays in memory until the next read or write on the
          // connection.
          if poller.isWatched(socket) { session(of: socket)?.act(socket, CURL_CSELECT_IN) }
        } else {
          origins.withdraw(transfer)
        }
      case .sweep: sweep()
      case .run(let job): job.runSynchronously(on: executor)
      }
    }

    private func begin(_ transfer: Transfer) {
      if !hasBegun(transfer) { leave(transfer) }
    }

    private func hasBegun(_ transfer: Transfer) -> Bool {
      guard transfer.begin(isShared: origins.isShared(transfer.origin)) else { return false }
      do {
        let session = try session(for: transfer.trust)
        let easy = try session.takeHandle()
        do {
          try easy.prepare(transfer, configuration)
        } catch {
          session.putBack(easy)
          throw error
        }
        if let proxy = easy.proxy {
          transfer.request.emit(.connection(.proxySelected(proxy.description)))
        }
        let job = Job(transfer, easy, session, self)
        jobs[ObjectIdentifier(transfer)] = job
        session.add(job)
        return true
      } catch {
        transfer.fail(error)
        return false
      }
    }

    /// Gives the place of an ended transfer to the next one.
    private func leave(_ transfer: Transfer) {
      while let next = origins.leave(transfer.origin) {
        if hasBegun(next) { return }
      }
    }

    /// Removes a transfer, and then begins transfers that waited for its place.
    ///
    /// - Parameter told: Called in between, with whether the connection is kept.
    private func remove(_ job: Job, told: (Bool) -> Void = { _ in }) {
      let (session, socket) = (job.session, job.easy.socket)
      jobs[ObjectIdentifier(job.transfer)] = nil
      session.remove(job)
      hold(socket, false)
      told(session.isOpen(socket))
      if job.hasHead, session.isOpen(socket) { sockets[Int(socket)].hasFrames = job.hasFrames }
      rest(socket)
      leave(job.transfer)
    }

    /// Ends a transfer that curl has finished.
    func end(_ job: Job, _ code: CURLcode) {
      job.end(code)
      if job.hasFrames {
        for transfer in origins.multiplex(job.transfer.origin) { begin(transfer) }
      }
      remove(job)
    }

    /// Ends the transfers that curl has finished.
    private func finish() {
      for session in sessions {
        while let (job, code) = session.nextFinished() { end(job, code) }
      }
    }

    // MARK: Sessions

    private func session(for trust: Trust?) throws -> Session {
      uses += 1
      if let known = sessions.first(where: { $0.trust == trust }) {
        known.lastUse = uses
        return known
      }
      if sessions.count >= Self.sessionLimit,
        let oldest = sessions.filter({ $0.count == 0 }).min(by: { $0.lastUse < $1.lastUse })
      {
        close(oldest)
      }
      let session = try Session(trust, configuration, self)
      session.lastUse = uses
      sessions.append(session)
      return session
    }

    private func close(_ session: Session) {
      session.close()
      sessions.removeAll { $0 === session }
      for index in sockets.indices where sockets[index].session === session { sockets[index] = Socket() }
    }

    // MARK: Sockets

    /// Sets the events that curl waits for on a socket.
    func watch(_ descriptor: Int32, _ what: Int32, for session: Session) {
      guard descriptor >= 0 else { return }
      let interest: Poller.Interest
      switch what {
      case CURL_POLL_IN: interest = .reading
      case CURL_POLL_OUT: interest = .writing
      case CURL_POLL_INOUT: interest = [.reading, .writing]
      default: interest = []
      }
      if !interest.isEmpty {
        grow(to: descriptor)
        if sockets[Int(descriptor)].session !== session { sockets[Int(descriptor)].session = session }
        wake(descriptor)
      }
      guard sockets.indices.contains(Int(descriptor)) else { return poller.watch(descriptor, for: interest) }
      sockets[Int(descriptor)].asked = interest
      wait(for: descriptor)
    }

    /// Keeps curl from reading an HTTP/1.1 connection whose transfer is paused: some versions still read the available
    /// data, and keep it in memory (8.5.0 cf-socket.c, cf_socket_adjust_pollset).
    func hold(_ descriptor: Int32, _ isHeld: Bool) {
      guard sockets.indices.contains(Int(descriptor)), sockets[Int(descriptor)].isHeld != isHeld else {
        return
      }
      sockets[Int(descriptor)].isHeld = isHeld
      wait(for: descriptor)
    }

    private func wait(for descriptor: Int32) {
      let socket = sockets[Int(descriptor)]
      poller.watch(descriptor, for: socket.isHeld ? socket.asked.subtracting(.reading) : socket.asked)
    }

    func didOpen(_ descriptor: Int32) {
      grow(to: descriptor)
      sockets[Int(descriptor)] = Socket()
      poller.adopt(descriptor)
    }

    func willClose(_ descriptor: Int32) {
      poller.forget(descriptor)
      guard sockets.indices.contains(Int(descriptor)) else { return }
      wake(descriptor)
      sockets[Int(descriptor)].session?.forget(localPort: Self.localPort(of: descriptor))
      sockets[Int(descriptor)] = Socket()
    }

    private func grow(to descriptor: Int32) {
      let missing = Int(descriptor) + 1 - sockets.count
      if missing > 0 { sockets.append(contentsOf: repeatElement(Socket(), count: missing)) }
    }

    private static func localPort(of descriptor: Int32) -> Int32 {
      var address = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      return withUnsafeMutableBytes(of: &address) { bytes in
        guard let start = bytes.baseAddress,
          getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &length) == 0
        else { return 0 }
        // The port is at the same place for IPv4 and IPv6.
        return Int32(UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)))
      }
    }

    /// Returns the session whose connection has a socket, as long as it is open.
    func session(of descriptor: Int32) -> Session? {
      sockets.indices.contains(Int(descriptor)) ? sockets[Int(descriptor)].session : nil
    }

    // MARK: Idle connections

    /// Records that a request has left the connection of a socket, which is idle if curl no longer watches it.
    private func rest(_ descriptor: Int32) {
      guard sockets.indices.contains(Int(descriptor)), let session = sockets[Int(descriptor)].session,
        sockets[Int(descriptor)].idleSince == nil, !poller.isWatched(descriptor)
      else { return }
      let isFirst = !sessions.contains { $0.idleCount > 0 }
      sockets[Int(descriptor)].idleSince = time.now
      session.idleCount += 1
      if isFirst { watchdog.move(sweepWatch, to: configuration.connections.idleTimeout) }
    }

    private func wake(_ descriptor: Int32) {
      guard sockets[Int(descriptor)].idleSince != nil else { return }
      sockets[Int(descriptor)].idleSince = nil
      sockets[Int(descriptor)].session?.idleCount -= 1
    }

    /// Closes an idle connection that became readable: it was closed by the peer, or has unsolicited bytes, which curl
    /// would take for the next response.
    ///
    /// HTTP/2 connections are excluded, because frames may arrive at any time.
    private func dropStirred(_ descriptor: Int32) {
      guard sockets.indices.contains(Int(descriptor)), sockets[Int(descriptor)].idleSince != nil,
        !sockets[Int(descriptor)].hasFrames
      else { return }
      var buffer = [UInt8](repeating: 0, count: 4096)
      // Unread data would make the connection look alive.
      for _ in 0..<16 where recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) <= 0 { break }
      shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Closes the connections that were idle for too long.
    private func sweep() {
      let now = time.now
      let limit = configuration.connections.idleTimeout
      var shortest: Duration?
      for descriptor in sockets.indices {
        guard let since = sockets[descriptor].idleSince else { continue }
        let rest = limit - (now - since)
        if rest <= .zero {
          // curl keeps the socket until it next looks for a connection, and then finds this one dead.
          shutdown(Int32(descriptor), Int32(SHUT_RDWR))
          wake(Int32(descriptor))
        } else {
          shortest = min(shortest ?? rest, rest)
        }
      }
      for session in sessions where session.count == 0 && session.idleCount == 0 { close(session) }
      if let shortest { watchdog.move(sweepWatch, to: shortest) }
    }
  }
#endif
