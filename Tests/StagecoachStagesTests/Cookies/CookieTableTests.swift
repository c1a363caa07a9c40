import Foundation
import Stagecoach
import TestSupport
import Testing

@Suite struct CookieTableTests {
  private static func jar(perSite: Int, total: Int = 3000) -> CookieJar {
    var limits = CookieJar.Limits()
    (limits.perSite, limits.total) = (perSite, total)
    return CookieJar(limits: limits)
  }

  private static func names(_ jar: CookieJar) -> [String] {
    jar.cookies(at: Shown.now).map(\.name)
  }

  private static func fill(_ jar: CookieJar, _ fields: [String], host: String = "h.example") throws {
    let uri = try TargetURI(parsing: "https://\(host)/")
    for field in fields { try jar.store(field, from: uri, at: Shown.now) }
  }

  @Test("3.1 limits: the defaults") func keeps180CookiesOfASiteAnd3000InAll() throws {
    let jar = CookieJar()
    try Self.fill(jar, (0..<200).map { "n\($0)=v; Domain=h.example" }, host: "a.h.example")
    #expect(jar.count == 180)
    #expect(Self.names(jar).first == "n20")
    for site in 0..<30 { try Self.fill(jar, (0..<150).map { "n\($0)=v" }, host: "h\(site).example") }
    #expect((2850...3000).contains(jar.count))
    #expect(try Shown.line(jar, "https://h29.example/").hasPrefix("n0=v; n1=v"))
    #expect(try Shown.line(jar, "https://a.h.example/") == "")
  }

  @Test("3.1 limits: expired first, then what is not Secure, then the least recently used")
  func evictsExpiredThenInsecureThenLeastRecentlyUsed()
    throws
  {
    let jar = Self.jar(perSite: 3)
    try Self.fill(jar, ["a=1; Secure", "b=1; Max-Age=1", "c=1"])
    try jar.store("d=1; Secure", from: TargetURI(parsing: "https://h.example/"), at: Shown.now + 1)
    #expect(jar.cookies(at: Shown.now + 1).map(\.name) == ["a", "c", "d"])
    try Self.fill(jar, ["e=1; Secure"])
    #expect(Self.names(jar) == ["a", "d", "e"])
    // One that is not Secure has to make room for itself, where all others are.
    try Self.fill(jar, ["f=1"])
    #expect(Self.names(jar) == ["a", "d", "e"])
    try Self.fill(jar, ["a=2; Secure", "g=1; Secure"])
    #expect(Self.names(jar).contains("a"))
    #expect(jar.count == 3)
  }

  @Test("3.1 limits: a site is a registrable domain with all hosts under it")
  func limitsCookiesOfARegistrableDomain() throws {
    let jar = Self.jar(perSite: 2)
    try Self.fill(jar, ["a=1"], host: "x.h.example")
    try Self.fill(jar, ["b=1"], host: "y.h.example")
    try Self.fill(jar, ["c=1"], host: "a.github.io")
    try Self.fill(jar, ["d=1"], host: "b.github.io")
    try Self.fill(jar, ["e=1"], host: "h.example")
    #expect(Self.names(jar) == ["b", "c", "d", "e"])
  }

  @Test("3.1 limits: in all") func limitsCookiesInAll() throws {
    let jar = Self.jar(perSite: 10, total: 3)
    for (index, host) in ["a.example", "b.example", "c.example"].enumerated() {
      try Self.fill(jar, ["n\(index)=v"], host: host)
    }
    try Self.fill(jar, ["n0=w"], host: "a.example")
    try Self.fill(jar, ["n3=v"], host: "d.example")
    #expect(Self.names(jar) == ["n0", "n2", "n3"])
    try Self.fill(jar, ["m=v; Max-Age=1"], host: "e.example")
    try jar.store("o=v", from: TargetURI(parsing: "https://f.example/"), at: Shown.now + 2)
    #expect(jar.cookies(at: Shown.now + 2).map(\.name) == ["n0", "n3", "o"])
    for limits in [(-1, 5), (5, -1), (0, 0)] {
      let none = Self.jar(perSite: limits.0, total: limits.1)
      try Self.fill(none, ["n=v"])
      #expect(none.count == 0)
    }
  }

  @Test func anExpiredSecureCookieBlocksNoNewOne() throws {
    let jar = CookieJar()
    try Self.fill(jar, ["n=s; Secure; Max-Age=1", "m=1"])
    let later = Shown.now + 2
    try jar.store("n=p", from: TargetURI(parsing: "http://h.example/"), at: later)
    let cookies = jar.cookies(at: later)
    #expect(cookies.map(Shown.text) == ["m=1 h.example /", "n=p h.example /"])
    #expect(cookies.map(\.created) == [Shown.now, later])
  }

  @Test func removesCookiesByPredicateAndSession() throws {
    let jar = CookieJar()
    try Self.fill(jar, ["a=1", "b=1; Max-Age=9", "c=1; Path=/x"])
    try Self.fill(jar, ["d=1"], host: "i.example")
    #expect(jar.removeAll { $0.domain == "i.example" } == 1)
    #expect(jar.endSession() == 2)
    #expect(Self.names(jar) == ["b"])
    #expect(jar.removeAll { $0.name == "z" } == 0)
    jar.removeAll()
    #expect(jar.count == 0)
    #expect(jar.cookies(at: Shown.now).isEmpty)
  }

  /// Against a list that is searched from end to end.
  @Test func aRequestGetsWhatMatchesAndNothingElse() throws {
    var random = SplitMix(state: 3)
    let jar = CookieJar()
    let hosts = ["h.example", "a.h.example", "b.a.h.example", "g.example", "x.co.uk", "co.uk", "10.0.0.1"]
    let paths = ["/", "/p", "/p/q", "/pq"]
    func pick(_ list: [String]) -> String { list.randomElement(using: &random) ?? "" }
    for round in 0..<600 {
      let source = try TargetURI(parsing: "https://\(pick(hosts))\(pick(paths))")
      let end = pick(["", "; Max-Age=\(round)"])
      let field =
        "n\(round % 40)=\(round); Path=\(pick(paths)); Domain=\(pick(hosts))\(pick(["", "; Secure"]))\(end)"
      _ = try? jar.store(field, from: source, at: Shown.now)
      let (host, path, scheme) = (pick(hosts), pick(paths), pick(["http", "https"]))
      let date = Shown.now + TimeInterval(Int.random(in: 0...700, using: &random))
      let all = jar.cookies(at: date)
      let expected = all.filter { cookie in
        let isHost = cookie.domain == host || !cookie.isHostOnly && host.hasSuffix(".\(cookie.domain)")
        let isPath = cookie.path == "/" || cookie.path == path || path.hasPrefix("\(cookie.path)/")
        return isHost && isPath && (scheme == "https" || !cookie.isSecure)
      }
      let found = jar.cookies(for: try TargetURI(parsing: "\(scheme)://\(host)\(path)"), at: date)
      #expect(Set(found) == Set(expected))
      #expect(found.map(\.path.utf8.count) == found.map(\.path.utf8.count).sorted(by: >))
      for cookie in all where !cookie.isHostOnly {
        #expect(!PublicSuffixList.bundled.isPublicSuffix(cookie.domain))
      }
    }
    #expect(jar.count > 20)
  }
}
