#if Images
  import HTTPTypes
  public import StagecoachCore

  /// A serializer that decodes a PNG, JPEG or WebP image.
  ///
  /// The first bytes determine the format: a Content-Type of another accepted format is not an error. See
  /// ``Image/init(decoding:pixelLimit:scale:appliesOrientation:)`` for what is decoded.
  ///
  /// ```swift
  /// let photo = try await client.value(for: .get("photo"), as: ImageResponseSerializer(scale: 2))
  /// print(photo.pointSize)
  /// ```
  public struct ImageResponseSerializer: ResponseSerializer {
    /// The accepted content: `image/png`, `image/jpeg`, `image/webp`.
    public var accepts: Acceptance

    /// The number of pixels per point of the images.
    public var scale: Double

    /// Whether the orientation of the EXIF data is applied to the pixels.
    public var appliesOrientation: Bool

    /// Creates a serializer.
    ///
    /// - Parameters:
    ///   - accepts: The accepted content.
    ///   - scale: The number of pixels per point.
    ///   - appliesOrientation: Whether to turn and mirror the pixels as the EXIF data says; if not, the image reports the
    ///     orientation.
    public init(accepting accepts: Acceptance = .image, scale: Double = 1, appliesOrientation: Bool = true) {
      self.accepts = accepts
      self.scale = scale
      self.appliesOrientation = appliesOrientation
    }

    /// Collects the body, up to the request's body limit, and decodes it.
    ///
    /// - Throws: `ExchangeError` of kind `serialization` with an ``ImageError``, also if the body is empty; of kind
    ///   `limit(.structure)` if the image has more pixels than `RequestOptions.imagePixelLimit`.
    public func serialize(_ response: Response) async throws -> Image {
      let bytes = try await response.collectBody()
      guard !bytes.isEmpty else {
        throw ExchangeError(
          .serialization,
          "the body is empty (expected an image)",
          advice: response.hasNoContent
            ? "a \(response.status.code) or an answer to HEAD has no content" : "check what the server sends"
        )
      }
      let limit = response.request?.options.imagePixelLimit ?? Image.defaultPixelLimit
      do {
        return try await Image(
          decoding: bytes,
          pixelLimit: limit,
          scale: scale,
          appliesOrientation: appliesOrientation
        )
      } catch let error as ImageError {
        var failure = error.failure(limit: limit)
        failure.bodyPrefix = bytes
        throw failure
      }
    }
  }

  extension ImageError {
    fileprivate func failure(limit: Int) -> ExchangeError {
      let advice =
        switch reason {
        case .unknownFormat: "compare the start of the body with what the server is expected to send"
        case .truncated: "send the request again: the server sent only a part of the image"
        case .malformed: "check the image at its origin: it is damaged"
        case .unsupported: "convert the image at its origin, or read the body as data"
        case .memory: "decode fewer images at a time, or set a lower options.imagePixelLimit"
        case .pixelLimit: "raise options.imagePixelLimit if images of this size are expected"
        }
      guard reason == .pixelLimit else {
        return ExchangeError(.serialization, description, advice: advice, underlying: self)
      }
      return .limit(
        .structure,
        description,
        advice: advice,
        limit: (RequestOptions.imagePixelLimit.name, "\(limit) pixels"),
        underlying: self
      )
    }
  }

  extension RequestOptions {
    static let imagePixelLimit = RequestOption<Int>("imagePixelLimit", default: Image.defaultPixelLimit)

    /// The maximum number of pixels of an image that is decoded; 64 million by default.
    public var imagePixelLimit: Int {
      get { self[Self.imagePixelLimit] }
      set { self[Self.imagePixelLimit] = newValue }
    }
  }

  extension Acceptance {
    /// The formats that can be decoded: PNG, JPEG and WebP.
    public static let image = Acceptance(
      mediaTypes: [MediaRange(.png), MediaRange(.jpeg), MediaRange(.webP)],
      signatures: [
        ContentSignature(octets: Image.Format.pngSignature),
        ContentSignature(octets: Image.Format.jpegSignature),
        ContentSignature(octets: Image.Format.riffSignature),
      ]
    )
  }

  extension ResponseSerializer where Self == ImageResponseSerializer {
    /// A serializer that decodes a PNG, JPEG or WebP image.
    public static var image: ImageResponseSerializer { ImageResponseSerializer() }
  }
#endif
