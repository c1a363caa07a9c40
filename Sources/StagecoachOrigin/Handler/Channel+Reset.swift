#if Tool
  import NIOCore

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  extension Channel {
    /// Makes closing the connection reset it, so that what is not sent yet is dropped.
    func resetOnClose() -> EventLoopFuture<Void>? {
      (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }
  }
#endif
