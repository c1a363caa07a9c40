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

// A separate name, because a member of the same name hides the function of the C library.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
