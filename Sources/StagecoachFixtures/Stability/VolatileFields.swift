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

  /// The parameters of authentication that are new each time (RFC 7616 3.3, 3.4, 3.5). A secret that stands alone,
  /// such as a token, is none: it has the name that it has in the reply which gave it.
  private static let parameters = [
    "nonce=", "opaque=", "nextnonce=", "cnonce=", "rspauth=", "response=", "nc=", "=SECRET-",
    "=\"SECRET-",
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
    if authentication.contains(a.name.canonicalName) {
      return withoutNonces(a.value) == withoutNonces(b.value)
    }
    if a.name == .contentType, let a = MediaType(a.value), let b = MediaType(b.value),
      let boundary = b.boundary, a.boundary != nil
    {
      return a.with(boundary) == b
    }
    return VolatileText.isEqual(a.value, b.value)
  }

  /// A challenge or credentials without the values of ``parameters``.
  private static func withoutNonces(_ value: String) -> String {
    value.split(separator: ",", omittingEmptySubsequences: false).map { part in
      for name in parameters {
        if let range = part.firstRange(of: name) { return String(part[..<range.upperBound]) }
      }
      return String(part)
    }.joined(separator: ",")
  }
}

extension MediaType {
  /// The parameter with the boundary of a multipart type.
  var boundary: Parameter? {
    type == "multipart" ? parameters.first { $0.name == "boundary" && !$0.value.isEmpty } : nil
  }
}
