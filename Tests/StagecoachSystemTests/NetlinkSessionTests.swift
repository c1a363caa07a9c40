import StagecoachStages
import Testing

@testable import StagecoachCore
@testable import StagecoachSystem

@Suite struct NetlinkSessionTests {
  /// A session that has asked for the links, with sequence number 1.
  private static func session() -> NetlinkSession {
    var session = NetlinkSession { link in
      link.name.hasPrefix("wlan") ? .wifi : link.name.hasPrefix("wwan") ? .cellular : .wired
    }
    let request = session.restart()
    #expect(request == Netlink.message(18, 1, flags: 0x301, [UInt8](repeating: 0, count: 16)))
    return session
  }

  /// What the session makes of two tables.
  private static func status(_ links: [UInt8], _ routes: [UInt8]) -> NetworkStatus? {
    var session = session()
    return complete(&session, 1, links, routes)
  }

  private static func complete(
    _ session: inout NetlinkSession,
    _ sequence: UInt32,
    _ links: [UInt8],
    _ routes: [UInt8]
  ) -> NetworkStatus? {
    let asked = receive(&session, links + Netlink.done(sequence))
    #expect(asked.status == nil)
    #expect(
      asked.request == Netlink.message(26, sequence + 1, flags: 0x301, [UInt8](repeating: 0, count: 12))
    )
    let answered = receive(&session, routes + Netlink.done(sequence + 1))
    #expect(answered.request == nil)
    return answered.status
  }

  private static func receive(_ session: inout NetlinkSession, _ octets: [UInt8]) -> NetlinkSession.Action {
    octets.withUnsafeBytes { session.receive($0) }
  }

  private static let eth0 = Netlink.link(4, "eth0", sequence: 1)
  private static let wlan0 = Netlink.link(5, "wlan0", sequence: 1)

  @Test func reportsTheLinkOfTheDefaultRoute() {
    let both = Self.eth0 + Self.wlan0
    #expect(Self.status(both, Netlink.route(via: 4, sequence: 2)) == .wired)
    #expect(Self.status(both, Netlink.route(via: 5, sequence: 2)) == .wifi)
    #expect(Self.status(both, []) == .offline)
    #expect(Self.status(both, Netlink.route(via: 4, prefix: 24, sequence: 2)) == .offline)
    #expect(Self.status(both, Netlink.route(via: 9, sequence: 2)) == .offline)
    #expect(Self.status([], []) == .offline)
  }

  @Test func theLowestMetricOfTheMainTableCounts() {
    let both = Self.eth0 + Self.wlan0
    let (cable, air) = (
      Netlink.route(via: 4, metric: 600, sequence: 2), Netlink.route(via: 5, metric: 100, sequence: 2)
    )
    #expect(Self.status(both, cable + air) == .wifi)
    #expect(Self.status(both, air + cable) == .wifi)
    let side = Netlink.route(via: 5, table: 100, sequence: 2)
    #expect(Self.status(both, side + cable) == .wired)
    #expect(Self.status(both, side) == .wifi)
  }

  @Test func linksThatLeadNowhereDoNotCount() {
    let route = Netlink.route(via: 4, metric: 1, sequence: 2) + Netlink.route(via: 5, metric: 2, sequence: 2)
    // Not up; no carrier; the loopback.
    for flags in [0x1042, 0x1003, 0x49] as [UInt32] {
      let link = Netlink.link(4, "eth0", flags: flags, sequence: 1)
      #expect(Self.status(link, route) == .offline)
      #expect(Self.status(link + Self.wlan0, route) == .wifi)
    }
  }

  @Test func aChangeReadsTheTablesAgain() {
    var session = Self.session()
    #expect(Self.complete(&session, 1, Self.eth0, Netlink.route(via: 4, sequence: 2)) == .wired)
    for change in [
      Netlink.route(via: 4, sequence: 0, isGone: true), Netlink.route(via: 5, sequence: 99),
      Netlink.link(4, "eth0", flags: 0x1003, sequence: 0), Netlink.link(4, "eth0", sequence: 0, isGone: true),
      Netlink.link(6, "new", sequence: 0), Netlink.message(21, 0, [UInt8](repeating: 0, count: 8)),
    ] {
      var copy = session
      #expect(
        Self.receive(&copy, change).request
          == Netlink.message(18, 3, flags: 0x301, [UInt8](repeating: 0, count: 16))
      )
      #expect(Self.complete(&copy, 3, Netlink.link(4, "eth0", sequence: 3), []) == .offline)
    }
    // What is known, or does not matter.
    for other in [
      Netlink.link(4, "eth0", sequence: 0), Netlink.route(via: 4, prefix: 24, sequence: 0), Netlink.done(2),
      Netlink.message(2, 2, Netlink.number(Int32(-16))), Netlink.message(28, 0, [0]), [1, 2, 3], [],
    ] {
      #expect(Self.receive(&session, other) == NetlinkSession.Action())
    }
  }

  @Test func aChangeWhileTheTablesAreReadIsNotLost() {
    var session = Self.session()
    _ = Self.receive(&session, Self.eth0 + Netlink.route(via: 4, sequence: 0, isGone: true) + Netlink.done(1))
    let action = Self.receive(&session, Netlink.route(via: 4, sequence: 2) + Netlink.done(2))
    #expect(action.status == .wired)
    #expect(action.request != nil)
    #expect(Self.complete(&session, 3, Netlink.link(4, "eth0", sequence: 3), []) == .offline)
    // The kernel says by itself that a table was not read in one piece.
    _ = Self.receive(&session, Netlink.message(21, 0, [UInt8](repeating: 0, count: 8)))
    _ = Self.receive(&session, Netlink.done(5, flags: 0x12))
    #expect(Self.receive(&session, Netlink.done(6)).request != nil)
  }

  @Test func anErrorEndsTheReading() {
    var session = Self.session()
    #expect(
      Self.receive(&session, Netlink.message(2, 1, Netlink.number(Int32(-16)))) == NetlinkSession.Action()
    )
    let action = Self.receive(&session, Netlink.route(via: 4, sequence: 0))
    #expect(action.request != nil)
  }

  private static let links = [UInt8](repeating: 0, count: 16)

  @Test func whatTheKernelDidNotTakeIsAskedForWithTheNextNews() {
    var session = Self.session()
    session.requestFailed()
    let action = Self.receive(&session, Netlink.route(via: 4, sequence: 0))
    #expect(action.request == Netlink.message(18, 2, flags: 0x301, Self.links))
    let link = Netlink.link(4, "eth0", sequence: 2)
    #expect(Self.complete(&session, 2, link, Netlink.route(via: 4, sequence: 3)) == .wired)
  }

  /// The kernel reads out one table at a time.
  @Test func whatWasRefusedIsAskedForWhenTheOtherTableEnds() {
    var session = Self.session()
    _ = session.restart()
    let refusal = Netlink.message(2, 2, Netlink.number(Int32(-16)))
    #expect(Self.receive(&session, refusal) == NetlinkSession.Action())
    let action = Self.receive(&session, Netlink.done(1))
    #expect(action.request == Netlink.message(18, 3, flags: 0x301, Self.links))
    let link = Netlink.link(4, "eth0", sequence: 3)
    #expect(Self.complete(&session, 3, link, Netlink.route(via: 4, sequence: 4)) == .wired)
    // Once alone.
    #expect(Self.receive(&session, Netlink.done(1)) == NetlinkSession.Action())
  }
}
