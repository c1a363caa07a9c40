import HTTPTypes

@testable import StagecoachCache
@testable import StagecoachCore

/// Any octets in what stores have written are refused, or read as what is written in the same way: heads, rows of the
/// index of the disk store with their small bodies, and replies and values of Redis.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: start, count: count))
  checkHead(octets)
  checkRedis(octets)
  checkReplies(octets)
  do {
    try IndexOfAnything.shared.check(octets)
  } catch {
    preconditionFailure("the index cannot be used: \(error)")
  }
  return 0
}

private func checkHead(_ octets: [UInt8]) {
  guard let response = try? CachedResponse(decoding: Bytes(octets)) else { return }
  let again = (try? response.encoded).flatMap { try? CachedResponse(decoding: $0) }
  precondition(again == response, "a head is written in another way")
}

/// The first octet is the length of the identifier, the next ones are the identifier, and the rest is the value.
private func checkRedis(_ octets: [UInt8]) {
  let id = octets.dropFirst().prefix(Int(octets.first ?? 0))
  let rest = Bytes(Array(octets.dropFirst(1 + id.count)))
  for reply in [RedisReply.bytes(Bytes(Array(id))), .bytes(Bytes("0123456789abcdef")), .null] {
    guard let entry = RedisEntry.entry(id: reply, head: .bytes(rest)) else { continue }
    precondition(entry.length >= 0, "a length of \(entry.length)")
    let again = (try? RedisEntry.head(entry.response, length: entry.length)).flatMap {
      RedisEntry.entry(id: .bytes(Bytes(RedisKeys.text(of: entry.id))), head: .bytes($0))
    }
    precondition(again?.response == entry.response && again?.length == entry.length, "written in another way")
  }
  for length in [0, Int64(rest.count) - 4, .max] {
    guard let content = RedisEntry.content(rest, length: length) else { continue }
    precondition(content.count == length, "content of another length")
    precondition(
      RedisEntry.content(content.withUnsafeBytes { Array($0) }) == rest,
      "content is written in another way"
    )
  }
  let written = RedisEntry.content(octets)
  precondition(RedisEntry.content(written, length: Int64(octets.count)) == Bytes(octets), "content was lost")
}
