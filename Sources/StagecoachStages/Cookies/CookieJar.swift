public import StagecoachCore
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The cookies of one client, in memory until they are saved (RFC 6265bis).
///
/// ``Cookies`` fills it and sends its cookies. It can be read and changed at any time, from any task:
///
/// ```swift
/// let jar = CookieJar()
/// _ = try await jar.load(from: "cookies.json", mustExist: false)
/// let client = try Client(Pipeline(over: transport) { Cookies(jar: jar) })
/// // ...
/// for cookie in jar.cookies() { print(cookie) }
/// jar.removeAll { $0.domain == "ads.example" }
/// try await jar.save(to: "cookies.json")
/// ```
///
/// A cookie is never set for a public suffix: one for `example.co.uk` is sent to all hosts under it, one for `co.uk`
/// is refused. A cookie expires at most 400 days after it was last set.
public final class CookieJar: Sendable {
  /// The limits for storing and sending cookies.
  public struct Limits: Sendable, Hashable {
    /// The maximum number of cookies of a registrable domain and all hosts under it; 180 by default. Cookies that are
    /// not Secure are evicted first, least recently used first.
    public var perSite = 180
    /// The maximum number of cookies in the jar; 3000 by default. The least recently used ones are evicted, a
    /// twentieth of the limit at a time.
    public var total = 3000
    /// The maximum number of cookies in one request; 150 by default. The last ones are omitted.
    public var perRequest = 150
    /// The maximum size of the cookies in one request, in octets; 8192 by default. Cookies that do not fit are
    /// omitted.
    public var fieldSize = 8192

    /// Creates the default limits.
    public init() {}
  }

  /// The limits for storing and sending cookies.
  public let limits: Limits
  /// Whether this machine is trusted without TLS.
  let trustsLoopback: Bool
  private let ownSuffixes: PublicSuffixList?
  private let table = Mutex(CookieTable())
  /// The number of cookies in the table, readable without its lock.
  private let total = Atomic<Int>(0)

  /// Creates an empty jar.
  ///
  /// - Parameters:
  ///   - limits: The limits for storing and sending cookies.
  ///   - publicSuffixes: The list of domains for which no cookie may be set; `nil` for the bundled list.
  ///   - trustsLoopback: Whether `http` to `localhost`, 127.0.0.0/8 and `[::1]` may set and receive Secure cookies.
  public init(
    limits: Limits = Limits(),
    publicSuffixes: PublicSuffixList? = nil,
    trustsLoopback: Bool = false
  ) {
    self.limits = limits
    self.ownSuffixes = publicSuffixes
    self.trustsLoopback = trustsLoopback
  }

  /// The list of domains for which no cookie may be set; the bundled list is read when it is first needed.
  var publicSuffixes: PublicSuffixList { ownSuffixes ?? .bundled }

  /// The number of cookies, including those that have expired since the jar was last changed.
  public var count: Int { total.load(ordering: .relaxed) }

  /// Changes or reads the table, and keeps the count.
  private func withTable<Result: Sendable, Failure: Error>(
    _ body: (inout CookieTable) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try table.withLock { table throws(Failure) in
      defer { total.store(table.count, ordering: .relaxed) }
      return try body(&table)
    }
  }

  /// Returns all cookies that have not expired, in order of creation.
  public func cookies(at date: Date = Date()) -> [Cookie] {
    withTable { $0.all(at: date.wholeSeconds) }
  }

  /// Returns the cookies that a request of the client itself for a URI would send, in order.
  public func cookies(for uri: TargetURI, at date: Date = Date()) -> [Cookie] {
    cookies(for: CookieRequest(uri, trustsLoopback: trustsLoopback), at: date, isUse: false)
  }

  func cookies(for request: CookieRequest, at date: Date, isUse: Bool) -> [Cookie] {
    let site = publicSuffixes.site(of: request.host)
    return withTable { $0.cookies(for: request, site: site, now: date.wholeSeconds, isUse: isUse) }
  }

  /// Removes the cookies that match a predicate.
  ///
  /// - Returns: The number of removed cookies.
  @discardableResult
  public func removeAll(where isRemoved: (Cookie) -> Bool) -> Int {
    withTable { $0.removeAll(where: isRemoved) }
  }

  /// Removes all cookies.
  public func removeAll() {
    removeAll { _ in true }
  }

  /// Removes the session cookies.
  ///
  /// - Returns: The number of removed cookies.
  @discardableResult
  public func endSession() -> Int {
    removeAll { $0.expires == nil }
  }

  /// Adds a checked cookie to the table.
  ///
  /// - Returns: The cookies that were evicted.
  func put(_ cookie: Cookie, fromSecure: Bool, now: Int64) throws(CookieRejection) -> [Cookie] {
    let site = publicSuffixes.site(of: cookie.domain)
    return try withTable { table throws(CookieRejection) in
      try table.put(cookie, site: site, fromSecure: fromSecure, limits: limits, now: now)
    }
  }
}

extension CookieJar: CustomReflectable {
  /// An empty mirror, so that the cookies are not shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
