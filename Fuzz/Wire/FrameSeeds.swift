/// Replies of HTTP/2 (RFC 9113), frame by frame, and their changes.
struct FrameSeeds {
  let chance: Chance

  // Of the static table of HPACK (RFC 7541 A).
  private static let ok: [UInt8] = [0x88]
  private static let statuses: [[UInt8]] = [
    ok, [0x89], [0x8a], [0x8b], [0x8c], [0x8d], [0x8e], literal(":status", "103"), literal(":status", "999"),
    literal(":status", ""), literal(":status", "20"), [],
  ]

  /// Field lines, some of which no response may have, and what is no field line at all.
  private static let blocks: [[UInt8]] = [
    literal("x-a", "b"), literal("content-length", "2"), literal("content-length", "-1"),
    literal("content-length", "99"), literal("Upper", "case"), literal("", ""), literal("x a", "b"),
    literal("connection", "close"), literal("transfer-encoding", "chunked"), literal(":status", "200"),
    literal(":path", "/"), literal("x-a", "b\r\nX-Evil: c"), literal("x-a", "\u{0}"),
    literal("set-cookie", "a=b"),
    literal("location", "/next"), literal("trailer", "x-sum"),
    literal("x-long", String(repeating: "l", count: 100)),
    [0xbe], [0x80], [0xff, 0xff, 0xff, 0xff, 0xff, 0x0f], [0x3f, 0xe1, 0xff, 0x7f], [0x20],
    [0x40, 0x01, 0x61, 0x81, 0xff], [0x00, 0x82, 0xff, 0xff, 0x01, 0x62], [0x40, 0x7f],
    // Into the dynamic table, and from there many times.
    [0x40, 0x01, 0x61, 0x01, 0x62] + Array(repeating: 0xbe, count: 200),
  ]

