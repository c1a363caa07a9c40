#if Images
  import HTTPTypes
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachImages

  /// The behaviours of AFImageDownloader and its tests, without its defects.
  @Suite(.timeLimit(.minutes(1))) struct ImageDownloaderTests {
    @Test func downloadsAnImage() async throws {
      let bench = try DownloadBench()
      bench.gate.open()
      let image = try await bench.downloader.image(for: .get("a"))
      #expect(image.pixels == DownloadBench.file.pixels)
      #expect(bench.transport.requests.first?.fields[.accept] == "image/png, image/jpeg, image/webp")
    }

    @Test func downloadsSeveralImagesConcurrently() async throws {
      let bench = try DownloadBench()
      var tasks: [Task<Image, any Error>] = []
      for path in ["a", "b", "c"] { tasks.append(await bench.start(path)) }
      await bench.sent(3)
      bench.gate.open()
      for task in tasks { _ = try await task.value }
      #expect(Set(bench.log.all) == ["/a", "/b", "/c"])
    }

    @Test(arguments: ["http://", "http://h h/", "ftp://h/a", "http://h:99999/", "http://[::1/"])
    func refusesInvalidURLs(url: String) async throws {
      let bench = try DownloadBench()
      await #expect {
        try await bench.downloader.image(for: .get(url))
      } throws: {
        ($0 as? ExchangeError)?.kind == .invalidRequest
      }
      #expect(bench.transport.requests.isEmpty)
    }

    @Test func refusesRequestsWithContentOrOtherMethods() async throws {
      let bench = try DownloadBench()
      var content = Request.get("a")
      content.body = .bytes("x")
      var bare = Request.get("")
      bare = Request(head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil))
      for request in [Request.post("a"), .head("a"), content, bare] {
        await #expect {
          try await bench.downloader.image(for: request)
        } throws: {
          ($0 as? ExchangeError)?.kind == .invalidRequest
        }
      }
    }

    // MARK: Merging

    @Test func requestsForTheSameImageAreMerged() async throws {
      let bench = try DownloadBench(cache: nil)
      var tasks: [Task<Image, any Error>] = []
      for _ in 0..<20 { tasks.append(await bench.start("a")) }
      bench.gate.open()
      for task in tasks { #expect(try await task.value.pixels == DownloadBench.file.pixels) }
      #expect(bench.transport.requests.count == 1)
    }

    @Test func errorsGoToAllThatWait() async throws {
      let bench = try DownloadBench(status: .notFound)
      let tasks = [await bench.start("a"), await bench.start("a")]
      bench.gate.open()
      for task in tasks {
        await #expect {
          try await task.value
        } throws: {
          ($0 as? ExchangeError)?.kind == .status
        }
      }
      #expect(bench.transport.requests.count == 1)
      // A failure is not remembered.
      _ = try? await bench.downloader.image(for: .get("a"))
      #expect(bench.transport.requests.count == 2)
    }

    @Test(
      arguments: [
        ("a?x", [:], true), ("http://other/a", [:], true), ("https://h/a", [:], true),
        ("a", ["Accept-Language": "de"], true), ("a", ["Authorization": "Bearer b"], true),
        ("a", ["Cache-Control": "no-cache"], true), ("http://H:80/./a#top", [:], false),
      ] as [(String, [String: String], Bool)]
    )
    func whatIsTheSame(reference: String, fields: [String: String], isApart: Bool) async throws {
      let bench = try DownloadBench(cache: nil)
      let tasks = [
        await bench.start("a"),
        await bench.start(reference) { request in
          for (name, value) in fields {
            if let name = HTTPField.Name(name) { request.fields[name] = value }
          }
        },
      ]
      await bench.sent(isApart ? 2 : 1)
      bench.gate.open()
      for task in tasks { _ = try await task.value }
      #expect(bench.transport.requests.count == (isApart ? 2 : 1))
    }

    @Test func optionsKeepApart() async throws {
      let bench = try DownloadBench()
      let tasks = [
        await bench.start("a"), await bench.start("a") { $0.options.imagePixelLimit = 1 },
        await bench.start("a") { $0.options.bodyLimit = 1000 },
      ]
      bench.gate.open()
      #expect(try await tasks[0].value.width == 4)
      await #expect(throws: ExchangeError.self) { try await tasks[1].value }
      #expect(try await tasks[2].value.width == 4)
    }

    // MARK: Cancelling

    @Test func cancellingTheOnlyCallerCancelsTheDownload() async throws {
      let bench = try DownloadBench()
      let task = await bench.start("a")
      await bench.sent(1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await bench.happened("cancelled /a")
      #expect(bench.downloader.cache?.usage == 0)
    }

    @Test func cancellingOneCallerLeavesTheOthers() async throws {
      let bench = try DownloadBench()
      let (first, second) = (await bench.start("a"), await bench.start("a"))
      await bench.sent(1)
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      bench.gate.open()
      #expect(try await second.value.width == 4)
      #expect(bench.log.all == ["/a"])
    }

    @Test func aCancelledDownloadCanBeStartedAgain() async throws {
      let bench = try DownloadBench()
      for _ in 0..<20 {
        let task = await bench.start("a")
        await bench.sent(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
      let again = await bench.start("a")
      bench.gate.open()
      #expect(try await again.value.width == 4)
    }

    @Test func aCancelledCallerStartsNoDownload() async throws {
      let bench = try DownloadBench()
      let task = Task { [bench] in
        try? await sleepUntilCancelled()
        return try await bench.downloader.image(for: .get("a"))
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(bench.transport.requests.isEmpty)
    }

    @Test func cancellingAWaitingDownloadSendsNothing() async throws {
      let bench = try DownloadBench(maxActive: 1)
      let first = await bench.start("a")
      await bench.sent(1)
      let (second, third) = (await bench.start("b"), await bench.start("c"))
      second.cancel()
      await #expect(throws: CancellationError.self) { try await second.value }
      bench.gate.open()
      _ = try await (first.value, third.value)
      #expect(bench.log.all == ["/a", "/c"])
    }

    @Test func aStormOfCancellationsLeavesNoSlotTaken() async throws {
      let bench = try DownloadBench(maxActive: 2)
      bench.gate.open()
      let tasks = (0..<400).map { number in
        Task { [bench] in try await bench.downloader.image(for: .get("\(number % 7)")) }
      }
      for number in stride(from: 0, to: 400, by: 3) { tasks[number].cancel() }
      for (number, task) in tasks.enumerated() {
        do {
          #expect(try await task.value.width == 4)
        } catch let error as CancellationError {
          #expect(number % 3 == 0, "\(error)")
        }
      }
      // All slots are free again.
      for path in ["x", "y", "z"] { #expect(try await bench.downloader.image(for: .get(path)).width == 4) }
      #expect(bench.downloader.loads.waiting == 0)
    }

    // MARK: The queue

    @Test(
      arguments: [
        (ImageDownloader.Order.firstInFirstOut, ["/0", "/1", "/2", "/3", "/4"]),
        (.lastInFirstOut, ["/0", "/4", "/3", "/2", "/1"]),
      ]
    )
    func startsWaitingDownloadsInTheChosenOrder(order: ImageDownloader.Order, expected: [String]) async throws
    {
      let bench = try DownloadBench(order: order, maxActive: 1)
      var tasks: [Task<Image, any Error>] = []
      for number in 0..<5 { tasks.append(await bench.start("\(number)")) }
      await bench.sent(1)
      bench.gate.open()
      for task in tasks { _ = try await task.value }
      #expect(bench.log.all == expected)
    }

    @Test(arguments: [(4, 4), (1, 1), (0, 1), (-1, 1)]) func runsAtMostTheAllowedNumberOfDownloads(
      limit: Int,
      expected: Int
    )
      async throws
    {
      let (active, most) = (Counter(), Log<Int>())
      let transport = HandlerTransport { _ in
        most.add(active.add())
        for _ in 0..<3 { await Task.yield() }
        active.add(-1)
        return .streamed([Bytes(DownloadBench.file.bytes)], type: "image/png")
      }
      let downloader = ImageDownloader(
        try Client(Pipeline(over: transport) {}, base: "http://h/"),
        cache: nil,
        maxActive: limit
      )
      try await withThrowingTaskGroup { group in
        for number in 0..<30 { group.addTask { _ = try await downloader.image(for: .get("\(number)")) } }
        try await group.waitForAll()
      }
      #expect(transport.requests.count == 30)
      #expect(most.all.max() ?? 0 <= expected)
    }
  }
#endif
