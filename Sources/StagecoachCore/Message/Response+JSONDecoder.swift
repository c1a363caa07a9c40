#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Response {
  /// The JSON decoder for this response, unless the serializer has its own.
  package var jsonDecoder: JSONDecoder {
    (request?.options.jsonCoders ?? RequestOptions.jsonCoders.defaultValue).decoder
  }
}
