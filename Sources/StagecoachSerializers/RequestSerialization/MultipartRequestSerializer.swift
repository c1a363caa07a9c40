import HTTPTypes
public import StagecoachCore

/// A serializer that sends parts as a multipart body (RFC 2046 5.1, RFC 7578, RFC 2387).
public struct MultipartRequestSerializer: RequestSerializer {
  /// The maximum rate in bytes per second, measured on the clock of the exchange; `nil` for no limit.
  public var bytesPerSecond: Int?

  /// The maximum number of random boundaries to try, in case a part contains the boundary; a second one is never
  /// needed in practice, unless the source of randomness is broken.
  private static let attempts = 4

  /// Creates a serializer.
  public init(bytesPerSecond: Int? = nil) {
    self.bytesPerSecond = bytesPerSecond
  }

  /// Assembles the parts and sets their Content-Type, even if the request has one, because only this one contains the
  /// boundary. Nothing is read yet.
  ///
  /// Unless the body has a boundary, it consists of 128 random bits, and is replaced if a part in memory contains it.
  /// A form without parts is allowed, as in browsers.
  ///
  /// - Throws: ``MultipartError``.
  public func serialize(_ body: MultipartBody, into request: inout Request) throws {
    guard request.method != .get, request.method != .head else {
      throw MultipartError.methodWithoutContent(request.method.rawValue)
    }
    guard body.mediaType.type == "multipart" else { throw MultipartError.notMultipart(body.mediaType) }
    guard !body.parts.isEmpty || body.mediaType.essence == .multipartForm else {
      throw MultipartError.noParts
    }
    let (assembly, boundary) = try assemble(body, random: request.randomNumberGenerator)
    let content = assembly.requestBody
    if let bytesPerSecond {
      request.body = content.throttled(to: bytesPerSecond, on: request.clock)
    } else {
      request.body = content
    }
    request.fields[.contentType] =
      "\(body.declaredType); boundary=\(MultipartBoundary.parameterValue(boundary))"
  }

  private func assemble(_ body: MultipartBody, random: any RandomSource) throws(MultipartError)
    -> (MultipartAssembly, boundary: String)
  {
    if let boundary = body.boundary {
      guard MultipartBoundary.isValid(boundary) else { throw .invalidBoundary(boundary) }
      return (try MultipartAssembly(body, boundary: boundary), boundary)
    }
    var attempt = 1
    while true {
      let boundary = MultipartBoundary.draw(from: random)
      do throws(MultipartError) {
        return (try MultipartAssembly(body, boundary: boundary), boundary)
      } catch .boundaryInContent(_) where attempt < Self.attempts {
        attempt += 1
      }
    }
  }
}

extension RequestContent {
  /// Returns content that sends a multipart body, such as a form with files.
  ///
  /// ```swift
  /// let form = MultipartBody.form([try .file("/tmp/beach.jpeg", name: "photo")])
  /// try await client.post("photos", .multipart(form))
  /// ```
  ///
  /// - Parameters:
  ///   - body: The parts.
  ///   - bytesPerSecond: The maximum rate in bytes per second; `nil` for no limit.
  public static func multipart(_ body: MultipartBody, bytesPerSecond: Int? = nil) -> RequestContent {
    RequestContent(body, MultipartRequestSerializer(bytesPerSecond: bytesPerSecond))
  }
}
