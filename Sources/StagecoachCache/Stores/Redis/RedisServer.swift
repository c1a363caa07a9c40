#if Redis
  import StagecoachCore

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A server, with what is needed to log in to it.
  struct RedisServer: Sendable, CustomStringConvertible {
    enum Address: Sendable, Hashable {
      case host(String, port: Int)
      case unixSocket(String)
    }

    let address: Address
    let password: String?
    let database: Int

    /// The address; never the password.
    var description: String {
      switch address {
      case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
      case .unixSocket(let path): path
      }
    }

    /// The commands that begin a connection.
    var greeting: [RedisCommand] {
      let password = password.map { RedisCommand(["AUTH", Bytes($0)]) }
      let database = database == 0 ? nil : RedisCommand(["SELECT", Bytes("\(database)")])
      return [password, database].compactMap(\.self)
    }

    /// Resolves the name of the host, which blocks for as long as the system's resolver likes.
    ///
    /// - Returns: The server by its numeric addresses; itself with a Unix socket.
    /// - Throws: ``RedisFailure`` if the name cannot be resolved.
    func resolved() throws(RedisFailure) -> [RedisServer] {
      guard case .host(let host, let port) = address else { return [self] }
      var hints = addrinfo()
      #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      #else
        hints.ai_socktype = SOCK_STREAM
      #endif
      var list: UnsafeMutablePointer<addrinfo>?
      let status = getaddrinfo(host, nil, &hints, &list)
      guard status == 0 else { throw failure("its name cannot be resolved") }
      defer { freeaddrinfo(list) }
      var servers: [RedisServer] = []
      var next = list
      while let info = next {
        next = info.pointee.ai_next
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let size = socklen_t(text.count)
        let length = info.pointee.ai_addrlen
        guard getnameinfo(info.pointee.ai_addr, length, &text, size, nil, 0, NI_NUMERICHOST) == 0 else {
          continue
        }
        let numeric = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        servers.append(
          RedisServer(address: .host(numeric, port: port), password: password, database: database)
        )
      }
      return servers
    }

    func failure(_ reason: String) -> RedisFailure { .unreachable(server: description, reason: reason) }
  }
#endif
