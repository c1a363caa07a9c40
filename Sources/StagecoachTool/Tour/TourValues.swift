#if Tool
  import Stagecoach
  import Synchronization

  /// The content of the origin's `/json`.
  struct Article: Codable, Sendable, Equatable {
    struct Author: Codable, Sendable, Equatable {
      var name: String
      var active: Bool
      var manager: String?
    }

    var title: String
    var count: Int
    var tags: [String]
    var author: Author

    static let expected = Article(
      title: "Stagecoach",
      count: 3,
      tags: ["http", "swift", "Grüße, 世界"],
      author: Author(name: "A. Driver", active: true, manager: nil)
    )
  }

  /// The content of the origin's `/upload`.
  struct Receipt: Codable, Sendable, Equatable, CustomStringConvertible {
    var length: Int
    var fnv1a64: String

    /// The receipt that bytes should get.
    init(for bytes: [UInt8]) {
      length = bytes.count
      let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      let digits = String(hash, radix: 16)
      fnv1a64 = String(repeating: "0", count: 16 - digits.count) + digits
    }

    var description: String { "\(length) bytes, FNV-1a \(fnv1a64)" }
  }

  /// The bytes that `/bytes` of the origin sends.
  func patternBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8($0 % 251) }
  }

  /// CRC-32 as gzip uses it (RFC 1952 section 8).
  func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  /// A value that several tasks change.
  final class Shared<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>

    init(_ value: Value) {
      storage = Mutex(value)
    }

    var value: Value { storage.withLock { $0 } }

    func update(_ change: (inout Value) -> Void) {
      storage.withLock { change(&$0) }
    }
  }
#endif
