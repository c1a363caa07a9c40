import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Puts an `Encodable` value into the body as JSON (RFC 8259).
public struct JSONRequestSerializer<Input: Encodable & Sendable>: RequestSerializer {
  private let makeEncoder: (@Sendable () -> JSONEncoder)?

  /// A serializer.
  ///
  /// - Parameters:
  ///   - type: What to encode.
  ///   - makeEncoder: Makes the encoder for each request. The default one sorts keys, so that equal
  ///     values give equal bytes, and leaves slashes alone.
  public init(
    _ type: Input.Type = Input.self,
    makeEncoder: (@Sendable () -> JSONEncoder)? = nil
  ) {
    self.makeEncoder = makeEncoder
  }

  /// Encodes the value and declares `application/json` unless the request declares a type.
  ///
  /// - Throws: `EncodingError`.
  public func serialize(_ value: Input, into request: inout Request) throws {
    let encoder = makeEncoder?() ?? .plain
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

extension JSONEncoder {
  /// An encoder that sorts keys and leaves slashes alone.
  static var plain: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

extension RequestContent {
  /// A JSON body from an `Encodable` value.
  public static func json(_ value: some Encodable & Sendable) -> RequestContent {
    RequestContent(value, JSONRequestSerializer())
  }

  /// A JSON body from an untyped value.
  public static func json(_ value: JSONValue) -> RequestContent {
    RequestContent(value, JSONValueRequestSerializer())
  }
}
