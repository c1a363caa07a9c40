#if CURL
  import CCurl

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Waits for sockets: epoll on Linux, poll elsewhere.
  ///
  /// A socket that curl no longer watches stays registered until an event occurs on it, which saves two system calls
  /// between two requests on a connection.
  final class Poller {
    /// The events that curl waits for on a socket.
    struct Interest: OptionSet {
      let rawValue: UInt8

      static let reading = Interest(rawValue: 1)
      static let writing = Interest(rawValue: 2)
    }

    private struct Socket {
      var wanted: Interest = []
      /// The events registered with the system; on our own sockets out of date at most until the next event.
      var registered: Interest?
      /// Whether ``forget(_:)`` is called before it is closed.
      var isOurs = false
    }

    private var sockets: [Socket] = []
    #if os(Linux)
      private let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
      private var events = [epoll_event](repeating: epoll_event(), count: 256)
    #endif

    #if os(Linux)
      deinit {
        if epoll >= 0 { close(epoll) }
      }
    #endif

    /// Whether the system resources for waiting are available.
    var isUsable: Bool {
      #if os(Linux)
        epoll >= 0
      #else
        true
      #endif
    }

    /// Records a socket whose closing will be reported by ``forget(_:)``.
    func adopt(_ descriptor: Int32) {
      grow(to: descriptor)
      sockets[Int(descriptor)] = Socket(isOurs: true)
    }

    /// Called when a socket is about to be closed.
    func forget(_ descriptor: Int32) {
      guard sockets.indices.contains(Int(descriptor)) else { return }
      sockets[Int(descriptor)] = Socket()
    }

    /// Sets the events to wait for on a socket.
    func watch(_ descriptor: Int32, for interest: Interest) {
      guard descriptor >= 0 else { return }
      grow(to: descriptor)
      let index = Int(descriptor)
      sockets[index].wanted = interest
      if interest.isEmpty {
        if !sockets[index].isOurs {
          unregister(descriptor)
        } else if sockets[index].registered?.contains(.writing) == true {
          // A socket is nearly always writable, which would look like an event.
          register(descriptor, .reading)
        }
      } else if sockets[index].registered != interest || !sockets[index].isOurs {
        register(descriptor, interest)
      }
    }

    /// Whether curl watches a socket.
    func isWatched(_ descriptor: Int32) -> Bool {
      sockets.indices.contains(Int(descriptor)) && !sockets[Int(descriptor)].wanted.isEmpty
    }

    private func grow(to descriptor: Int32) {
      let missing = Int(descriptor) + 1 - sockets.count
      if missing > 0 { sockets.append(contentsOf: repeatElement(Socket(), count: missing)) }
    }

    #if os(Linux)
      private func register(_ descriptor: Int32, _ interest: Interest) {
        var event = epoll_event()
        if interest.contains(.reading) { event.events |= EPOLLIN.rawValue }
        if interest.contains(.writing) { event.events |= EPOLLOUT.rawValue }
        event.data.fd = descriptor
        let isKnown = sockets[Int(descriptor)].registered != nil
        if epoll_ctl(epoll, isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event) != 0 {
          _ = epoll_ctl(epoll, isKnown ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event)
        }
        sockets[Int(descriptor)].registered = interest
      }

      private func unregister(_ descriptor: Int32) {
        var event = epoll_event()
        // Fails harmlessly if the socket is already closed.
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event)
        sockets[Int(descriptor)].registered = nil
      }

      /// Waits, and calls a closure for each socket with an event, with curl's bits, which are zero for a socket that
      /// curl does not watch.
      ///
      /// - Parameter milliseconds: The maximum time; without limit if negative.
      func wait(milliseconds: Int32, _ body: (Int32, Int32) -> Void) {
        let count = epoll_wait(epoll, &events, Int32(events.count), milliseconds)
        guard count > 0 else { return }
        for event in events[..<Int(count)] {
          let descriptor = event.data.fd
          guard isWatched(descriptor) else {
            unregister(descriptor)
            body(descriptor, 0)
            continue
          }
          var flags: Int32 = 0
          if event.events & EPOLLIN.rawValue != 0 { flags |= CURL_CSELECT_IN }
          if event.events & EPOLLOUT.rawValue != 0 { flags |= CURL_CSELECT_OUT }
          if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { flags |= CURL_CSELECT_ERR }
          body(descriptor, flags)
        }
      }
    #else
      private func register(_ descriptor: Int32, _ interest: Interest) {
        sockets[Int(descriptor)].registered = interest
      }

      private func unregister(_ descriptor: Int32) {
        sockets[Int(descriptor)].registered = nil
      }

      /// Waits, and calls a closure for each socket with an event, with curl's bits, which are zero for a socket that
      /// curl does not watch.
      ///
      /// - Parameter milliseconds: The maximum time; without limit if negative.
      func wait(milliseconds: Int32, _ body: (Int32, Int32) -> Void) {
        var entries: [pollfd] = []
        for (index, socket) in sockets.enumerated() {
          guard let interest = socket.wanted.isEmpty ? socket.registered : socket.wanted else { continue }
          var events: Int16 = 0
          if interest.contains(.reading) { events |= Int16(POLLIN) }
          if interest.contains(.writing) { events |= Int16(POLLOUT) }
          entries.append(pollfd(fd: Int32(index), events: events, revents: 0))
        }
        guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return }
        for entry in entries where entry.revents != 0 {
          guard isWatched(entry.fd) else {
            unregister(entry.fd)
            body(entry.fd, 0)
            continue
          }
          var flags: Int32 = 0
          if entry.revents & Int16(POLLIN) != 0 { flags |= CURL_CSELECT_IN }
          if entry.revents & Int16(POLLOUT) != 0 { flags |= CURL_CSELECT_OUT }
          if entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { flags |= CURL_CSELECT_ERR }
          body(entry.fd, flags)
        }
      }
    #endif
  }
#endif
