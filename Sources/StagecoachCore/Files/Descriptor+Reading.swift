#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Descriptor {
  /// Reads a whole file.
  ///
  /// - Parameter limit: The maximum number of bytes.
  /// - Throws: ``ExchangeError`` of kind `file`, also if the file is larger than the limit.
  package static func read(_ path: String, limit: Int) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ExchangeError.file("cannot open", path, errno) }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ExchangeError.file("cannot read", path, errno) }
      guard count > 0 else { return content }
      guard content.count + count <= limit else {
        throw ExchangeError(.file, "\(path) has more than \(limit) bytes")
      }
      content += buffer[..<count]
    }
  }
}

extension Descriptor {
  /// Reads what a pipe, a terminal or another descriptor has next.
  ///
  /// - Parameters:
  ///   - count: The maximum number of bytes.
  ///   - isCancelled: Called every tenth of a second while there are no bytes.
  /// - Returns: The bytes; none at the end.
  /// - Throws: ``ExchangeError`` of kind `file`; `CancellationError` if cancelled.
  package static func read(
    upTo count: Int,
    from descriptor: Int32,
    _ name: String,
    isCancelled: () -> Bool
  ) throws -> [UInt8] {
    while true {
      guard !isCancelled() else { throw CancellationError() }
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = systemPoll(&poll, 1, 100)
      if ready == 0 || ready < 0 && errno == EINTR { continue }
      guard ready > 0 else { throw ExchangeError.file("cannot read", name, errno) }
      var code: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
        let result = systemRead(descriptor, buffer.baseAddress, count)
        code = result < 0 ? errno : 0
        size = max(0, result)
      }
      switch code {
      case 0: return bytes
      // Another program that shares the terminal or pipe may have made it non-blocking.
      case EINTR, EAGAIN: continue
      default: throw ExchangeError.file("cannot read", name, code)
      }
    }
  }
}

// Separate names, because members of the same names hide the functions of the C library.
private func systemPoll(_ polls: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ time: Int32) -> Int32 {
  poll(polls, count, time)
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
