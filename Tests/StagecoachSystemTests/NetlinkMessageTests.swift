import StagecoachStages
import TestSupport
import Testing

@testable import StagecoachCore
@testable import StagecoachSystem

@Suite struct NetlinkMessageTests {
  @Test func readsRecordedMessages() throws {
    let datagram =
      Netlink.Recorded.link + Netlink.Recorded.route4 + Netlink.Recorded.address + Netlink.Recorded.route6
      + Netlink.Recorded.done
    let messages = Netlink.parse(datagram)
    #expect(messages.count == 5)
    #expect(messages.allSatisfy { $0.sequence == 7 && !$0.isInterrupted })
    guard case .link(let link) = messages[0].content,
      case .defaultRoute(let route, isGone: false) = messages[1].content,
      case .defaultRoute(let route6, isGone: false) = messages[3].content
    else {
      Issue.record("\(messages)")
      return
    }
    #expect(link.index == 4 && link.name == "eth0" && link.hardware == 1 && link.isUsable)
    #expect(route.links == [4] && route.metric == 0 && route.isMain)
    #expect(route6.links == [4] && route6.metric == 1024)
    #expect(messages[2].content == .address && messages[4].content == .done)
  }

  @Test func ignoresRoutesThatAreNotDefault() {
    for octets in [
      Netlink.route(via: 1, prefix: 8, sequence: 1), Netlink.route(via: 1, type: 7, sequence: 1),
      Netlink.route(via: nil, sequence: 1), Netlink.message(24, 1, [2, 0, 0, 0, 254]),
    ] {
      #expect(Netlink.parse(octets).map(\.content) == [.other])
    }
  }

  @Test func readsRoutesOverSeveralLinks() {
    let hops =
      Netlink.number(UInt16(8)) + [0, 0] + Netlink.number(Int32(5)) + Netlink.number(UInt16(16)) + [0, 0]
      + Netlink.number(Int32(6)) + Netlink.attribute(5, [1, 2, 3, 4])
    let octets = Netlink.route(via: nil, more: Netlink.attribute(9, hops), sequence: 1)
    guard case .defaultRoute(let route, isGone: false)? = Netlink.parse(octets).first?.content else {
      Issue.record("no route")
      return
    }
    #expect(route.links == [5, 6])
  }

  @Test func readsErrorsAndIgnoresOtherMessages() {
    #expect(
      Netlink.parse(Netlink.message(2, 3, Netlink.number(Int32(-16)))).map(\.content) == [.failure(-16)]
    )
    #expect(Netlink.parse(Netlink.message(2, 3, [])).map(\.content) == [.failure(0)])
    #expect(Netlink.parse(Netlink.message(99, 3, [1])).map(\.content) == [.other])
    #expect(Netlink.parse(Netlink.message(16, 3, [1])).map(\.content) == [.other])
    #expect(Netlink.parse(Netlink.link(9, "x", sequence: 3, isGone: true)).map(\.content) == [.linkGone(9)])
    #expect(Netlink.parse(Netlink.done(3, flags: 0x12)).map(\.isInterrupted) == [true])
  }

  /// Lengths that lie end the datagram, and nothing is read behind its end.
  @Test func ignoresMessagesWithAWrongLength() {
    for length in [0, 1, 15, 17 + 52, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32] {
      let octets = Netlink.number(length) + Netlink.Recorded.route4.dropFirst(4)
      #expect(Netlink.parse(octets).isEmpty)
      #expect(Netlink.parse(Netlink.Recorded.done + octets).count == 1)
    }
    for length in [0, 3, 9, 0xFFFF] as [UInt16] {
      let octets = Netlink.route(via: 4, more: Netlink.number(length) + [6, 0, 1, 0, 0, 0], sequence: 1)
      #expect(Netlink.parse(octets).count == 1)
    }
    // Hops of no length would never end.
    let endless = Netlink.attribute(9, [UInt8](repeating: 0, count: 64))
    #expect(Netlink.parse(Netlink.route(via: 4, more: endless, sequence: 1)).count == 1)
  }

  @Test func everyPrefixAndAnyOctetsAreReadWithinBounds() {
    let whole =
      Netlink.Recorded.link + Netlink.Recorded.route4 + Netlink.Recorded.route6 + Netlink.Recorded.address
      + Netlink.route(
        via: nil,
        more: Netlink.attribute(9, Netlink.number(UInt32(8)) + [4, 0, 0, 0]),
        sequence: 7
      )
      + Netlink.Recorded.done
    for count in 0...whole.count { #expect(Netlink.parse(Array(whole.prefix(count))).count <= 6) }
    var random = SplitMix(state: 5)
    for _ in 0..<20_000 {
      var octets = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        octets[Int.random(in: 0..<octets.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let messages = Netlink.parse(Array(octets.prefix(Int.random(in: 0...octets.count, using: &random))))
      #expect(messages.count <= octets.count / 16)
      var session = NetlinkSession { _ in .wired }
      _ = session.restart()
      _ = octets.withUnsafeBytes { session.receive($0) }
    }
  }
}
