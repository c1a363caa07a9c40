import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The parts of a request that decide on its answer, read in one pass over its fields.
struct PresentedRequest {
  let method: HTTPRequest.Method
  let fields: HTTPFields
  private(set) var control = CacheControl()
  /// Whether the request has `no-cache`, as a directive or, without Cache-Control, as Pragma (RFC 9111 5.4), or
  /// directives that cannot be read.
  private(set) var requiresValidation = false
  private(set) var hasIfNoneMatch = false
  private(set) var ifModifiedSince: HTTPField?
  /// Whether the request has a condition that only the origin evaluates (RFC 9111 4.3.2).
  private(set) var hasOriginCondition = false
  private(set) var hasRange = false
  private(set) var ifRange: HTTPField?

  /// Whether the caller has conditions that a cache evaluates.
  var hasCondition: Bool { hasIfNoneMatch || ifModifiedSince != nil }

  /// The only range of bytes that the caller asks for.
  var range: ByteRange? { hasRange ? ByteRange(fields) : nil }

  init(_ request: HTTPRequest) {
    method = request.method
    fields = request.headerFields
    var hasCacheControl = false
    var hasPragma = false
    for index in fields.startIndex..<fields.endIndex {
      let name = fields[index].name
      // Comparing lengths first makes the common field that is none of these cheap.
      switch name.canonicalName.utf8.count {
      case 5: if name == .range { hasRange = true }
      case 6: if name == .pragma { hasPragma = hasPragma || CacheControl.isNoCache(fields[index]) }
      case 8:
        if name == .ifRange { ifRange = ifRange ?? fields[index] }
        if name == .ifMatch { hasOriginCondition = true }
      case 13:
        if name == .cacheControl { hasCacheControl = true }
        if name == .ifNoneMatch { hasIfNoneMatch = true }
      case 17: if name == .ifModifiedSince { ifModifiedSince = ifModifiedSince ?? fields[index] }
      case 19: if name == .ifUnmodifiedSince { hasOriginCondition = true }
      default: break
      }
    }
    if hasCacheControl { control = CacheControl(request: fields) }
    requiresValidation = control.isNoCache || control.isMalformed || (hasPragma && !hasCacheControl)
  }

  /// Evaluates the caller's conditions against a stored response (RFC 9111 4.3.2, RFC 9110 13.2.2).
  ///
  /// - Returns: Whether the answer is 304.
  func isNotModified(_ response: CachedResponse) -> Bool {
    if hasIfNoneMatch { return EntityTagList(fields).matches(response.head.headerFields.entityTag) }
    guard let since = ifModifiedSince?.date(now: response.responseTime) else { return false }
    return response.lastModified ?? response.date <= since
  }

  /// Whether If-Range, if the request has it, allows to send a range of a stored response (RFC 9110 13.1.5).
  func allowsRange(of response: CachedResponse) -> Bool {
    guard let ifRange else { return true }
    let tag = ifRange.withUnsafeBytesOfValue { EntityTag($0.trimmed) }
    if let tag { return response.strongTag.map { $0.isStronglyEqual(to: tag) } ?? false }
    guard let date = ifRange.date(now: response.responseTime) else { return false }
    return response.hasStrongDate && response.lastModified == date
  }
}
