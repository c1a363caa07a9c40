#if Images
  import HTTPTypes
  import StagecoachCore
  import TestSupport
  import Testing

  @testable import StagecoachImages

  /// A downloader whose responses a test lets go.
  struct DownloadBench: Sendable {
    let transport: HandlerTransport
    let downloader: ImageDownloader
    /// The paths that have been sent, and what became of them.
    let log: Log<String>
    /// Lets all responses go.
    let gate: Gate

    static let file = PNGFile.random(.rgb, width: 4, height: 3)

    /// - Parameter fields: The fields of the responses.
    init(
      order: ImageDownloader.Order = .firstInFirstOut,
      maxActive: Int = 4,
      cache: ImageCache? = ImageCache(),
      fields: HTTPFields = [:],
      status: HTTPResponse.Status = .ok,
      body: [UInt8] = DownloadBench.file.bytes
    ) throws {
      let log = Log<String>()
      let gate = Gate()
      transport = HandlerTransport { request in
        let path = request.head.path ?? ""
        log.add(path)
        do {
          try await gate.wait()
        } catch {
          log.add("cancelled \(path)")
          throw error
        }
        var response = Response.streamed([Bytes(body)], type: "image/png")
        response.status = status
        response.fields.append(contentsOf: fields)
        return response
      }
      self.log = log
      self.gate = gate
      downloader = ImageDownloader(
        try Client(Pipeline(over: transport) { Status() }, base: "http://h/"),
        cache: cache,
        order: order,
        maxActive: maxActive
      )
    }

    /// Starts a download, and returns when its caller waits.
    func start(_ reference: String, _ change: @Sendable (inout Request) -> Void = { _ in }) async -> Task<
      Image, any Error
    > {
      var request = Request.get(reference)
      change(&request)
      let before = downloader.loads.waiting
      let task = Task { [downloader, request] in try await downloader.image(for: request) }
      while downloader.loads.waiting == before { await Task.yield() }
      return task
    }

    /// Waits until the transport has got requests.
    func sent(_ count: Int) async {
      while transport.requests.count < count { await Task.yield() }
    }

    /// Waits until something has happened.
    func happened(_ entry: String) async {
      while !log.all.contains(entry) { await Task.yield() }
    }
  }

  /// A stage that refuses statuses other than 200.
  private struct Status: Middleware {
    func handle(_ request: Request, next: Next) async throws -> Response {
      let response = try await next(request)
      guard response.status == .ok else { throw ExchangeError(.status, "status \(response.status.code)") }
      return response
    }
  }
#endif
