import HTTPTypes
public import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A serializer that sends an `Encodable` value as JSON (RFC 8259).
public struct JSONRequestSerializer<Input: Encodable & Sendable>: RequestSerializer {
  private let encoder: JSONEncoder?

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - encoder: The encoder; `nil` for the encoder of the request's ``JSONCoders``.
  public init(_ type: Input.Type = Input.self, encoder: JSONEncoder? = nil) {
    self.encoder = encoder
  }

  /// Encodes the value and sets Content-Type to `application/json` unless the request has one.
  ///
  /// - Throws: `EncodingError`.
  public func serialize(_ value: Input, into request: inout Request) throws {
    let encoder = encoder ?? request.options.jsonCoders.encoder
    request.setContent(.bytes(Bytes(try encoder.encode(value))), as: .json)
  }
}

/// A serializer that sends an untyped JSON value exactly as it is: with its order, duplicates and digits.
public struct JSONValueRequestSerializer: RequestSerializer {
  /// Creates a serializer.
  public init() {}

  /// Writes the value and sets Content-Type to `application/json` unless the request has one.
  public func serialize(_ value: JSONValue, into request: inout Request) throws {
    request.setContent(.bytes(Bytes(value.serialized())), as: .json)
  }
}

extension RequestContent {
  /// Returns content that sends an `Encodable` value as JSON.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - encoder: The encoder; `nil` for the encoder of the request's ``JSONCoders``.
  public static func json(
    _ value: some Encodable & Sendable,
    encoder: JSONEncoder? = nil
  ) -> RequestContent {
    RequestContent(value, JSONRequestSerializer(encoder: encoder))
  }

  /// Returns content that sends an untyped value as JSON.
  public static func json(_ value: JSONValue) -> RequestContent {
    RequestContent(value, JSONValueRequestSerializer())
  }
}