  /// A literal that is not indexed (RFC 7541 6.2.2), without Huffman code.
  private static func literal(_ name: String, _ value: String) -> [UInt8] {
    [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
  }

  private static let strays: [Frame] = [
    Frame(type: Frame.Kind.data, stream: 0, payload: [1, 2]),
    Frame(type: Frame.Kind.data, flags: Frame.padded, payload: [200, 1, 2]),
    Frame(type: Frame.Kind.data, flags: Frame.padded, payload: [1, 65, 0]),
    Frame(type: Frame.Kind.data, length: 16_777_215, payload: [1]),
    Frame(type: Frame.Kind.data, stream: 9, payload: [1]),
    Frame(type: Frame.Kind.data, stream: 2, payload: [1]),
    Frame(type: Frame.Kind.data), Frame(type: Frame.Kind.data, flags: Frame.endStream),
    Frame(type: Frame.Kind.headers, payload: ok),
    Frame(type: Frame.Kind.headers, flags: Frame.endHeaders | Frame.padded, payload: [9, 0x88]),
    Frame(type: Frame.Kind.headers, flags: Frame.endHeaders | 0x20, payload: [0, 0, 0, 1, 16, 0x88]),
    Frame(type: 2, payload: [0, 0, 0, 1, 16]), Frame(type: 2, stream: 0, payload: [0]),
    Frame(type: Frame.Kind.reset, payload: [0, 0, 0, 0]),
    Frame(type: Frame.Kind.reset, payload: [0, 0, 0, 8]),
    Frame(type: Frame.Kind.reset, stream: 0, payload: [0, 0, 0, 8]),
    Frame(type: Frame.Kind.reset, payload: [0]),
    Frame(type: Frame.Kind.settings, stream: 0), Frame(type: Frame.Kind.settings, stream: 3),
    Frame(type: Frame.Kind.settings, stream: 0, payload: [0, 1]),
    Frame(type: Frame.Kind.settings, stream: 0, payload: [0, 3, 0, 0, 0, 0]),
    Frame(type: Frame.Kind.settings, stream: 0, payload: [0, 4, 255, 255, 255, 255]),
    Frame(type: Frame.Kind.settings, stream: 0, payload: [0, 5, 0, 0, 0, 1]),
    Frame(type: Frame.Kind.settings, stream: 0, payload: [0, 1, 0, 0, 0, 0]),
    Frame(type: Frame.Kind.settings, flags: Frame.endStream, stream: 0, payload: [0, 0, 0, 0, 0, 0]),
    // PUSH_PROMISE, which no client here allows.
    Frame(type: 5, flags: Frame.endHeaders, payload: [0, 0, 0, 2, 0x82, 0x86, 0x84]),
    Frame(type: Frame.Kind.ping, stream: 0, payload: Array(repeating: 1, count: 8)),
    Frame(type: Frame.Kind.ping, stream: 0, payload: [1]),
    Frame(type: Frame.Kind.goAway, stream: 0, payload: [0, 0, 0, 0, 0, 0, 0, 0]),
    Frame(type: Frame.Kind.goAway, stream: 0, payload: [127, 255, 255, 255, 0, 0, 0, 0]),
    Frame(type: Frame.Kind.goAway, stream: 0, payload: [0]),
    Frame(type: Frame.Kind.windowUpdate, payload: [0, 0, 0, 0]),
    Frame(type: Frame.Kind.windowUpdate, stream: 0, payload: [127, 255, 255, 255]),
    Frame(type: Frame.Kind.windowUpdate, stream: 0, payload: [0]),
    Frame(type: Frame.Kind.continuation, flags: Frame.endHeaders, payload: ok),
    Frame(type: 0xc, stream: 0, payload: [0]), Frame(type: 0xff, flags: 0xff, payload: [1, 2, 3]),
  ]

  /// The settings that a connection begins with: most often none.
  func settings() -> [Part] {
    guard chance.once(in: 4) else { return [Part(frame: Frame(type: Frame.Kind.settings, stream: 0))] }
    let name = UInt8(chance.below(9))
    let value: [UInt8] = chance.pick([
      [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 64, 0], [255, 255, 255, 255], [0, 1, 0, 0],
    ])
    return [Part(frame: Frame(type: Frame.Kind.settings, stream: 0, payload: [0, name] + value))]
  }

  /// An answer that is as it should be.
  func plain(_ body: [UInt8]) -> [Frame] {
    var frames = [Frame(type: Frame.Kind.headers, flags: Frame.endHeaders, payload: Self.ok)]
    let cut = chance.below(body.count)
    frames.append(Frame(type: Frame.Kind.data, payload: Array(body[..<cut])))
    // A frame without content is a matter of its own.
    if cut == 0 { frames.removeLast() }
    frames.append(Frame(type: Frame.Kind.data, flags: Frame.endStream, payload: Array(body[cut...])))
    return frames
  }

  /// An answer whose stream does not end, and what breaks it off. RST_STREAM of NO_ERROR is not among that: libcurl takes
  /// it for the end, which is a listed deviation of the conformance kit (108l).
  func cutShort(_ body: [UInt8]) -> [Frame] {
    var frames = plain(body)
    frames[frames.count - 1].flags = 0
    let breaks = Self.strays.filter {
      $0.flags & Frame.endStream == 0 && $0.type != Frame.Kind.headers
        && !($0.type == Frame.Kind.reset && $0.payload == [0, 0, 0, 0])
    }
    if !chance.once(in: 3) { frames.append(chance.pick(breaks)) }
    return frames
  }

  /// An answer, changed at so many places.
  func mutated(times: Int) -> [Frame] {
    var head = chance.once(in: 2) ? Self.ok : chance.pick(Self.statuses)
    while chance.once(in: 2) { head += chance.pick(Self.blocks) }
    var frames = plain(Array("hello, world".utf8))
    frames[0].payload = head
    if chance.once(in: 4) {
      frames[frames.count - 1].flags = 0
      let trailers = Frame(type: Frame.Kind.headers, flags: 5, payload: chance.pick(Self.blocks))
      frames.append(trailers)
    }
    for _ in 0..<times { change(&frames) }
    return frames
  }

  private func change(_ frames: inout [Frame]) {
    guard !frames.isEmpty else { return frames = [chance.pick(Self.strays)] }
    let index = chance.below(frames.count)
    switch chance.below(11) {
    case 0, 1, 2: frames.insert(chance.pick(Self.strays), at: chance.below(frames.count + 1))
    case 3: frames.remove(at: index)
    case 4:
      let count = chance.once(in: 8) ? chance.below(2000) : 1 + chance.below(3)
      frames.insert(contentsOf: Array(repeating: frames[index], count: count), at: index)
    case 5: frames[index].flags ^= 1 << UInt8(chance.below(8))
    case 6: frames[index].type = UInt8(chance.below(12))
    case 7: frames[index].stream = chance.pick([0, 1, 2, 3, 5, 0x7fff_ffff, 0xffff_ffff])
    case 8: frames[index].length = UInt32(chance.pick([0, 1, 5, 255, 16_384, 16_385, 16_777_215]))
    case 9: frames[index].payload += Array(repeating: chance.byte(), count: chance.below(20_000))
    default:
      guard !frames[index].payload.isEmpty else { return }
      frames[index].payload[chance.below(frames[index].payload.count)] ^= 1 << UInt8(chance.below(8))
    }
  }
}
