#if Images
  import HTTPTypes
  import StagecoachCore
  import StagecoachStages
  import TestSupport
  import Testing

  @testable import StagecoachImages

  @Suite(.timeLimit(.minutes(1))) struct DownloadCachingTests {
    /// How many requests are sent for two downloads in a row.
    private func sent(
      fields: HTTPFields = [:],
      first: HTTPFields? = nil,
      _ change: @Sendable (inout Request) -> Void = { _ in }
    ) async throws -> Int {
      let bench = try DownloadBench(fields: fields)
      bench.gate.open()
      var request = Request.get("a")
      change(&request)
      let second = request
      if let first { request.fields = first }
      let images = try await [
        bench.downloader.image(for: request), bench.downloader.image(for: second),
      ]
      #expect(images[0] == images[1])
      return bench.transport.requests.count
    }

    @Test func imagesAreCached() async throws {
      #expect(try await sent() == 1)
      #expect(try await sent { $0.fields[.userAgent] = "me" } == 1)
      #expect(try await sent { $0.fields[.cacheControl] = "max-age=60, only-if-cached" } == 1)
    }

    @Test(arguments: ["no-cache", "max-age=0", "No-Store", "max-age=5 , no-cache"])
    func cacheControlForcesAReload(directive: String) async throws {
      #expect(try await sent { $0.fields[.cacheControl] = directive } == 2)
      #expect(try await sent(first: [:]) { $0.fields[.cacheControl] = directive } == 2)
    }

    @Test func aReloadedImageReplacesTheCachedOne() async throws {
      let number = Counter()
      let transport = HandlerTransport { _ in
        .streamed([Bytes(PNGFile.random(.rgb, width: number.add(), height: 1).bytes)], type: "image/png")
      }
      let downloader = ImageDownloader(try Client(Pipeline(over: transport) {}))
      var request = Request.get("http://h/a")
      #expect(try await downloader.image(for: request).width == 1)
      request.fields[.cacheControl] = "no-cache"
      #expect(try await downloader.image(for: request).width == 2)
      request.fields[.cacheControl] = nil
      #expect(try await downloader.image(for: request).width == 2)
      request.fields[.cacheControl] = "no-store"
      #expect(try await downloader.image(for: request).width == 3)
      #expect(downloader.cache?.image(for: "http://h/a")?.width == 2)
    }

    @Test func whatTheServerForbidsIsNotStored() async throws {
      #expect(try await sent(fields: [.cacheControl: "private, no-store"]) == 2)
      #expect(try await sent(fields: [.cacheControl: "private, no-cache"]) == 1)
    }

    @Test func imagesFetchedWithCredentialsAreNotCached() async throws {
      #expect(try await sent { $0.fields[.authorization] = "Bearer a" } == 2)
      #expect(try await sent { $0.fields[.cookie] = "a=1" } == 2)
      #expect(try await sent { $0.options.credential = Credential(user: "a", password: "b") } == 2)
      #expect(try await sent { $0 = .get("http://user:secret@h/a") } == 2)
      let name = try #require(HTTPField.Name("X-Team"))
      #expect(try await sent { $0.fields[name] = "a" } == 1)
      #expect(
        try await sent {
          $0.fields[name] = "a"
          $0.options.sensitiveFields = [name]
        } == 2
      )
    }

    @Test func whatWasCachedMeanwhileIsNotSent() async throws {
      let bench = try DownloadBench(maxActive: 1)
      let (first, second) = (await bench.start("a"), await bench.start("b"))
      await bench.sent(1)
      let image = try await decode(DownloadBench.file.bytes)
      bench.downloader.cache?.add(image, for: "http://h/b")
      bench.gate.open()
      _ = try await (first.value, second.value)
      #expect(bench.log.all == ["/a"])
    }

    @Test func withoutACacheEachCallDownloads() async throws {
      let bench = try DownloadBench(cache: nil)
      bench.gate.open()
      for _ in 0..<2 { _ = try await bench.downloader.image(for: .get("a")) }
      #expect(bench.transport.requests.count == 2)
      #expect(bench.downloader.cache == nil)
    }

    @Test func errorsAreNotCached() async throws {
      let bench = try DownloadBench(body: Array(DownloadBench.file.bytes.prefix(50)))
      bench.gate.open()
      for _ in 0..<2 {
        await #expect {
          try await bench.downloader.image(for: .get("a"))
        } throws: {
          (($0 as? ExchangeError)?.underlying as? ImageError)?.reason == .truncated
        }
      }
      #expect(bench.transport.requests.count == 2)
    }

    @Test func aDownloaderGoesAwayAfterItsDownloads() async throws {
      weak var gone: ImageDownloader?
      do {
        let bench = try DownloadBench()
        gone = bench.downloader
        let task = await bench.start("a")
        await bench.sent(1)
        task.cancel()
        _ = try? await task.value
        await bench.happened("cancelled /a")
      }
      while gone != nil { await Task.yield() }
    }
  }
#endif
