#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RequestOptions {
  static let jsonCoders = RequestOption<JSONCoders>("jsonCoders", default: JSONCoders(), distinguishes: false)

  /// The encoder and the decoder for JSON.
  public var jsonCoders: JSONCoders {
    get { self[Self.jsonCoders] }
    set { self[Self.jsonCoders] = newValue }
  }
}
