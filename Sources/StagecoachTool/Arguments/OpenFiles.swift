#if Tool
  import StagecoachOrigin

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// The limit of open files of the process. A proxy needs two for each client, and no client waits for slow ones.
  enum OpenFiles {
    /// Enough for all connections of a server and as many to an upstream.
    private static let wanted: rlim_t = 2048
    /// The files that are not connections.
    private static let reserve = 100

    /// Raises the limit as far as needed and permitted.
    ///
    /// - Returns: The number of clients for which there is room, with as many connections to an upstream.
    static func raiseLimit() -> Int {
      var limit = rlimit()
      #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #else
        let resource = RLIMIT_NOFILE
      #endif
      guard getrlimit(resource, &limit) == 0 else { return 128 }
      if limit.rlim_cur < wanted {
        var raised = limit
        raised.rlim_cur = min(wanted, limit.rlim_max)
        if setrlimit(resource, &raised) == 0 { limit = raised }
      }
      return max(1, min(HandlerLimits.connections, (Int(min(limit.rlim_cur, wanted)) - reserve) / 2))
    }
  }
#endif
