#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
  /// Bytes for the body, as they are.
  public static func data(_ bytes: Bytes, as mediaType: MediaType = .octetStream) -> RequestContent {
    RequestContent(bytes, DataRequestSerializer(as: mediaType))
  }

  /// Foundation's data for the body, as it is.
  public static func data(_ data: Data, as mediaType: MediaType = .octetStream) -> RequestContent {
    .data(Bytes(data), as: mediaType)
  }
}
