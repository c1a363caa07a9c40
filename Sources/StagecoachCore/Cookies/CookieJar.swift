import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Keeps the cookies of one client (RFC 6265bis), in memory until they are saved.
///
/// ``Cookies`` fills it and sends what it holds. It may be looked into and changed at any time, from anywhere:
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
/// A cookie never crosses a public suffix: one for `example.co.uk` goes to all hosts under it, one for `co.uk` is
/// refused. It ends 400 days after it was last set, whatever its server says.
public final class CookieJar: Sendable {
  /// How many cookies are kept and sent.
  public struct Limits: Sendable, Hashable {
    /// The most cookies of a registrable domain and all hosts under it; 180 by default. Those that are not
    /// Secure make room first, of these the least recently used.
    public var perSite = 180
    /// The most cookies in all; 3000 by default. The least recently used make room, a twentieth of the limit at a
    /// time.
    public var total = 3000
    /// The most cookies in one request; 150 by default. Those that come last are left out.
    public var perRequest = 150
    /// The most octets of the cookies in one request; 8192 by default. What does not fit is left out.
    public var fieldSize = 8192

    /// The default limits.
    public init() {}
  }

  /// How many cookies are kept and sent.
  public let limits: Limits
  /// Whether this machine is trusted without TLS.
  let trustsLoopback: Bool
  private let ownSuffixes: PublicSuffixList?
  private let table = Mutex(CookieTable())
  /// That of the table, to be read without its lock.
  private let total = Atomic<Int>(0)

  /// An empty jar.
  ///
  /// - Parameters:
  ///   - limits: How many cookies are kept and sent.
  ///   - publicSuffixes: The list of domains that no cookie is for; nil for the one of the library.
  ///   - trustsLoopback: Whether `http` to `localhost`, 127.0.0.0/8 and `[::1]` may set and gets Secure cookies.
  public init(
    limits: Limits = Limits(),
    publicSuffixes: PublicSuffixList? = nil,
    trustsLoopback: Bool = false
  ) {
    self.limits = limits
    self.ownSuffixes = publicSuffixes
    self.trustsLoopback = trustsLoopback
  }

  /// The list of domains that no cookie is for; the one of the library is not read before it is needed.
  var publicSuffixes: PublicSuffixList { ownSuffixes ?? .bundled }

  /// How many cookies there are, with those that have expired since the jar was last changed.
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

  /// All cookies that have not expired, in the order in which they were created.
  public func cookies(at date: Date = Date()) -> [Cookie] {
    withTable { $0.all(at: date.wholeSeconds) }
  }

  /// The cookies that a request of the client itself for a URI would get, in the order in which they are sent.
  public func cookies(for uri: TargetURI, at date: Date = Date()) -> [Cookie] {
    cookies(for: CookieRequest(uri, trustsLoopback: trustsLoopback), at: date, isUse: false)
  }

  func cookies(for request: CookieRequest, at date: Date, isUse: Bool) -> [Cookie] {
    let site = publicSuffixes.site(of: request.host)
    return withTable { $0.cookies(for: request, site: site, now: date.wholeSeconds, isUse: isUse) }
  }

  /// Removes the cookies that a closure picks.
  ///
  /// - Returns: How many.
  @discardableResult
  public func removeAll(where isRemoved: (Cookie) -> Bool) -> Int {
    withTable { $0.removeAll(where: isRemoved) }
  }

  /// Removes all cookies.
  public func removeAll() {
    removeAll { _ in true }
  }

  /// Removes the cookies that last as long as the session.
  ///
  /// - Returns: How many.
  @discardableResult
  public func endSession() -> Int {
    removeAll { $0.expires == nil }
  }

  /// Puts a checked cookie into the table.
  ///
  /// - Returns: The cookies that had to make room.
  func put(_ cookie: Cookie, fromSecure: Bool, now: Int64) throws(CookieRejection) -> [Cookie] {
    let site = publicSuffixes.site(of: cookie.domain)
    return try withTable { table throws(CookieRejection) in
      try table.put(cookie, site: site, fromSecure: fromSecure, limits: limits, now: now)
    }
  }
}

extension CookieJar: CustomReflectable {
  /// Nothing of the cookies.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
