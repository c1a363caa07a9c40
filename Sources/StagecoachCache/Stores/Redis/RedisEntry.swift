#if Redis
  import StagecoachCore

  /// The form of heads and contents as values of the server, where anybody may have written anything.
  enum RedisEntry {
    /// The most bytes of a head.
    static let maxHeadSize = 64 << 10

    /// The value of a head: the number of bytes of its content, big-endian, and the binary form of the response.
    static func head(_ response: CachedResponse, length: Int64) throws -> Bytes {
      let encoded = try response.encoded
      guard encoded.count <= maxHeadSize else { throw CacheStoreError.tooLarge(limit: Int64(maxHeadSize)) }
      return Bytes(UInt64(clamping: length).bigEndianBytes + encoded.array)
    }

    /// Reads an entry; `nil` if it is not what this store writes.
    static func entry(id: RedisReply, head: RedisReply) -> CacheEntry? {
      guard case .bytes(let id) = id, id.count == 16, let id = UInt64(String(decoding: id), radix: 16),
        case .bytes(let head) = head,
        let length = head.prefix(8).bigEndianNumber, let length = Int64(exactly: length),
        let response = try? CachedResponse(decoding: head.dropFirst(8))
      else { return nil }
      return CacheEntry(id: id, response: response, length: length)
    }

    /// The value of a content: its checksum, big-endian, and itself.
    static func content(_ content: [UInt8]) -> Bytes { Bytes(CRC32.of(content).bigEndianBytes + content) }

    /// Reads a content; `nil` if its length or its checksum is not the expected one.
    static func content(_ value: Bytes, length: Int64) -> Bytes? {
      let content = value.dropFirst(4).array
      guard content.count == length, value.prefix(4).array == CRC32.of(content).bigEndianBytes else {
        return nil
      }
      return Bytes(content)
    }

    /// A hash of nominated fields, as 32 hexadecimal digits. Equal hashes of different fields only lead to a miss.
    static func hash(of vary: [CachedResponse.Nominated]) -> Bytes {
      var hash = SHA256()
      for field in vary {
        // Lengths, so that no two lists give the same bytes.
        hash.update(Bytes("\(field.name.utf8.count):\(field.name)"))
        hash.update(Bytes(field.value.map { "\($0.utf8.count):\($0)" } ?? "-"))
      }
      return Bytes(hash.digest().prefix(16).hexadecimal)
    }
  }

  extension Bytes {
    /// The number that eight bytes are; `nil` for another count.
    fileprivate var bigEndianNumber: UInt64? {
      guard count == 8 else { return nil }
      return array.reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
#endif
