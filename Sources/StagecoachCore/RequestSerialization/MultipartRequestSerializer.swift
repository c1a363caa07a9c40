import HTTPTypes

/// Puts parts into the body as one of the multipart media types (RFC 2046 5.1, RFC 7578, RFC 2387).
public struct MultipartRequestSerializer: RequestSerializer {
  /// The most bytes to send in a second, measured on the clock of the exchange; nil for no limit.
  public var bytesPerSecond: Int?

  /// How often a boundary is drawn that does not occur in a part; a second time is less likely than a
  /// failure of the machine, unless the source of chance is not one.
  private static let attempts = 4

  /// A serializer.
  public init(bytesPerSecond: Int? = nil) {
    self.bytesPerSecond = bytesPerSecond
  }

  /// Lays the parts out and declares their media type, whatever the request declared: only this one names
  /// the boundary. Nothing is read yet.
  ///
  /// The boundary, unless the body has one, is drawn from the random source of the exchange, 128 bits of it,
  /// and again if a part in memory holds it. A form without parts is legal, as it is in browsers.
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
    let (assembly, boundary) = try assemble(body, random: request.random)
    let content = assembly.requestBody
    if let bytesPerSecond {
      request.body = content.throttled(to: bytesPerSecond, on: request.time)
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
  /// A multipart body, such as a form with files.
  ///
  /// ```swift
  /// try await client.post("photos", .multipart(.form([try .file(path, name: "photo")])), as: .text)
  /// ```
  ///
  /// - Parameters:
  ///   - body: The parts.
  ///   - bytesPerSecond: The most bytes to send in a second; nil for no limit.
  public static func multipart(_ body: MultipartBody, bytesPerSecond: Int? = nil) -> RequestContent {
    RequestContent(body, MultipartRequestSerializer(bytesPerSecond: bytesPerSecond))
  }
}
