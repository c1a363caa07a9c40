#if Tool
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// The descriptors of the process, which a proxy needs two of for each client.
  enum OpenFiles {
    /// As many as a server with all its connections needs, and a proxy behind it.
    private static let wanted: rlim_t = 2048
    /// For what is no connection.
    private static let reserve = 100

    /// The number of connections to an upstream beside those of a server's clients; raises the limit of the process as far
    /// as the system permits.
    static func room(besides clients: Int) -> Int {
      var limit = rlimit()
      #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #else
        let resource = RLIMIT_NOFILE
      #endif
      guard getrlimit(resource, &limit) == 0 else { return 0 }
      if limit.rlim_cur < wanted {
        var raised = limit
        raised.rlim_cur = min(wanted, limit.rlim_max)
        if setrlimit(resource, &raised) == 0 { limit = raised }
      }
      return Int(min(limit.rlim_cur, wanted)) - clients - reserve
    }
  }
#endif
