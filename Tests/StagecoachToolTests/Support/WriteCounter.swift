#if Tool && os(Linux)
  import Foundation

  /// What a program writes to, which keeps each of its writes apart from the others.
  struct WriteCounter {
    /// The program's end.
    let writer: FileHandle
    /// The writes, until the program has closed its end.
    let writes: AsyncStream<Data>

    init() throws {
      var ends: [Int32] = [-1, -1]
      // A message is what one call wrote.
      let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw POSIXError(.ENXIO) }
      writer = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
      let (writes, continuation) = AsyncStream.makeStream(of: Data.self)
      self.writes = writes
      Thread.detachNewThread { [reader = ends[0]] in
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
          let count = recv(reader, &buffer, buffer.count, 0)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { break }
          continuation.yield(Data(buffer[..<count]))
        }
        close(reader)
        continuation.finish()
      }
    }
  }
#endif
