/// Puts bytes into the body as they are.
public struct DataRequestSerializer: RequestSerializer {
  /// What the bytes are declared as, unless the request declares a type.
  public var mediaType: MediaType

  /// A serializer; octets of any kind by default.
  public init(as mediaType: MediaType = .octetStream) {
    self.mediaType = mediaType
  }

  /// Replaces the body, which can be sent again.
  public func serialize(_ bytes: Bytes, into request: inout Request) {
    request.setContent(.bytes(bytes), as: mediaType)
  }
}

extension RequestContent {
  /// Bytes for the body, as they are; for `Data` of Foundation write `Bytes(data)`.
  public static func data(_ bytes: Bytes, as mediaType: MediaType = .octetStream) -> RequestContent {
    RequestContent(bytes, DataRequestSerializer(as: mediaType))
  }
}
