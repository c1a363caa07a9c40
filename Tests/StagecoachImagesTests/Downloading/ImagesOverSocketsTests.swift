#if Images && Tool && AsyncHTTPClient
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachCore
  import StagecoachOrigin
  import StagecoachStages
  import Testing

  @testable import StagecoachImages

  @Suite(.timeLimit(.minutes(1))) struct ImagesOverSocketsTests {
    private func withDownloader(_ body: (ImageDownloader, Origin) async throws -> Void) async throws {
      let origin = try await Origin.start()
      let transport = AsyncHTTPClientTransport()
      let client = try Client(Pipeline.standard(over: transport), base: origin.url)
      let result: Result<Void, any Error>
      do { result = .success(try await body(ImageDownloader(client), origin)) } catch {
        result = .failure(error)
      }
      await transport.shutdown()
      try await origin.stop()
      try result.get()
    }

    @Test func downloadsAnImageBehindARedirect() async throws {
      try await withDownloader { downloader, origin in
        let image = try await downloader.image(for: .get("/redirect/302?to=/png"))
        #expect((image.width, image.height) == (1, 1))
        #expect(image.pixels.prefix(3) == [255, 0, 0])
        #expect(downloader.cache?.usage == 4)
      }
    }

    @Test func refusesAPageAndAnErrorStatus() async throws {
      try await withDownloader { downloader, _ in
        for (path, kind) in [("/html", .mediaType), ("/status/404", .status)]
          as [(String, ExchangeError.Kind)]
        {
          await #expect {
            try await downloader.image(for: .get(path))
          } throws: {
            ($0 as? ExchangeError)?.kind == kind
          }
        }
      }
    }

    @Test func aCancelledDownloadEndsOnTheWire() async throws {
      try await withDownloader { downloader, origin in
        let task = Task { try await downloader.image(for: .get("/hang")) }
        _ = try await origin.nextRequest(path: "/hang")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await downloader.image(for: .get("/png")).width == 1)
      }
    }
  }
#endif
