#if Tool
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif
  import StagecoachCore
  import Synchronization

  /// The value of the Date field, updated once a second (RFC 9110 6.6.1).
  final class DateField: Sendable {
    private let cache = Mutex((second: Int.min, text: ""))

    var now: String {
      let second = Int(time(nil))
      return cache.withLock { cache in
        if cache.second != second {
          cache = (second, HTTPDate(secondsSince1970: Int64(second))?.description ?? "")
        }
        return cache.text
      }
    }
  }
#endif
