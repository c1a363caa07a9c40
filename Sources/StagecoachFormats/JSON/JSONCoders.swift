#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The JSON encoder and decoder of a client or of one request, with their strategies for keys, dates and data.
///
/// ```swift
/// import Foundation
///
/// let decoder = JSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// decoder.dateDecodingStrategy = .iso8601
/// client.updateDefaults { $0.options.jsonCoders = JSONCoders(decoder: decoder) }
/// ```
///
/// JSON serializers use them unless they have an encoder or a decoder of their own; ``ParametersRequestSerializer``
/// uses the styles of its ``QueryEncoder`` instead.
public struct JSONCoders: Sendable {
  package let encoder: JSONEncoder
  package let decoder: JSONDecoder

  /// Creates coders. Several requests may use them at the same time, so do not change them afterwards.
  ///
  /// - Parameters:
  ///   - encoder: The encoder of request bodies. If `nil`, one that sorts keys, so that equal values give equal bytes,
  ///     and does not escape slashes.
  ///   - decoder: The decoder of responses. If `nil`, a default one.
  public init(encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil) {
    self.encoder = encoder ?? Self.plainEncoder
    self.decoder = decoder ?? Self.plainDecoder
  }

  // Shared, because they cannot be reached and changed from outside.
  private static let plainEncoder = JSONEncoder.plain
  private static let plainDecoder = JSONDecoder()
}

extension JSONEncoder {
  /// A new encoder that sorts keys and does not escape slashes.
  package static var plain: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
