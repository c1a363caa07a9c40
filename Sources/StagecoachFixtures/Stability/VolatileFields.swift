import HTTPTypes
import StagecoachCore

/// The fields whose values differ from reply to reply though the service is the same.
enum VolatileFields {
  /// Those whose whole value is new each time.
  private static let names: Set<String> = [
    "date", "age", "x-request-id", "request-id", "x-correlation-id", "x-trace-id", "x-amzn-trace-id",
    "x-amzn-requestid",
    "traceparent", "tracestate", "cf-ray", "x-runtime", "x-response-time", "server-timing",
    "x-ratelimit-remaining",
    "x-ratelimit-reset", "ratelimit", "ratelimit-remaining", "ratelimit-reset", "idempotency-key",
    "x-idempotency-key", "x-client-request-id", "x-b3-traceid", "x-b3-spanid", "sentry-trace", "baggage",
  ]

  /// The parameters of authentication that are new each time (RFC 7616 3.3, 3.4, 3.5).
  private static let parameters: Set<String> = [
    "nonce", "opaque", "nextnonce", "cnonce", "rspauth", "response", "nc",
  ]

  private static let authentication: Set<String> = [
    "www-authenticate", "proxy-authenticate", "authorization", "proxy-authorization", "authentication-info",
    "proxy-authentication-info",
  ]

  /// The fields that follow from the content.
  private static let ofContent: Set<String> = [
    "content-length", "etag", "last-modified", "digest", "content-digest", "repr-digest", "content-md5",
  ]

  static func isVolatile(_ name: HTTPField.Name) -> Bool { isVolatile(name.canonicalName) }

  static func isVolatile(_ name: String) -> Bool { names.contains(name.lowercased()) }

  /// Whether two values of a field are equal to a recording.
  ///
  /// - Parameter contentDiffers: Whether the contents differ in volatile texts: what is computed of them differs then too.
  static func isEqual(_ a: HTTPField, _ b: HTTPField, contentDiffers: Bool = false) -> Bool {
    guard a.name == b.name else { return false }
    if a.value == b.value || isVolatile(a.name) { return true }
    if contentDiffers, ofContent.contains(a.name.canonicalName) { return true }
    // Servers call what was changed this second weak (RFC 9110 8.8.3.2).
    if a.name == .eTag { return a.value.trimmingPrefix("W/") == b.value.trimmingPrefix("W/") }
    return normalized(a) == normalized(b)
  }

  /// The value with a mark in place of each volatile text, and without what is new each time.
  private static func normalized(_ field: HTTPField) -> [UInt8] {
    let isCredential = authentication.contains(field.name.canonicalName)
    return TextTree(field: field, number: 0).rewritten { place in
      guard case .parameter(let name, _) = place.node.step, place.outer == nil else {
        return VolatileText.change(place)
      }
      // A secret in a list of parameters follows from others. One that stands alone, such as a token, has the name that
      // it has in the reply which gave it.
      let isNew =
        isCredential
        ? parameters.contains(name.lowercased()) || Placeholder(exactly: place.leaf.value) != nil
        : field.name == .contentType && name == "boundary"
      return isNew ? .value([]) : VolatileText.change(place)
    }
  }
}
