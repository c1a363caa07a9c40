/// Changes replies, with an eye for what HTTP/1.1 is made of.
struct Mutator {
  let chance: Chance
  /// Whole replies, of which parts are taken over.
  let seeds: [[UInt8]]

  private static let lineFeed: UInt8 = 10

  private static let octets: [UInt8] = [
    0, 9, 10, 11, 13, 32, 34, 40, 44, 45, 47, 48, 57, 58, 59, 61, 65, 127, 128, 160, 0xc3, 255,
  ]

  private static let numbers = [
    "0", "00", "1", "-1", "+1", "2", "7", "ff", "FFFFFFFF", "ffffffffffffffff", "7fffffffffffffff",
    "8000000000000000", "10000000000000000", "4294967295", "4294967296", "2147483648", "9223372036854775807",
    "9223372036854775808", "18446744073709551616", "99999999999999999999999", "0x10", "1e3", "100", "101",
    "103",
    "199", "200", "204", "205", "206", "304", "401", "407", "600", "999",
  ]

  private static let lines = [
    " fold: x", "\tfold", " ", "Content-Length: 0", "Content-Length: 2", "Content-Length: 5, 5",
    "Content-Length: -1",
    "Content-Length:  7\t", "Content-Length:", "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: identity", "Transfer-Encoding:\u{0b}chunked",
    "Connection: close", "Connection: keep-alive", "Connection: Content-Length",
    "Keep-Alive: timeout=0, max=0",
    "Upgrade: h2c", "Upgrade: websocket", "Trailer: X-Sum", "TE: trailers", "Content-Encoding: gzip",
    "Content-Encoding: br", "Content-Range: bytes 0-1/2", "Location: /", "Location: //[", "Location: http://",
    "Location: #f", "Set-Cookie: a=b", "Set-Cookie: =", "Set-Cookie: a=b; Domain=127.0.0.1; Max-Age=0",
    "WWW-Authenticate: Basic realm=\"a\"", "WWW-Authenticate: Digest realm=\"a\", nonce=\"n\", qop=\"auth\"",
    "WWW-Authenticate: Digest realm=\"a", "WWW-Authenticate: NTLM TlRMTVNTUAACAAAA",
    "WWW-Authenticate: Negotiate",
    "Proxy-Authenticate: Basic realm=\"p\"", "Authentication-Info: nextnonce=\"n2\"",
    "Proxy-Connection: close",
    "Alt-Svc: h2=\":1\"; ma=60", "Strict-Transport-Security: max-age=1", "Retry-After: 0",
    "Refresh: 0; url=/",
    ": empty", "X", "X:", "X : y", "\u{80}: y", "X: \u{0}", "HTTP/1.1 200 OK", "HTTP/1.0 200",
    "GET / HTTP/1.1", "",
  ]

  /// Changes a reply at so many places.
  func mutate(_ reply: [UInt8], times: Int) -> [UInt8] {
    var reply = reply
    for _ in 0..<times { change(&reply) }
    // Larger ones only take time.
    return Array(reply.prefix(80_000))
  }

  private func change(_ reply: inout [UInt8]) {
    guard !reply.isEmpty else {
      reply = chance.pick(seeds)
      return
    }
    switch chance.below(19) {
    case 0: reply[chance.below(reply.count)] ^= 1 << UInt8(chance.below(8))
    case 1: reply[chance.below(reply.count)] = chance.pick(Self.octets)
    case 2: insert(Array(repeating: chance.pick(Self.octets), count: 1 + chance.below(3)), into: &reply)
    case 3: reply.removeSubrange(chance.range(in: reply.count, upTo: 16))
    case 4: insert(Array(reply[chance.range(in: reply.count, upTo: 64)]), into: &reply)
    case 5: reply.removeLast(chance.below(reply.count))
    case 6: reply.removeSubrange(line(in: reply))
    case 7: repeatLine(in: &reply)
    case 8, 9, 10: insertLine(into: &reply)
    case 11: fold(&reply)
    case 12, 13: changeNumber(in: &reply)
    case 14: changeLineEnds(of: &reply)
    case 15: splice(&reply)
    case 16: swapLines(in: &reply)
    case 17: insert(Array(repeating: chance.byte(), count: 1 + chance.below(20_000)), into: &reply)
    default: reply = chance.once(in: 2) ? reply + chance.pick(seeds) : chance.pick(seeds) + reply
    }
  }

