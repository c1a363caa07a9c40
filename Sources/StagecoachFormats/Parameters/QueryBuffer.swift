/// The text of a query in the making, which escapes what is added to it.
struct QueryBuffer {
  private let table: PercentEncoding
  private let keyTable: PercentEncoding
  /// The text, `count` bytes, and room for more.
  private var storage: [UInt8]
  private var count = 0

  /// - Parameter room: How many bytes there is room for at first.
  init(_ escaping: QueryEncoder.Escaping, room: Int) {
    storage = [UInt8](repeating: 0, count: room)
    table =
      switch escaping {
      case .afnetworking: .afnetworking
      case .strict, .literalBrackets: .unreserved
      case .form: .form
      }
    keyTable = escaping == .literalBrackets ? .literalBrackets : table
  }

  var bytes: ArraySlice<UInt8> { storage[..<count] }

  /// Adds a delimiter.
  mutating func append(_ delimiter: UInt8) {
    reserve(1)
    storage[count] = delimiter
    count += 1
  }

  /// Adds text that has been escaped.
  mutating func append(escaped text: ArraySlice<UInt8>) {
    reserve(text.count)
    storage.replaceSubrange(count..<count + text.count, with: text)
    count += text.count
  }

  /// Adds a delimiter, if there is one, and text, which is escaped.
  mutating func append(
    escaping text: UnsafeBufferPointer<UInt8>,
    after delimiter: UInt8? = nil,
    isKey: Bool = false
  ) {
    // The longest there can be, and one since four bytes are stored at a time, however many of them count.
    reserve(3 * text.count + 2)
    let (table, start) = (isKey ? keyTable : table, count)
    count = storage.withUnsafeMutableBytes { target in
      guard let base = target.baseAddress else { return start }
      var end = base + start
      if let delimiter {
        end.storeBytes(of: delimiter, as: UInt8.self)
        end += 1
      }
      for byte in text {
        let written = table[byte]
        end.storeBytes(of: written.littleEndian, as: UInt32.self)
        end += Int(written >> 24)
      }
      return end - base
    }
  }

  private mutating func reserve(_ room: Int) {
    guard storage.count - count < room else { return }
    storage.append(contentsOf: repeatElement(0, count: max(room, storage.count)))
  }
}
