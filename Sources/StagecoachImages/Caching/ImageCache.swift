#if Images
  import StagecoachCore
  import Synchronization

  /// A cache of decoded images in memory, bounded by the bytes of their pixels.
  ///
  /// When the capacity is exceeded, the least recently used images are removed until the usage is well below it. Images do
  /// not expire; adding a newer image with the same URL replaces the old one.
  ///
  /// ```swift
  /// let cache = ImageCache(capacity: 50_000_000, usageAfterPurge: 30_000_000)
  /// if cache.image(for: "https://example.com/logo.png", identifier: "round") == nil {
  ///   print(cache.usage)
  /// }
  /// ```
  public final class ImageCache: Sendable {
    private let state: Mutex<ImageStore>

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of bytes of pixels; 100 MiB by default.
    ///   - usageAfterPurge: The number of bytes to purge down to, at most the capacity; 60 MiB by default.
    public init(capacity: Int = 100 << 20, usageAfterPurge: Int = 60 << 20) {
      state = Mutex(ImageStore(capacity: capacity, usageAfterPurge: usageAfterPurge))
    }

    /// The bytes of the pixels of all images.
    public var usage: Int { state.withLock { $0.usage } }

    /// Returns an image, which counts as used now.
    ///
    /// - Parameters:
    ///   - url: The URL of the image. Equivalent http and https URLs are equal (RFC 9110 4.2.3).
    ///   - identifier: The name of a variant of the image, such as a filter.
    public func image(for url: String, identifier: String? = nil) -> Image? {
      let key = ImageStore.Key(url, identifier)
      return state.withLock { $0.image(for: key) }
    }

    /// Adds an image, replacing the one with the same URL and identifier. If the capacity is exceeded, other images are
    /// purged; an image that is larger than the capacity is not kept.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - url: The URL of the image.
    ///   - identifier: The name of a variant of the image, such as a filter.
    public func add(_ image: Image, for url: String, identifier: String? = nil) {
      let key = ImageStore.Key(url, identifier)
      state.withLock { $0.add(image, for: key) }
    }

    /// Removes an image.
    ///
    /// - Parameters:
    ///   - url: The URL of the image.
    ///   - identifier: The name of a variant of the image, such as a filter.
    /// - Returns: Whether there was one.
    @discardableResult
    public func remove(_ url: String, identifier: String? = nil) -> Bool {
      let key = ImageStore.Key(url, identifier)
      return state.withLock { $0.remove(key) }
    }

    /// Removes the least recently used images, down to the usage after a purge. Call it under moderate memory pressure.
    public func purge() {
      state.withLock { $0.purge() }
    }

    /// Removes all images. Call it at a memory warning.
    public func removeAll() {
      state.withLock { $0.removeAll() }
    }
  }
#endif
