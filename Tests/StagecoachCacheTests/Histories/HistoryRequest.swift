import StagecoachCache

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One of those who send requests in a history.
struct HistoryUser: Sendable {
  /// How an origin knows the user.
  enum Identity: CaseIterable {
    /// The caller sets Authorization.
    case field
    /// The stage `Authentication` answers challenges with Basic.
    case stage
    /// The caller sets a partition.
    case partition
    /// The caller sends a cookie.
    case cookie
  }

  let name: String
  let identity: Identity
  /// Whether `Authentication` sends credentials before it is asked.
  let isPreemptive: Bool

  var cookie: String { "sid=secret-\(name)" }
  var password: String { "secret-\(name)" }
  var partition: String? { identity == .partition ? "partition-\(name)" : nil }

  var authorization: String? {
    switch identity {
    case .field: "Bearer secret-\(name)"
    case .stage: "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()
    case .partition, .cookie: nil
    }
  }

  /// Words that no store may hold.
  var secrets: [String] { ["secret-\(name)", "partition-\(name)", authorization ?? "secret-\(name)"] }

  /// Whose responses a request may get, in words of the model.
  func place(hasAuthorization: Bool, isShared: Bool) -> String {
    if let partition { return partition }
    return hasAuthorization && !isShared ? "user \(name)" : "anybody"
  }
}

/// A request of a history, as its caller means it.
struct HistoryRequest: Sendable, CustomStringConvertible {
  let id: Int
  let user: HistoryUser
  /// The index of the resource.
  let resource: Int
  var method = "GET"
  var mode = CacheMode.default
  var demands = HistoryDemands()
  var range: String?
  var ifRange: String?
  var ifNoneMatch: String?
  /// The fields that may be nominated, by names in lower case.
  var fields: [String: String] = [:]

  /// The fields as the stages above the cache may send them, and whose responses they may get.
  func views(isShared: Bool) -> [(place: String, fields: [String: String])] {
    func view(_ authorization: String?) -> (String, [String: String]) {
      var fields = fields
      fields["authorization"] = authorization
      return (user.place(hasAuthorization: authorization != nil, isShared: isShared), fields)
    }
    guard user.identity == .stage else { return [view(user.authorization)] }
    // Without credentials as long as nobody has asked for them.
    return [view(user.authorization), view(nil)]
  }

  var description: String {
    let conditions = [demands.text, range, ifRange, ifNoneMatch].compactMap(\.self).joined(separator: "; ")
    return "\(id) \(method) /r\(resource) \(mode) of \(user.name) (\(user.identity)) \(fields) \(conditions)"
  }

  /// Whether it asks for what is stored.
  var isRetrieval: Bool { method == "GET" || method == "HEAD" }

  /// Whether it may change something (RFC 9110 9.2.1), as methods do that nobody knows.
  var isUnsafe: Bool { !isRetrieval && method != "OPTIONS" }
}
