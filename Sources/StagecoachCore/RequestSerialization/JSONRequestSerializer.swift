import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Puts an `Encodable` value into the body as JSON (RFC 8259).
public struct JSONRequestSerializer<Input: Encodable & Sendable>: RequestSerializer {
  private let encoder: JSONEncoder?

  /// A serializer.
  ///
  /// - Parameters:
  ///   - type: What to encode.
  ///   - encoder: Encodes the value; nil for that of the request's ``JSONCoders``.
  public init(_ type: Input.Type = Input.self, encoder: JSONEncoder? = nil) {
    self.encoder = encoder
  }

  /// Encodes the value and declares `application/json` unless the request declares a type.
  ///
  /// - Throws: `EncodingError`.
  public func serialize(_ value: Input, into request: inout Request) throws {
    let encoder = encoder ?? request.options.jsonCoders.encoder
    request.setContent(.bytes(Bytes(try encoder.encode(value))), as: .json)
  }
}

/// Puts an untyped JSON value into the body, exactly as it is: order, duplicates, digits.
public struct JSONValueRequestSerializer: RequestSerializer {
  /// A serializer.
  public init() {}

  /// Writes the value and declares `application/json` unless the request declares a type.
  public func serialize(_ value: JSONValue, into request: inout Request) throws {
    request.setContent(.bytes(Bytes(value.serialized())), as: .json)
  }
}

extension RequestContent {
  /// A JSON body from an `Encodable` value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - encoder: Encodes it; nil for that of the request's ``JSONCoders``.
  public static func json(
    _ value: some Encodable & Sendable,
    encoder: JSONEncoder? = nil
  ) -> RequestContent {
    RequestContent(value, JSONRequestSerializer(encoder: encoder))
  }

  /// A JSON body from an untyped value.
  public static func json(_ value: JSONValue) -> RequestContent {
    RequestContent(value, JSONValueRequestSerializer())
  }
}
