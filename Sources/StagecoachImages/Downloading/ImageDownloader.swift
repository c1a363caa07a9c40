#if Images
  import HTTPTypes
  public import StagecoachCore
  import StagecoachStages

  /// Downloads images over a client: limits the number of downloads in progress, merges requests for the same image, and
  /// caches decoded images.
  ///
  /// ```swift
  /// let images = ImageDownloader(client)
  /// let portrait = Task { try await images.image(for: .get("portraits/7")) }
  /// portrait.cancel()
  /// let logo = try await images.image(for: .get("logo.png"))
  /// print(logo.width)
  /// ```
  ///
  /// - Requests for the same URL with equal fields and options share one download and one decoded image. Waiting calls
  ///   are resumed in their order. Limits and monitors are those of the first request.
  /// - Cancelling the task of a caller ends only its own wait. The download is cancelled with its last caller; one
  ///   that still waits for a slot is never sent. A later request for the same image starts a new download.
  /// - A cached image is returned without a request, unless the Cache-Control field of the request has `no-cache`,
  ///   `no-store` or `max-age=0`. `no-store` in the request or the response keeps the image out of the cache (RFC 9111
  ///   5.2). Expiry and `Vary` are ignored: an HTTP cache belongs in the pipeline of the client.
  /// - A request with its own credentials (fields such as Authorization and Cookie, user information in the URL, or the
  ///   option) bypasses the cache. Credentials in the defaults of the client do not count.
  public final class ImageDownloader: Sendable {
    /// The order in which waiting downloads start.
    public enum Order: Sendable, Hashable {
      /// In the order of the calls.
      case firstInFirstOut
      /// The latest call first: what a user has scrolled to comes before what is out of sight.
      case lastInFirstOut
    }

    /// The cache of decoded images.
    public let cache: ImageCache?

    private let client: Client
    private let serializer: ImageResponseSerializer
    private let slots: DownloadSlots
    /// Internal, so that tests can wait until a caller waits.
    let loads = SharedLoads<DownloadKey, Image>()

    /// Creates a downloader.
    ///
    /// - Parameters:
    ///   - client: The client, whose base URL, defaults and stages apply.
    ///   - cache: The cache of decoded images; `nil` for none. Downloaders that share a cache should have equal
    ///     serializers.
    ///   - serializer: The serializer that decodes the images.
    ///   - order: The order in which waiting downloads start.
    ///   - maxActive: The maximum number of downloads at a time, including their decoding; 4 by default, at least 1.
    public init(
      _ client: Client,
      cache: ImageCache? = ImageCache(),
      serializer: ImageResponseSerializer = .image,
      order: Order = .firstInFirstOut,
      maxActive: Int = 4
    ) {
      self.client = client
      self.cache = cache
      self.serializer = serializer
      slots = DownloadSlots(limit: maxActive, order: order)
    }

    /// Returns an image from the cache or from its server.
    ///
    /// - Parameter request: A request with method GET and no content.
    /// - Throws: `ExchangeError`, of kind `invalidRequest` if the URL is invalid or the request is not a GET without
    ///   content; `CancellationError` if the task is cancelled.
    @concurrent
    public func image(for request: Request) async throws -> Image {
      guard request.method == .get, request.body.isEmpty else {
        throw ExchangeError(
          .invalidRequest,
          "an image cannot be downloaded with \(request)",
          advice: "use GET without content, or send the request with the client"
        )
      }
      let key = try DownloadKey(request, base: client.base)
      let use = CacheUse(key.request)
      try Task.checkCancellation()
      if use.reads, let image = cache?.image(for: key.url) { return image }
      return try await loads.value(for: key) { [self] in
        let place = slots.enter()
        return { [self] in
          try await slots.run(in: place) { [self] in try await download(key, use) }
        }
      }
    }

    private func download(_ key: DownloadKey, _ use: CacheUse) async throws -> Image {
      // Another download may have ended while this one waited.
      if use.reads, let image = cache?.image(for: key.url) { return image }
      let response = try await client.response(for: key.request, as: serializer)
      if use.writes, !CacheUse.forbidsStoring(response.fields) { cache?.add(response.value, for: key.url) }
      return response.value
    }
  }
#endif
