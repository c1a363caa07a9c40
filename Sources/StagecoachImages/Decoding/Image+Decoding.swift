#if Images
  import Dispatch
  public import StagecoachCore

  extension Image {
    /// The default limit for the number of pixels of an image: 64 million, which take 256 MB.
    public static let defaultPixelLimit = 64_000_000

    /// Decodes a PNG, JPEG or WebP image outside of Swift's thread pool.
    ///
    /// All pixels become RGBA with 8 bits per channel. Of an animation, the first frame is decoded, on a transparent
    /// canvas. A damaged or truncated image is an error, even if a part of it could be shown.
    ///
    /// A pixel takes 4 bytes. During decoding, a progressive JPEG image takes up to 12 bytes per pixel; applying an
    /// orientation takes 8. Cancelling the task stops the decoder at the next rows, except for WebP.
    ///
    /// - Parameters:
    ///   - bytes: The encoded image. Its first bytes tell the format.
    ///   - pixelLimit: The maximum number of pixels. It is checked before memory for them is allocated.
    ///   - scale: The number of pixels per point.
    ///   - appliesOrientation: Whether to turn and mirror the pixels as the EXIF data says. If not, ``orientation`` is
    ///     that of the EXIF data.
    /// - Throws: ``ImageError``; `CancellationError` if the task is cancelled.
    public init(
      decoding bytes: Bytes,
      pixelLimit: Int = defaultPixelLimit,
      scale: Double = 1,
      appliesOrientation: Bool = true
    ) async throws {
      let flag = CancellationFlag()
      let decoder = ImageDecoder(
        pixelLimit: pixelLimit,
        scale: scale,
        appliesOrientation: appliesOrientation,
        cancellation: flag
      )
      self = try await withTaskCancellationHandler {
        try await Self.queue.run { try decoder.decode(bytes) }
      } onCancel: {
        flag.set()
      }
    }

    /// The system runs about as many of its calls in parallel as there are processors.
    private static let queue = BlockingQueue(label: "stagecoach.images", attributes: .concurrent)
  }
#endif
