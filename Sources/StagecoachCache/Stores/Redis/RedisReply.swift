#if Redis
  import CHiredis
  import StagecoachCore

  /// A reply of the server.
  enum RedisReply: Sendable, Hashable {
    case bytes(Bytes)
    case integer(Int64)
    case array([RedisReply])
    case null
    /// An error; only its first word is kept, because the rest may repeat arguments.
    case failure(code: String)

    /// Copies a reply of hiredis, whose depth is bounded by its parser.
    init(_ reply: redisReply) {
      switch reply.type {
      case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .bytes(Bytes(Self.octets(reply)))
      case REDIS_REPLY_INTEGER: self = .integer(reply.integer)
      case REDIS_REPLY_ARRAY:
        let elements = UnsafeBufferPointer(
          start: reply.element,
          count: reply.element == nil ? 0 : reply.elements
        )
        self = .array(elements.map { $0.map { RedisReply($0.pointee) } ?? .null })
      case REDIS_REPLY_ERROR:
        let word = Self.octets(reply).prefix(32).prefix {
          (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
        }
        self = .failure(code: word.isEmpty ? "ERR" : String(decoding: word, as: UTF8.self))
      default: self = .null
      }
    }

    private static func octets(_ reply: redisReply) -> [UInt8] {
      guard let text = reply.str else { return [] }
      return Array(UnsafeRawBufferPointer(start: text, count: reply.len))
    }
  }
#endif
