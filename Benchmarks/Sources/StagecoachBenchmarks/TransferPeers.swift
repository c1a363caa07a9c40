import CCURLPeer
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// libcurl's easy interface, from C.
struct CURLPeer: TransferSide {
  let url: String

  func download(_ path: String) async throws -> Int {
    let count = curl_peer_transfer("\(url)/\(path)", 0)
    guard count >= 0 else { throw URLError(.badServerResponse) }
    return Int(count)
  }

  func upload(_ path: String, chunks: Int, of size: Int) async throws {
    guard curl_peer_transfer("\(url)/\(path)", Int64(chunks * size)) >= 0 else {
      throw URLError(.badServerResponse)
    }
  }

  func shutdown() async throws {}
}

/// URLSession with a delegate that counts what comes, and uploads of a sparse file.
struct URLSessionPeer: TransferSide {
  private let url: String
  private let counter = Counter()
  private let session: URLSession

  init(url: String) {
    self.url = url
    session = URLSession(configuration: .ephemeral, delegate: counter, delegateQueue: nil)
  }

  func download(_ path: String) async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
      counter.begin(continuation)
      session.dataTask(with: target(path)).resume()
    }
  }

  func upload(_ path: String, chunks: Int, of size: Int) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "stagecoach-\(UUID())")
    guard FileManager.default.createFile(atPath: file.path, contents: nil),
      truncate(file.path, off_t(chunks * size)) == 0
    else { throw CocoaError(.fileWriteUnknown) }
    defer { try? FileManager.default.removeItem(at: file) }
    var request = URLRequest(url: target(path))
    request.httpMethod = "POST"
    _ = try await session.upload(for: request, fromFile: file)
  }

  func shutdown() async throws {
    session.invalidateAndCancel()
  }

  private func target(_ path: String) -> URL {
    guard let target = URL(string: "\(url)/\(path)") else { preconditionFailure("the origin's URL: \(url)") }
    return target
  }

  /// Counts the bytes of one response after the other. While a task runs only the session's queue uses its state, which
  /// is serial; the next one begins after the continuation of the last was resumed.
  private final class Counter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private var continuation: CheckedContinuation<Int, any Error>?
    private var count = 0

    func begin(_ continuation: CheckedContinuation<Int, any Error>) {
      (self.continuation, count) = (continuation, 0)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      count += data.count
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let continuation = continuation
      self.continuation = nil
      if let error { continuation?.resume(throwing: error) } else { continuation?.resume(returning: count) }
    }
  }
}