  private func insert(_ bytes: [UInt8], into reply: inout [UInt8]) {
    reply.insert(contentsOf: bytes, at: chance.below(reply.count + 1))
  }

  /// A line with what ends it.
  private func line(in reply: [UInt8]) -> Range<Int> {
    let starts = lineStarts(of: reply)
    let index = chance.below(starts.count)
    return starts[index]..<(index + 1 < starts.count ? starts[index + 1] : reply.count)
  }

  /// Where lines begin, the first of them at 0; of the first ones alone, which are the head.
  private func lineStarts(of reply: [UInt8]) -> [Int] {
    var starts = [0]
    for (index, octet) in reply.prefix(4096).enumerated()
    where octet == Self.lineFeed && index + 1 < reply.count {
      starts.append(index + 1)
    }
    return starts
  }

  private func repeatLine(in reply: inout [UInt8]) {
    let range = line(in: reply)
    let count = chance.once(in: 8) ? 1 + chance.below(400) : 1 + chance.below(3)
    let copies = Array(repeatElement(reply[range], count: count).joined().prefix(40_000))
    reply.insert(contentsOf: copies, at: range.upperBound)
  }

  private func insertLine(into reply: inout [UInt8]) {
    // Behind the first line more often than elsewhere.
    let starts = lineStarts(of: reply)
    let start = starts.count > 1 && chance.once(in: 3) ? starts[1] : chance.pick(starts)
    reply.insert(contentsOf: Latin1.bytes(chance.pick(Self.lines) + "\r\n"), at: start)
  }

  private func fold(_ reply: inout [UInt8]) {
    let starts = lineStarts(of: reply).dropFirst()
    guard let start = starts.isEmpty ? nil : chance.pick(Array(starts)) else { return }
    reply.insert(contentsOf: chance.once(in: 2) ? [32] : [13, 10, 9], at: start)
  }

  private func changeNumber(in reply: inout [UInt8]) {
    let digits = reply.prefix(4096).indices.filter { (48...57).contains(reply[$0]) }
    guard !digits.isEmpty else { return }
    let start = chance.pick(digits)
    var end = start + 1
    while end < reply.count, (48...57).contains(reply[end]) { end += 1 }
    reply.replaceSubrange(start..<end, with: Latin1.bytes(chance.pick(Self.numbers)))
  }

  private func changeLineEnds(of reply: inout [UInt8]) {
    let ends = reply.prefix(4096).indices.filter { reply[$0] == Self.lineFeed }
    guard !ends.isEmpty else { return }
    let end = chance.pick(ends)
    let isPair = end > 0 && reply[end - 1] == 13
    reply.replaceSubrange(
      (isPair ? end - 1 : end)...end,
      with: chance.pick([[10], [13], [13, 13, 10], [13, 10, 13, 10], [], [32, 13, 10]])
    )
  }

  private func splice(_ reply: inout [UInt8]) {
    let other = chance.pick(seeds)
    guard !other.isEmpty else { return }
    let start = line(in: other).lowerBound
    reply = Array(reply[..<line(in: reply).lowerBound]) + other[start...]
  }

  private func swapLines(in reply: inout [UInt8]) {
    let (one, other) = (line(in: reply), line(in: reply))
    let (first, second) = one.lowerBound < other.lowerBound ? (one, other) : (other, one)
    guard first.upperBound <= second.lowerBound else { return }
    let lines = Array(reply[second]) + reply[first.upperBound..<second.lowerBound] + reply[first]
    reply.replaceSubrange(first.lowerBound..<second.upperBound, with: lines)
  }
}
