public import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A serializer that sends bytes as the body.
public struct DataRequestSerializer: RequestSerializer {
  /// The media type, unless the request declares one.
  public var mediaType: MediaType

  /// Creates a serializer; the media type is `application/octet-stream` by default.
  public init(as mediaType: MediaType = .octetStream) {
    self.mediaType = mediaType
  }

  /// Replaces the body by a replayable one.
  public func serialize(_ bytes: Bytes, into request: inout Request) {
    request.setContent(.bytes(bytes), as: mediaType)
  }
}

extension RequestContent {
  /// Returns content that sends bytes as the body.
  public static func data(_ bytes: Bytes, as mediaType: MediaType = .octetStream) -> RequestContent {
    RequestContent(bytes, DataRequestSerializer(as: mediaType))
  }

  /// Returns content that sends Foundation's data as the body.
  public static func data(_ data: Data, as mediaType: MediaType = .octetStream) -> RequestContent {
    .data(Bytes(data), as: mediaType)
  }
}
