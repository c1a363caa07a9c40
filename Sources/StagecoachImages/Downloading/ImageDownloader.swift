#if Images
  import HTTPTypes
  public import StagecoachCore
  import StagecoachStages

  /// Downloads images over a client: a few at a time, each once for all that want it, and through a cache of decoded
  /// images.
  ///
  /// ```swift
  /// let images = ImageDownloader(client)
  /// let portrait = Task { try await images.image(for: .get("portraits/7")) }
  /// portrait.cancel()
  /// let logo = try await images.image(for: .get("logo.png"))
  /// print(logo.width)
  /// ```
  ///
  /// - Requests for the same URL with equal fields and options share one download and one decoded image, and get it in
  ///   the order of their calls. Limits and monitors are those of the first request.
  /// - Cancelling the task of a caller ends only its own wait. The download is cancelled when its last caller is, and
  ///   a download that has not started is never sent. A later request for the same image starts anew.
  /// - A URL that is in the cache is not downloaded, unless the request has a `Cache-Control` field with `no-cache` or
  ///   `no-store`, or with `max-age=0`. With `no-store`, in the request or in the response, the image is not stored. The
  ///   cache knows no expiry date and no `Vary`; an HTTP cache belongs into the pipeline of the client.
  /// - Requests with credentials of their own (fields such as Authorization and Cookie, user information, or an option)
  ///   do not use the cache. Those of the defaults of the client are the same for all.
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
