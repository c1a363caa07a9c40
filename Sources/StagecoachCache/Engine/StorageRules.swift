import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CacheRules {
  /// A salted hash of the value of a sensitive request field; nil for other fields.
  typealias Conceal = (_ name: String, _ value: String) -> String?

  /// Whether a response may be stored, and what is stored of it (RFC 9111 3).
  ///
  /// A private cache stores a response to POST as one to GET if it has a lifetime and names the target in
  /// Content-Location (RFC 9110 9.3.3).
  func storable(
    _ response: HTTPResponse,
    to request: HTTPRequest,
    sentAt: Date,
    receivedAt: Date,
    conceal: Conceal
  ) -> Result<CachedResponse, StorageRefusal> {
    do throws(StorageRefusal) {
      var stored = try prepared(
        response,
        to: request,
        sentAt: sentAt,
        receivedAt: receivedAt,
        conceal: conceal
      )
      let policy = policy(of: response.headerFields)
      if let refusal = refusal(of: policy, response, to: request) { throw refusal }
      let explicit = explicitLifetime(of: stored, policy)
      switch request.method {
      case .get: break
      case .post:
        // Of a shared cache one client would decide what the others get.
        guard !isShared else { throw .method }
        guard response.status == .ok, explicit != nil, response.isOfTarget(of: request) else { throw .method }
      default: throw .method
      }
      guard explicit != nil || (stored.hasValidator && isStorableByDefault(policy, response.status)) else {
        throw .noFreshness
      }
      if response.status == .partialContent {
        guard let part = stored.receivedPart(for: request) else { throw .contentRange }
        stored.part = part
      }
      stored.endOfUse = endOfUse(of: stored, policy)
      return .success(stored)
    } catch {
      return .failure(error)
    }
  }

  private func prepared(
    _ response: HTTPResponse,
    to request: HTTPRequest,
    sentAt: Date,
    receivedAt: Date,
    conceal: Conceal
  ) throws(StorageRefusal) -> CachedResponse {
    switch response.status.code {
    // 304 updates what is stored. 401 and 407 are about credentials; 412, 416 and 417 about other fields of this
    // request; 428, 429, 431 and 511 must not be stored (RFC 6585).
    case ..<200, 304, 401, 407, 412, 416, 417, 428, 429, 431, 511: throw .status
    default: break
    }
    guard response.headerFields.count < Self.maximumFieldCount else { throw .head }
    let lengths = response.headerFields.filter { $0.name == .contentLength }
    guard Set(lengths.map(\.value)).count <= 1 else { throw .contentLength }
    guard let vary = nominated(by: response.headerFields, request, conceal: conceal) else { throw .varies }
    return CachedResponse(
      head: HTTPResponse(
        status: response.status,
        headerFields: storedFields(of: response.headerFields, receivedAt: receivedAt)
      ),
      vary: vary,
      requestTime: sentAt,
      responseTime: receivedAt
    )
  }

  /// Why the directives of a response forbid to store it.
  func refusal(
    of policy: ResponsePolicy,
    _ response: HTTPResponse,
    to request: HTTPRequest
  ) -> StorageRefusal? {
    let control = policy.control
    if CacheControl(request: request.headerFields).isNoStore { return .requestNoStore }
    if let refusal = refusal(of: policy, response.status) { return refusal }
    if isShared, request.headerFields.firstField(.authorization) != nil,
      !control.isPublic, !control.isMustRevalidate, control.sMaxAge == nil
    {
      return .authorization
    }
    return nil
  }

  /// Why the directives of a response forbid to store it, whatever the request was.
  func refusal(of policy: ResponsePolicy, _ status: HTTPResponse.Status) -> StorageRefusal? {
    let control = policy.control
    if control.isMalformed { return .malformed }
    if policy.isUnreadable { return .targetedField }
    if control.isMustUnderstand {
      if !status.isUnderstood { return .notUnderstood }
    } else if control.isNoStore {
      return .noStore
    }
    return isShared && (control.isPrivate || control.hasMalformedElement) ? .privateInShared : nil
  }

  private func isStorableByDefault(_ policy: ResponsePolicy, _ status: HTTPResponse.Status) -> Bool {
    policy.control.isPublic || status.isHeuristicallyCacheable
      || (!isShared && (policy.control.isPrivate || !policy.control.privateFields.isEmpty))
  }

  /// The usable part of an incomplete response: it needs a strong validator and a known length
  /// (RFC 9111 3.3); `nil` if it has none.
  func incomplete(_ response: CachedResponse, received: Int64, of total: Int64?) -> CachedResponse? {
    guard received > 0, response.hasStrongValidator, let total, received < total else { return nil }
    if response.part != nil { return response }
    guard response.head.status == .ok else { return nil }
    var response = response
    response.part = CachedResponse.Part(start: 0, total: total)
    return response
  }
}

extension CachedResponse {
  /// The number of bytes of the content; nil if neither Content-Length nor Content-Range tells it.
  var declaredLength: Int64? {
    let length = head.headerFields.firstField(.contentLength)?.withUnsafeBytesOfValue { $0.byteCount }
    return length ?? (part == nil ? nil : head.headerFields.contentRange.map { Int64($0.bytes.count) })
  }

  /// The part that a 206 brings; nil if Content-Range is absent or malformed, contradicts Content-Length, or is not
  /// what the request asked for. Without a strong validator it serves ranges inside of it, and is never put together
  /// with another (RFC 9111 3.3, 3.4).
  fileprivate func receivedPart(for request: HTTPRequest) -> Part? {
    let fields = head.headerFields
    guard let range = fields.contentRange,
      case .range(let asked) = request.range?.resolved(total: range.total),
      asked.lowerBound <= range.bytes.lowerBound, range.bytes.upperBound <= asked.upperBound
    else { return nil }
    if let field = fields.firstField(.contentLength) {
      guard field.withUnsafeBytesOfValue({ $0.byteCount }) == Int64(range.bytes.count) else { return nil }
    }
    return Part(start: range.bytes.lowerBound, total: range.total)
  }
}

extension HTTPRequest {
  /// The only range that the request asks for.
  fileprivate var range: ByteRange? { ByteRange(headerFields) }
}

extension HTTPResponse {
  /// Whether Content-Location is the target of the request.
  fileprivate func isOfTarget(of request: HTTPRequest) -> Bool {
    guard let location = headerFields.onlyField(.contentLocation)?.value, let target = request.targetURI,
      let resolved = try? target.resolving(location)
    else { return false }
    return resolved.storedURL == target.storedURL
  }
}
