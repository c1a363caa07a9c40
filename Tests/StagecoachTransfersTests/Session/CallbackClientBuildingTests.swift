import Dispatch
import Foundation
import HTTPTypes
import Stagecoach
import StagecoachTransfers
import TestSupport
import Testing

/// Errors of building a request (2.5).
@Suite(.timeLimit(.minutes(2))) struct CallbackClientBuildingTests {
  private struct Unable: RequestSerializer {
    struct Failure: Error {}
    func serialize(_ input: Void, into request: inout Request) throws { throw Failure() }
  }

  private static let broken:
    [(String, ExchangeError.Kind, @Sendable (CallbackClient, HandlerLog<JSONValue>) -> Void)] = [
      ("scheme", .invalidRequest, { $0.get("foo:bar", success: $1.success, failure: $1.failure) }),
      ("host", .invalidRequest, { $0.post("http://a b/", success: $1.success, failure: $1.failure) }),
      (
        "content of GET", .requestSerialization,
        { $0.get("a", RequestContent((), Unable()), success: $1.success, failure: $1.failure) }
      ),
      (
        "content of POST", .requestSerialization,
        { $0.post("a", RequestContent((), Unable()), success: $1.success, failure: $1.failure) }
      ),
      (
        "multipart GET", .requestSerialization,
        { $0.get("a", .multipart(.form([])), success: $1.success, failure: $1.failure) }
      ),
      (
        "missing file", .file,
        { $0.upload(.put("a"), .file("/nonexistent/file"), success: $1.success, failure: $1.failure) }
      ),
      (
        "field", .invalidRequest,
        { $0.get("a", fields: [.transferEncoding: "gzip"], success: $1.success, failure: $1.failure) }
      ),
    ]

  @Test(arguments: 0..<7)
  func buildingErrorsArriveLaterOnTheQueue(index: Int) async throws {
    let (name, kind, call) = Self.broken[index]
    let queue = DispatchQueue(label: "test")
    queue.suspend()
    let transport = HandlerTransport.json("{}")
    let api = try CallbackClient.test(transport, queue: queue)
    let log = HandlerLog<JSONValue>()
    call(api, log)
    // The end of the transfer is known, but its handler waits for the queue.
    for transfer in api.transfers { for await _ in transfer.states {} }
    #expect(log.calls.isEmpty)
    queue.resume()
    #expect(await log.kind() == kind, "\(name)")
    await drain(queue)
    #expect(log.ends == 1)
    #expect(api.transfers.isEmpty)
    #expect(transport.requests.isEmpty)
  }

  @Test func aDownloadWithAnInvalidURLFails() async throws {
    let log = HandlerLog<SavedFile>()
    let folder = try ScratchDirectory()
    let transfer = try CallbackClient.test(HandlerTransport.json("{}")).download(
      .get("foo:bar"),
      to: .file(in: folder.path),
      success: log.success,
      failure: log.failure
    )
    #expect(await log.kind() == .invalidRequest)
    #expect(transfer.state == .finished)
  }
}
