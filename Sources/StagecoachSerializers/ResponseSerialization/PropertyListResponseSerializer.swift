public import StagecoachCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A serializer that decodes a `Decodable` value from a property list, XML or binary.
///
/// An empty body is `nil` if the type is optional, otherwise an error. A list nested deeper than 512 levels, or a
/// binary list that refers to itself or expands to more than a million values, is refused.
public struct PropertyListResponseSerializer<Output: Decodable & Sendable>: ResponseSerializer {
  /// The accepted content: `application/x-plist`.
  public var accepts: Acceptance

  private let decoder: PropertyListDecoder

  /// Creates a serializer.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - accepts: The accepted content.
  ///   - decoder: The decoder.
  public init(
    _ type: Output.Type = Output.self,
    accepting accepts: Acceptance = .propertyList,
    decoder: PropertyListDecoder = PropertyListDecoder()
  ) {
    self.accepts = accepts
    self.decoder = decoder
  }

  /// Collects the body, up to the request's body limit, and decodes it.
  ///
  /// - Throws: ``ExchangeError`` of kind `serialization` with the place in the document that failed, or of kind
  ///   `limit(.structure)`.
  public func serialize(_ response: Response) async throws -> Output {
    let bytes = try await response.collectBody()
    if bytes.isEmpty { return try response.nothing(as: Output.self, insteadOf: "a property list") }
    do {
      return try bytes.withUnsafeBytes { buffer in
        try PropertyListStructure.check(buffer)
        return try decoder.decode(Output.self, from: Data(buffer))
      }
    } catch let error as DecodingError {
      throw ExchangeError.decoding(error, as: Output.self, body: bytes)
    } catch let refusal as PropertyListStructure.Refusal {
      throw refusal.failure(with: bytes)
    }
  }
}

extension PropertyListStructure.Refusal {
  fileprivate func failure(with bytes: Bytes) -> ExchangeError {
    let kind: ExchangeError.Kind = self == .syntax ? .serialization : .limit(.structure)
    let reason =
      switch self {
      case .depth: "the property list is nested deeper than \(PropertyListStructure.maximumDepth) levels"
      case .values: "the property list expands to more than \(PropertyListStructure.maximumValues) values"
      case .cycle: "the property list refers to itself"
      case .syntax: "the body is neither an XML nor a binary property list"
      }
    let advice = "read the body as data to see what it is"
    var failure = ExchangeError(kind, reason, advice: advice, underlying: self)
    failure.bodyPrefix = bytes
    return failure
  }
}

extension Acceptance {
  /// Property lists.
  public static let propertyList = Acceptance(
    mediaTypes: [MediaRange(.propertyList)],
    signatures: [.binaryPropertyList, .markup]
  )
}

extension ResponseSerializer {
  /// A serializer that decodes a value from a property list.
  public static func propertyList<Value>(_ type: Value.Type = Value.self) -> Self
  where Self == PropertyListResponseSerializer<Value> {
    PropertyListResponseSerializer(type)
  }
}
