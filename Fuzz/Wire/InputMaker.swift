/// Makes the inputs of a run: the same for the same seed and number.
struct InputMaker: Sendable {
  /// Whether the engine speaks HTTP/2.
  let http2: HTTP2
  let seed: UInt64
  let seeds: Seeds

  enum HTTP2: Sendable {
    case none
    /// Over TLS only.
    case tls
    /// Over TLS and without it.
    case plain
  }

  func make(_ number: Int) -> Input {
    let chance = Chance(seed: seed, number: number)
    var input = Input(number: number, route: route(chance))
    switch input.route {
    case .honest: makeHonest(&input, chance)
    case .honestHTTP2: makeHonestHTTP2(&input, chance)
    case .tls, .plainHTTP2:
      makeRequest(&input, chance)
      input.opening = FrameSeeds(chance: chance).settings()
      input.replies = replies(chance) { framed(chance) }
    case .direct, .redirected, .proxied, .socks:
      makeRequest(&input, chance)
      input.opening = opening(of: input.route, chance)
      input.replies = replies(chance) { plain(chance) }
    }
    return input
  }

  private func route(_ chance: Chance) -> Input.Route {
    switch chance.below(100) {
    case 0..<40: .direct
    case 40..<60: .redirected
    case 60..<68: .proxied
    case 68..<71: .socks
    case 71..<86:
      switch http2 {
      case .none: .direct
      case .tls: .tls
      case .plain: chance.once(in: 5) ? .tls : .plainHTTP2
      }
    case 86..<95: .honest
    default: http2 == .none ? .honest : .honestHTTP2
    }
  }

  private func makeRequest(_ input: inout Input, _ chance: Chance) {
    input.method = chance.pick([
      "GET", "GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS",
    ])
    if ["POST", "PUT"].contains(input.method) {
      input.content = chance.pick([0, 5, 5, 70_000])
      input.repliesEarly = chance.once(in: 6)
    }
    switch chance.below(20) {
    case 0: input.reading = .none
    case 1: input.reading = .chunk
    case 2: input.cancelsAfter = chance.below(6)
    default: break
    }
  }

  private func times(_ chance: Chance) -> Int {
    chance.pick([0, 1, 1, 1, 1, 2, 2, 3, 4, 7])
  }

  private func replies(_ chance: Chance, _ make: () -> [Part]) -> [Reply] {
    (0..<(1 + chance.below(3))).map { _ in
      let end: Reply.End =
        switch chance.below(10) {
        case 0..<6: .keep
        case 6..<8: .close
        case 8: .halfClose
        default: .reset
        }
      return Reply(parts: make(), end: end)
    }
  }

  private func plain(_ chance: Chance) -> [Part] {
    let all = chance.once(in: 16) ? seeds.large : seeds.small
    let mutator = Mutator(chance: chance, seeds: seeds.small)
    return pieces(of: mutator.mutate(chance.pick(all), times: times(chance)), chance)
  }

  private func framed(_ chance: Chance) -> [Part] {
    let frames = FrameSeeds(chance: chance).mutated(times: times(chance))
    var parts = frames.map { Part(frame: $0) }
    guard chance.once(in: 8) else { return parts }
    let bytes = parts.flatMap { $0.octets(on: 1) }
    parts = pieces(of: Mutator(chance: chance, seeds: seeds.small).mutate(bytes, times: 1), chance)
    return parts
  }

  /// Cuts a reply, most often not at all, and seldom at every byte.
  private func pieces(of reply: [UInt8], _ chance: Chance) -> [Part] {
    if reply.count < 600, chance.once(in: 50) { return reply.map { .bytes([$0]) } }
    var cuts = chance.once(in: 2) ? [] : (0..<chance.below(4)).map { _ in chance.below(reply.count + 1) }
    cuts = [0] + cuts.sorted() + [reply.count]
    var parts: [Part] = []
    for (start, end) in zip(cuts, cuts.dropFirst()) where start < end {
      if !parts.isEmpty, chance.once(in: 2) { parts.append(Part(pause: chance.below(3))) }
      parts.append(.bytes(reply[start..<end]))
    }
    return parts
  }

  /// What a proxy says before there is a connection through it.
  private func opening(of route: Input.Route, _ chance: Chance) -> [Part] {
    let mutator = Mutator(chance: chance, seeds: seeds.small)
    let isChanged = chance.once(in: 3)
    func changed(_ bytes: [UInt8]) -> Part {
      .bytes(isChanged ? mutator.mutate(bytes, times: 1 + chance.below(2)) : bytes)
    }
    switch route {
    case .proxied:
      let answers = [
        "200 OK\r\n", "200 OK\r\n fold\r\n", "200 OK\r\nContent-Length: 3\r\n", "407 No\r\n", "502 No\r\n",
      ]
      let answer = chance.once(in: 4) ? chance.pick(answers) : answers[0]
      return [changed(Latin1.bytes("HTTP/1.1 \(answer)\r\n"))]
    case .socks: return [changed([5, 0]), changed([5, 0, 0, 1, 127, 0, 0, 1, 0, 80])]
    default: return []
    }
  }

  // MARK: Honest origins

  private func makeHonest(_ input: inout Input, _ chance: Chance) {
    input.body = String(repeating: "\(input.number),", count: 1 + chance.below(60))
    let body = Latin1.bytes(input.body)
    let head = "HTTP/1.1 200 OK\r\nX-Number: \(input.number)\r\n"
    var reply: [UInt8]
    // What a part must not reach to be one.
    let certain: Int
    if chance.once(in: 2) {
      reply = Latin1.bytes(head + "Content-Length: \(body.count)\r\n\r\n") + body
      certain = reply.count
    } else {
      reply = Latin1.bytes(head + "Transfer-Encoding: chunked\r\n\r\n")
      let cut = 1 + chance.below(body.count)
      for chunk in [body[..<cut], body[cut...]] where !chunk.isEmpty {
        reply += Latin1.bytes(String(chunk.count, radix: 16) + "\r\n") + chunk + [13, 10]
      }
      certain = reply.count
      reply += Latin1.bytes(chance.once(in: 2) ? "0\r\n\r\n" : "0\r\nX-Sum: 1\r\n\r\n")
    }
    guard chance.once(in: 2) else {
      input.outcome = .complete
      return input.replies = [
        Reply(parts: pieces(of: reply, chance), end: chance.once(in: 4) ? .close : .keep)
      ]
    }
    input.outcome = .incomplete
    let part = Array(reply[..<(1 + chance.below(certain - 1))])
    input.replies = [
      Reply(parts: pieces(of: part, chance), end: chance.pick([.close, .close, .reset, .halfClose]))
    ]
  }

  private func makeHonestHTTP2(_ input: inout Input, _ chance: Chance) {
    let frames = FrameSeeds(chance: chance)
    input.opening = [Part(frame: Frame(type: Frame.Kind.settings, stream: 0))]
    input.body = String(repeating: "\(input.number),", count: 1 + chance.below(60))
    let body = Latin1.bytes(input.body)
    input.outcome = chance.once(in: 2) ? .complete : .incomplete
    let reply = input.outcome == .complete ? frames.plain(body) : frames.cutShort(body)
    input.replies = [
      Reply(parts: reply.map { Part(frame: $0) }, end: input.outcome == .complete ? .keep : .close)
    ]
  }
}
