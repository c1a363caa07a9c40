import Stagecoach
import Synchronization

extension Response.Body {
  /// A body that arrives in chunks of one size.
  static func chunks(of bytes: [UInt8], size: Int) -> Response.Body {
    Response.Body(source: Chunks(bytes, size))
  }
}

private final class Chunks: BodySource {
  private let rest: Mutex<ArraySlice<UInt8>>
  private let size: Int

  init(_ bytes: [UInt8], _ size: Int) {
    rest = Mutex(bytes[...])
    self.size = size
  }

  func next() async throws -> Bytes? {
    rest.withLock { rest in
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(size) }
      return Bytes(Array(rest.prefix(size)))
    }
  }

  func cancel() { rest.withLock { $0 = [] } }
}
