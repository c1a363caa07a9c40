import HTTPTypes
public import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The format of a property list.
@nonexhaustive
public enum PropertyListFormat: Sendable, Hashable {
  /// XML 1.0, readable; fractions of seconds in dates are lost.
  case xml
  /// The binary format, which is smaller and faster.
  case binary
}

/// A serializer that sends an `Encodable` value as a property list.
public struct PropertyListRequestSerializer<Input: Encodable & Sendable>: RequestSerializer {
  private let format: PropertyListFormat

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - format: The format.
  public init(_ type: Input.Type = Input.self, format: PropertyListFormat = .xml) {
    self.format = format
  }

  /// Encodes the value and sets Content-Type to `application/x-plist` unless the request has one.
  ///
  /// - Throws: `EncodingError`.
  public func serialize(_ value: Input, into request: inout Request) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format == .binary ? .binary : .xml
    request.setContent(.bytes(Bytes(try encoder.encode(value))), as: .propertyList)
  }
}

extension RequestContent {
  /// Returns content that sends a value as a property list.
  public static func propertyList(
    _ value: some Encodable & Sendable,
    format: PropertyListFormat = .xml
  ) -> RequestContent {
    RequestContent(value, PropertyListRequestSerializer(format: format))
  }
}
