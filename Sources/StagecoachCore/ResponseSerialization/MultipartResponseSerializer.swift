/// Reads the parts of a multipart body (RFC 2046 5.1) as they arrive, in constant memory.
public struct MultipartResponseSerializer: ResponseSerializer {
  /// What it can read: `multipart/*` by default.
  public var accepts: Acceptance
  /// What it accepts at most.
  public var limits: MultipartLimits

  static let stage = "MultipartResponseSerializer"

  /// A serializer.
  public init(accepting accepts: Acceptance = .multipart, limits: MultipartLimits = MultipartLimits()) {
    self.accepts = accepts
    self.limits = limits
  }

  /// The parts, none of which has been read yet.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` if there is no content or Content-Type declares no
  ///   boundary, of kind `limit(.structure)` if that is too long.
  public func serialize(_ response: Response) async throws -> MultipartParts {
    guard !response.hasNoContent else { throw ExchangeError.emptyBody(of: response, wanted: "multipart") }
    do throws(MultipartSyntaxError) {
      return MultipartParts(reader: try MultipartReader(response, limits: limits))
    } catch {
      throw ExchangeError.multipart(error)
    }
  }
}

/// Reads a multipart body into memory, part by part, within the request's body limit.
public struct CollectedMultipartResponseSerializer: ResponseSerializer {
  /// What it can read: `multipart/*` by default.
  public var accepts: Acceptance
  /// What it accepts at most.
  public var limits: MultipartLimits

  /// A serializer.
  public init(accepting accepts: Acceptance = .multipart, limits: MultipartLimits = MultipartLimits()) {
    self.accepts = accepts
    self.limits = limits
  }

  /// Collects the body within the request's body limit and reads it.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` if it is no multipart, of kind `limit(.structure)` if
  ///   a limit is reached, with ``MultipartSyntaxError`` underneath.
  public func serialize(_ response: Response) async throws -> [MultipartPart<Bytes>] {
    guard !response.hasNoContent else { throw ExchangeError.emptyBody(of: response, wanted: "multipart") }
    let bytes = try await response.collectBody()
    do throws(MultipartSyntaxError) {
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
  /// The parts as they arrive.
  public static var multipart: MultipartResponseSerializer { MultipartResponseSerializer() }
}

extension ResponseSerializer where Self == CollectedMultipartResponseSerializer {
  /// The parts in memory.
  public static var collectedMultipart: CollectedMultipartResponseSerializer {
    CollectedMultipartResponseSerializer()
  }
}
