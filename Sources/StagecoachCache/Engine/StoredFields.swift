import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CacheRules {
  /// With more fields a response is not stored, so that many answers to validation do not make it grow without end.
  static let maximumFieldCount = 4096

  /// The fields of a response that are stored (RFC 9111 3.1): not those of a connection or of a proxy, not those that
  /// prove who was asked, and in a shared cache no cookies and nothing that is private. Date is added.
  func storedFields(of fields: HTTPFields, receivedAt: Date) -> HTTPFields {
    var omitted = Set<String>()
    for field in fields where field.name == .connection {
      for name in field.withUnsafeBytesOfValue({ Self.connectionOptions($0) }) { omitted.insert(name) }
    }
    // A sender that names one of these makes a mistake or means harm (RFC 9110 7.6.1).
    omitted.subtract(Self.endToEnd)
    if isShared { omitted.formUnion(policy(of: fields).control.privateFields) }
    var stored = HTTPFields()
    stored.reserveCapacity(fields.count + 1)
    for field in fields.prefix(Self.maximumFieldCount) {
      let name = field.name.canonicalName
      if Self.neverStored.contains(name) || omitted.contains(name) { continue }
      if isShared, name == "set-cookie" { continue }
      stored.append(field)
    }
    if stored.date(.date, now: receivedAt) == nil {
      stored[.date] = HTTPDate(receivedAt)?.description
    }
    return stored
  }

  private static let neverStored: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "authentication-info",
  ]

  private static let endToEnd: Set<String> = [
    "cache-control", "cdn-cache-control", "vary", "expires", "date", "age", "etag", "last-modified", "pragma",
    "content-encoding", "content-length", "content-range", "content-type", "content-location",
  ]

  private static func connectionOptions(_ octets: UnsafeBufferPointer<UInt8>) -> [String] {
    octets.split(separator: UInt8(ascii: ",")).map { option in
      String(decoding: option.trimmed.map(\.lowercasedInField), as: UTF8.self)
    }
  }

  /// A stored response with the fields of a later answer about it: a 304, a HEAD or another part (RFC 9111 3.2).
  ///
  /// Keeps the fields that describe the stored bytes: length, coding and range.
  func merged(
    _ response: CachedResponse,
    with fields: HTTPFields,
    sentAt: Date,
    receivedAt: Date
  ) -> CachedResponse {
    let new = storedFields(of: fields, receivedAt: receivedAt)
    var replaced = Set<String>()
    for field in new { replaced.insert(field.name.canonicalName) }
    replaced.subtract(Self.describingBytes)
    // The age of the old response is not that of the new one.
    replaced.insert("age")
    var merged = HTTPFields()
    merged.reserveCapacity(response.head.headerFields.count + new.count)
    for field in response.head.headerFields where !replaced.contains(field.name.canonicalName) {
      merged.append(field)
    }
    for field in new where !Self.describingBytes.contains(field.name.canonicalName) { merged.append(field) }
    if isShared {
      // The stored directives may make private what only the new fields have.
      let names = policy(of: merged).control.privateFields
      if !names.isEmpty { merged.removeAll(Set(names)) }
    }
    var response = response
    response.head.headerFields = merged
    response.requestTime = sentAt
    response.responseTime = receivedAt
    response.endOfUse = endOfUse(of: response, policy(of: merged))
    return response
  }

  private static let describingBytes: Set<String> = ["content-length", "content-encoding", "content-range"]
}
