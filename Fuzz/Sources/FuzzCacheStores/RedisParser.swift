import CHiredis

@testable import StagecoachCache

/// What a server sends is read in the way that a connection reads it, whatever it is.
func checkReplies(_ octets: [UInt8]) {
  let table = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)
  defer { table.deallocate() }
  guard let reader = redisReaderCreate() else { return }
  defer { redisReaderFree(reader) }
  var context = redisContext()
  context.fd = -1
  context.reader = reader
  stagecoach_redis_prepare(&context, table)
  let isFed = octets.withUnsafeBytes { buffer in
    redisReaderFeed(reader, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
  }
  guard isFed == REDIS_OK else { return }
  var pointer: UnsafeMutableRawPointer?
  while redisReaderGetReply(reader, &pointer) == REDIS_OK, let reply = pointer {
    check(RedisReply(reply.assumingMemoryBound(to: redisReply.self).pointee))
    freeReplyObject(reply)
  }
}

private func check(_ reply: RedisReply) {
  switch reply {
  case .array(let elements):
    precondition(elements.count <= STAGECOACH_REDIS_MAX_ELEMENTS, "\(elements.count) elements")
    for (id, head) in zip(elements, elements.dropFirst()) { _ = RedisEntry.entry(id: id, head: head) }
    for element in elements { check(element) }
  case .failure(let code):
    precondition(!code.isEmpty && code.utf8.count <= 32, "the code is \(code)")
  case .bytes, .integer, .null: break
  }
}
