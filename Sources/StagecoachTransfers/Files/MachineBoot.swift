import StagecoachCore

#if canImport(Darwin)
  import Darwin
#endif

/// The identity of the time since the machine was started.
enum MachineBoot {
  /// A text that differs after each start; empty if the system has none.
  static let identifier: String = {
    #if canImport(Darwin)
      var time = timeval()
      var size = MemoryLayout<timeval>.size
      guard sysctlbyname("kern.boottime", &time, &size, nil, 0) == 0 else { return "" }
      return "\(time.tv_sec).\(time.tv_usec)"
    #else
      let bytes = (try? Descriptor.read("/proc/sys/kernel/random/boot_id", limit: 256)) ?? []
      return String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
    #endif
  }()
}
