#if Tool
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin
  import StagecoachTransfers
  import TestSupport
  import Testing

  /// The callback client over sockets.
  @Suite(.timeLimit(.minutes(2))) struct CallbackClientOriginTests {
    private static func api(_ url: String) throws -> CallbackClient {
      try CallbackClient { try Client(base: url, pipeline: { .standard(over: $0, retry: nil) }) }
    }

    @Test func sendsEveryVerb() async throws {
      let origin = try await Origin.start()
      let api = try Self.api(origin.url)
      let (get, post, form) = (HandlerLog<JSONValue>(), HandlerLog<JSONValue>(), HandlerLog<JSONValue>())
      let parameters = RequestContent.parameters(["k": ["a", "b"]])
      api.get("echo", parameters, fields: [.referer: "r"], success: get.success, failure: get.failure)
      api.post("echo", parameters, success: post.success, failure: post.failure)
      api.post(
        "upload",
        .multipart(.form([.data(Bytes([UInt8](repeating: 1, count: 1 << 20)), name: "f", fileName: "f")])),
        success: form.success,
        failure: form.failure,
        progress: form.progress
      )
      #expect(try await get.value()["target"]?.stringValue == "/echo?k%5B%5D=a&k%5B%5D=b")
      #expect(try await post.value()["body"]?.stringValue == "k%5B%5D=a&k%5B%5D=b")
      let length = try #require(try await form.value()["length"]?.intValue)
      #expect(length > 1 << 20)
      #expect(form.progress.last?.sent.bytes == Int64(length))
      #expect(form.progress.last?.sent.fraction == 1)
      try await origin.stop()
    }

    @Test func downloadsAFile() async throws {
      let (origin, folder) = (try await Origin.start(), try ScratchDirectory())
      let log = HandlerLog<SavedFile>()
      try Self.api(origin.url).download(
        .get("bytes/3000000"),
        to: .file("\(folder.path)/file"),
        success: log.success,
        failure: log.failure,
        progress: log.progress
      )
      #expect(try await log.value() == SavedFile(path: "\(folder.path)/file", size: 3_000_000))
      #expect(log.progress.last?.received.fraction == 1)
      try await origin.stop()
    }

    @Test func errorsHaveTheCodesOfFoundation() async throws {
      let origin = try await Origin.start()
      let api = try Self.api(origin.url)
      let slow = Request.get("hang").with(\.headTimeout, .milliseconds(50))
      let refused = Request.get("http://127.0.0.1:\(try freePort())/")
      let cases: [(Request, String, Int)] = [
        (.get("status/404"), BridgedError.responseDomain, -1011),
        (.get("mismatch/type"), BridgedError.responseDomain, -1016),
        (.get("html"), BridgedError.responseDomain, -1016),
        (slow, NSURLErrorDomain, -1001), (.get("close"), NSURLErrorDomain, -1005),
        (refused, NSURLErrorDomain, -1004), (.get("redirect-loop"), NSURLErrorDomain, -1007),
      ]
      for (request, domain, code) in cases {
        let log = HandlerLog<JSONValue>()
        api.send(request, success: log.success, failure: log.failure)
        let error = NSError(bridging: try #require(await log.error()))
        #expect((error.domain, error.code) == (domain, code), "\(request): \(error)")
        #expect(error.userInfo[NSURLErrorFailingURLErrorKey] is URL)
      }
      try await origin.stop()
    }
  }
#endif
