#if CURL
  import CCurl
  import StagecoachCore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The connections of one trust policy, and the handles for their transfers.
  ///
  /// curl reuses connections within a multi handle, so a multi handle per trust policy separates them.
  final class Session {
    /// The maximum number of idle handles.
    private static let spareHandles = 64
    /// The maximum number of idle connections, for all origins together.
    private static let spareConnections = 256

    /// The trust policy; `nil` for plaintext connections.
    let trust: Trust?
    let multi: UnsafeMutableRawPointer
    /// The time at which curl wants to be called without an event, in nanoseconds of the loop's clock.
    var deadline: UInt64?
    /// The number of transfers in progress.
    private(set) var count = 0
    /// The sequence number of the last use.
    var lastUse = 0
    /// Whether it was closed. A closed session must not be used.
    private(set) var isClosed = false
    /// The number of idle connections, as far as the loop knows.
    var idleCount = 0

    private let configuration: EngineConfiguration
    private unowned let loop: EngineLoop
    private let material: TrustMaterial?
    private let addresses: UnsafeMutablePointer<curl_slist>?
    private let proxyFields: UnsafeMutablePointer<curl_slist>?
    private var handles: [EasyHandle] = []
    private var checkedLinks: Set<Link> = []

    init(_ trust: Trust?, _ configuration: EngineConfiguration, _ loop: EngineLoop) throws {
      guard let multi = curl_multi_init() else {
        throw ExchangeError(.transport, "libcurl could not be set up for more connections")
      }
      self.trust = trust
      self.multi = multi
      self.configuration = configuration
      self.loop = loop
      material = trust.map { TrustMaterial($0) }
      var list: UnsafeMutablePointer<curl_slist>?
      for (host, address) in configuration.connections.addresses {
        let shown = address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]" : address
        list = curl_slist_append(list, "\(host)::\(shown):") ?? list
      }
      addresses = list
      proxyFields = curl_slist_append(nil, "Proxy-Connection:")
      let connections = configuration.connections
      let limit = max(1, connections.connectionsPerOrigin)
      // The order of transfers is decided before curl is called, except for requests that share connections. curl
      // counts by the peer of a connection: behind a proxy, or with equal addresses, origins would wait for each other.
      if Library.hasHTTP2, connections.proxy == .none, connections.addresses.isEmpty {
        _ = stagecoach_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, limit)
      }
      _ = stagecoach_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(Self.spareConnections, limit))
      let pointer = Unmanaged.passUnretained(self).toOpaque()
      _ = stagecoach_curl_multi_set_socket(multi, socketCallback, pointer)
      _ = stagecoach_curl_multi_set_timer(multi, timerCallback, pointer)
    }

    /// Closes all connections. There must be no transfers left, and the session must not be used afterwards.
    func close() {
      isClosed = true
      handles = []
      curl_multi_cleanup(multi)
      curl_slist_free_all(addresses)
      curl_slist_free_all(proxyFields)
    }

    // MARK: Handles

    /// Returns a handle with all options that do not change between transfers.
    func takeHandle() throws -> EasyHandle {
      if let handle = handles.popLast() { return handle }
      guard let handle = EasyHandle() else {
        throw ExchangeError(.transport, "libcurl could not be set up for another transfer")
      }
      handle.setCallbacks(of: loop)
      try setUp(handle)
      return handle
    }

    func putBack(_ handle: EasyHandle) {
      handle.clear()
      if Library.reusesHandles, handles.count < Self.spareHandles { handles.append(handle) }
    }

    private func setUp(_ handle: EasyHandle) throws {
      let connections = configuration.connections
      handle.set(CURLOPT_NOSIGNAL, 1)
      stagecoach_curl_leave_look_ups(handle.curl)
      handle.set(CURLOPT_HTTP09_ALLOWED, 0)
      handle.set(CURLOPT_FOLLOWLOCATION, 0)
      handle.set(CURLOPT_NETRC, stagecoach_curl_netrc_ignored)
      handle.set(CURLOPT_HTTP_CONTENT_DECODING, 0)
      handle.set(CURLOPT_PATH_AS_IS, 1)
      handle.set(CURLOPT_TCP_NODELAY, 1)
      handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))  // our own timeout is shorter, or absent
      handle.set(CURLOPT_MAXAGE_CONN, Int(min(connections.idleTimeout.components.seconds, 1 << 30)) + 1)
      stagecoach_curl_limit_protocols(handle.curl)
      try handle.set(CURLOPT_NOPROXY, "")
      _ = stagecoach_curl_set_list(handle.curl, CURLOPT_PROXYHEADER, proxyFields)
      if let addresses { _ = stagecoach_curl_set_list(handle.curl, CURLOPT_CONNECT_TO, addresses) }
      if let path = connections.unixSocket { try handle.set(CURLOPT_UNIX_SOCKET_PATH, path) }
      if let address = connections.localAddress { try handle.set(CURLOPT_INTERFACE, "host!\(address)") }
      if connections.versions.contains(.http2) { handle.set(CURLOPT_PIPEWAIT, 1) }
      if let trust, let material { try material.apply(trust, to: handle) }
    }

    // MARK: Transfers

    /// Begins a transfer.
    func add(_ job: Job) {
      count += 1
      job.easy.job = job
      curl_multi_add_handle(multi, job.easy.curl)
    }

    /// Ends a transfer. Its connection is closed unless the response is complete.
    func remove(_ job: Job) {
      count -= 1
      curl_multi_remove_handle(multi, job.easy.curl)
      putBack(job.easy)
    }

    /// Lets curl process an event on a socket, or its timeout if there is none.
    func act(_ descriptor: Int32 = CURL_SOCKET_TIMEOUT, _ flags: Int32 = 0) {
      var running: Int32 = 0
      curl_multi_socket_action(multi, descriptor, flags, &running)
    }

    /// Returns the next transfer that curl has finished.
    func nextFinished() -> (job: Job, code: CURLcode)? {
      var code = CURLE_OK
      while !isClosed, let curl = stagecoach_curl_multi_finished(multi, &code) {
        if let pointer = stagecoach_curl_get_private(curl),
          let job = Unmanaged<EasyHandle>.fromOpaque(pointer).takeUnretainedValue().job
        {
          return (job, code)
        }
      }
      return nil
    }

    // MARK: Trust

    /// Refuses a peer before anything is sent to it.
    ///
    /// The leaf certificate of a new connection is checked; the other certificates that the peer sends were not
    /// necessarily verified, and prove nothing. An existing connection is used only if it passed the check before: over
    /// HTTP/2 another transfer may have made it, and not have checked it yet.
    func check(_ link: Link, of handle: EasyHandle, host: String) throws {
      guard let trust, trust.examinesChain else { return }
      if handle.connectionCount == 0 {
        guard !checkedLinks.contains(link) else { return }
        throw ExchangeError(
          .connectionFailed,
          "the connection was made by a transfer that has not judged it yet"
        )
      }
      checkedLinks.remove(link)
      guard let leaf = try handle.peerCertificate() else {
        throw ExchangeError(.tls(.handshake), "libcurl does not show the peer's certificate")
      }
      let name = HostAndPort(host)?.host ?? host
      try trust.evaluate(Trust.Peer(host: name, chain: [leaf], isVerified: trust.verification == .full))
      if link.localPort > 0 { checkedLinks.insert(link) }
    }

    /// Called when a socket with this local port is closed.
    func forget(localPort: Int32) {
      guard !checkedLinks.isEmpty else { return }
      for link in checkedLinks where link.localPort == localPort { checkedLinks.remove(link) }
    }

    /// Whether a socket is open and belongs to a connection of this session.
    func isOpen(_ socket: Int32) -> Bool {
      loop.session(of: socket) === self
    }

    // MARK: Callbacks

    fileprivate func watch(_ descriptor: Int32, _ what: Int32, for curl: UnsafeMutableRawPointer?) {
      if what != CURL_POLL_REMOVE, let pointer = curl.flatMap(stagecoach_curl_get_private) {
        Unmanaged<EasyHandle>.fromOpaque(pointer).takeUnretainedValue().socket = descriptor
      }
      loop.watch(descriptor, what, for: self)
    }

    fileprivate func setTimer(milliseconds: Int) {
      deadline = milliseconds < 0 ? nil : EngineLoop.now + UInt64(milliseconds) * 1_000_000
    }
  }

  private let socketCallback: curl_socket_callback = { curl, descriptor, what, session, _ in
    if let session {
      Unmanaged<Session>.fromOpaque(session).takeUnretainedValue().watch(descriptor, what, for: curl)
    }
    return 0
  }

  private let timerCallback: curl_multi_timer_callback = { _, milliseconds, session in
    if let session {
      Unmanaged<Session>.fromOpaque(session).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    }
    return 0
  }
#endif
