public import StagecoachCore

/// A serializer that reads the parts of a multipart body as they arrive, in constant memory (RFC 2046 5.1).
public struct MultipartResponseSerializer: ResponseSerializer {
  /// The accepted content; `multipart/*` by default.
  public var accepts: Acceptance
  /// The limits.
  public var limits: MultipartLimits

  /// Creates a serializer.
  public init(accepting accepts: Acceptance = .multipart, limits: MultipartLimits = MultipartLimits()) {
    self.accepts = accepts
    self.limits = limits
  }

  /// Returns the parts, which have not been read yet.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` if there is no content or Content-Type has no boundary, of
  ///   kind `limit(.structure)` if the boundary is too long.
  public func serialize(_ response: Response) async throws -> MultipartParts {
    guard !response.hasNoContent else { throw ExchangeError.emptyBody(of: response, wanted: "multipart") }
    do throws(MultipartError) {
      return MultipartParts(reader: try MultipartReader(response, limits: limits))
    } catch {
      throw ExchangeError.multipart(error)
    }
  }
}

/// A serializer that reads the parts of a multipart body into memory, up to the request's body limit.
public struct CollectedMultipartResponseSerializer: ResponseSerializer {
  /// The accepted content; `multipart/*` by default.
  public var accepts: Acceptance
  /// The limits.
  public var limits: MultipartLimits

  /// Creates a serializer.
  public init(accepting accepts: Acceptance = .multipart, limits: MultipartLimits = MultipartLimits()) {
    self.accepts = accepts
    self.limits = limits
  }

  /// Collects the body, up to the request's body limit, and parses it.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` if it is not multipart, of kind `limit(.structure)` if a
  ///   limit is exceeded, with ``MultipartError`` as the underlying error.
  public func serialize(_ response: Response) async throws -> [MultipartPart<Bytes>] {
    guard !response.hasNoContent else { throw ExchangeError.emptyBody(of: response, wanted: "multipart") }
    let bytes = try await response.collectBody()
    do throws(MultipartError) {
      return try MultipartPart.all(in: bytes, of: response.mediaType, limits: limits)
    } catch {
      var failure = ExchangeError.multipart(error)
      failure.bodyPrefix = bytes
      throw failure
    }
  }
}

extension Acceptance {
  /// Any multipart type.
  public static let multipart = Acceptance(mediaTypes: [MediaRange("multipart/*")].compactMap(\.self))
}

extension ResponseSerializer where Self == MultipartResponseSerializer {
  /// A serializer for the parts as they arrive.
  public static var multipart: MultipartResponseSerializer { MultipartResponseSerializer() }
}

extension ResponseSerializer where Self == CollectedMultipartResponseSerializer {
  /// A serializer for the parts in memory.
  public static var collectedMultipart: CollectedMultipartResponseSerializer {
    CollectedMultipartResponseSerializer()
  }
}
