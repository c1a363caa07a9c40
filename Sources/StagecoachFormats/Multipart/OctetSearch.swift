#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Searches octets at the speed of the C library.
package enum OctetSearch {
  /// Returns the offset of the first occurrence of a sequence of octets; `nil` if there is none.
  package static func firstOffset(of run: [UInt8], in octets: UnsafeRawBufferPointer) -> Int? {
    guard let first = run.first else { return 0 }
    var start = 0
    while octets.count - start >= run.count {
      let candidates = UnsafeRawBufferPointer(rebasing: octets[start...(octets.count - run.count)])
      guard let offset = firstOffset(of: first, in: candidates) else { return nil }
      let found = UnsafeRawBufferPointer(rebasing: octets[(start + offset)...])
      if let base = found.baseAddress, memcmp(base, run, run.count) == 0 { return start + offset }
      start += offset + 1
    }
    return nil
  }

  /// Returns the offset of the first occurrence of an octet; `nil` if there is none.
  package static func firstOffset(of octet: UInt8, in octets: UnsafeRawBufferPointer) -> Int? {
    guard let start = octets.baseAddress, let found = memchr(start, CInt(octet), octets.count) else {
      return nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start)
  }
}
