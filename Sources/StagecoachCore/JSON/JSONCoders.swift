#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The encoder and the decoder for JSON of a client or of one request: their strategies for keys, dates and data.
///
/// ```swift
/// let decoder = JSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// decoder.dateDecodingStrategy = .iso8601
/// client.updateDefaults { $0.options.jsonCoders = JSONCoders(decoder: decoder) }
/// ```
///
/// Serializers of JSON use them that were not made with an encoder or a decoder of their own;
/// ``ParametersRequestSerializer`` has the styles of its ``QueryEncoder`` instead.
public struct JSONCoders: Sendable {
  let encoder: JSONEncoder
  let decoder: JSONDecoder

  /// Coders, which several requests may use at the same time: do not change them afterwards.
  ///
  /// - Parameters:
  ///   - encoder: Writes request bodies. If nil, one that sorts keys, so that equal values give equal bytes,
  ///     and leaves slashes alone.
  ///   - decoder: Reads responses. If nil, one as Foundation makes it.
  public init(encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil) {
    self.encoder = encoder ?? Self.plainEncoder
    self.decoder = decoder ?? Self.plainDecoder
  }

  // Shared, since nobody outside can reach and change them.
  private static let plainEncoder = JSONEncoder.plain
  private static let plainDecoder = JSONDecoder()
}

extension RequestOptions {
  static let jsonCoders = RequestOption<JSONCoders>("jsonCoders", default: JSONCoders())

  /// The encoder and the decoder for JSON; see ``JSONCoders``.
  public var jsonCoders: JSONCoders {
    get { self[Self.jsonCoders] }
    set { self[Self.jsonCoders] = newValue }
  }
}

extension JSONEncoder {
  /// A new encoder that sorts keys and leaves slashes alone.
  static var plain: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

extension Response {
  /// What reads the JSON of this response unless a serializer has a decoder of its own.
  var jsonDecoder: JSONDecoder {
    (request?.options.jsonCoders ?? RequestOptions.jsonCoders.defaultValue).decoder
  }
}
