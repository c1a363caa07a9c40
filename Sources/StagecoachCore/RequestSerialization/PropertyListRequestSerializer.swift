import HTTPTypes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How a property list is written.
@nonexhaustive
public enum PropertyListFormat: Sendable, Hashable {
  /// XML 1.0, readable; fractions of the seconds of a date are lost.
  case xml
  /// The binary format, smaller and faster.
  case binary
}

/// Puts an `Encodable` value into the body as a property list.
public struct PropertyListRequestSerializer<Input: Encodable & Sendable>: RequestSerializer {
  private let format: PropertyListFormat

  /// A serializer.
  ///
  /// - Parameters:
  ///   - type: What to encode.
  ///   - format: How it is written.
  public init(_ type: Input.Type = Input.self, format: PropertyListFormat = .xml) {
    self.format = format
  }

  /// Encodes the value and declares `application/x-plist` unless the request declares a type.
  ///
  /// - Throws: `EncodingError`.
  public func serialize(_ value: Input, into request: inout Request) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format == .binary ? .binary : .xml
    request.setContent(.bytes(Bytes(try encoder.encode(value))), as: .propertyList)
  }
}

extension RequestContent {
  /// A body that is a property list.
  public static func propertyList(
    _ value: some Encodable & Sendable,
    format: PropertyListFormat = .xml
  ) -> RequestContent {
    RequestContent(value, PropertyListRequestSerializer(format: format))
  }
}
