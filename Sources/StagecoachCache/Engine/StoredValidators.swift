import HTTPTypes
import StagecoachCore

extension CachedResponse {
  var strongTag: EntityTag? { head.headerFields.entityTag.flatMap { $0.isWeak ? nil : $0 } }

  /// Last-Modified in seconds since 1970; nil if it is absent or malformed.
  var lastModified: Int64? { head.headerFields.date(.lastModified, now: responseTime) }

  var hasValidator: Bool { head.headerFields.entityTag != nil || lastModified != nil }

  /// Whether Last-Modified is at least a second older than Date, so that there was no later change within its second
  /// (RFC 9110 8.8.2.2).
  var hasStrongDate: Bool { lastModified.map { $0 < date } ?? false }

  var hasStrongValidator: Bool {
    head.headerFields.contains(.eTag) ? strongTag != nil : hasStrongDate
  }
}
