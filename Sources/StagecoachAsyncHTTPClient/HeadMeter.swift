#if AsyncHTTPClient
  import StagecoachCore
  import StagecoachTransportKit

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Finds the end of a head, and input that the parser handles badly: a status line of any length, empty lines before
  /// it, and tabs in the fields that determine the end of the content.
  ///
  /// It sees the octets before the parser does, and leaves malformed heads to the parser.
  struct HeadMeter {
    /// The result of examining a part of a head.
    struct Finding {
      /// The number of octets up to the end of the head; `nil` if the end has not arrived.
      var end: Int?
      /// Whether the content may be chunked.
      var mayHaveChunks = false
      /// The positions of tabs in the values of Connection and of fields that determine the end of the content. Tabs
      /// there are white space around a value (RFC 9110 5.5), and the parser accepts only spaces as such.
      var tabs: [Int] = []
      /// A defect that the parser refuses without a useful description.
      var defect: String?
    }

    private static let length = Array("content-length:".utf8)
    private static let coding = Array("transfer-encoding:".utf8)
    private static let connection = Array("connection:".utf8)

    private var isInFields = false
    /// The number of limited octets so far.
    private var size = 0
    /// The number of octets of the current line so far, its last octet, and its first octets, to recognize its name.
    private var lineSize = 0
    private var last: UInt8 = 0
    private var name: [UInt8] = []
    private var mayHaveChunks = false
    private var hasLength = false

    /// Processes more octets of a head.
    ///
    /// - Parameter limits: The limits that the octets count against.
    /// - Returns: The findings. After the end of a head the next one begins.
    /// - Throws: ``ExchangeError`` of kind `limit(.responseHead)`.
    mutating func add(
      _ bytes: UnsafeRawBufferPointer,
      limits: @autoclosure () -> ResponseHeadLimits
    ) throws -> Finding {
      var finding = Finding()
      var start = 0
      while start < bytes.count {
        let found = Self.index(of: 0x0a, in: bytes, from: start)
        let end = found ?? bytes.count
        let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        if isInFields {
          if lineSize == 0, let octet = line.first, octet == 0x20 || octet == 0x09 {
            finding.defect = "a field on several lines (RFC 9112 5.2)"
          }
          look(at: line, from: start, isEnd: found != nil, &finding)
        } else {
          try count(line.count + (found == nil ? 0 : 1), limits: limits())
        }
        last = line.last ?? last
        lineSize += line.count
        guard found != nil else {
          name += line.prefix(max(0, Self.coding.count - name.count))
          return finding
        }
        start = end + 1
        if last != 0x0d || lineSize == 0 { finding.defect = "a line that ends with a bare LF (RFC 9112 2.2)" }
        let isEmpty = lineSize == 0 || lineSize == 1 && last == 0x0d
        if isEmpty, isInFields {
          (finding.end, finding.mayHaveChunks) = (start, mayHaveChunks)
          self = HeadMeter()
          return finding
        }
        if !isEmpty { isInFields = true }
        lineSize = 0
        if !name.isEmpty { name = [] }
      }
      return finding
    }

    private mutating func look(
      at line: UnsafeRawBufferPointer,
      from start: Int,
      isEnd: Bool,
      _ finding: inout Finding
    ) {
      // The first octet rules out nearly all names.
      guard let first = (name.first ?? line.first).map({ $0 | 0x20 }),
        first == UInt8(ascii: "c") || first == UInt8(ascii: "t")
      else { return }
      if starts(line, with: Self.coding) {
        mayHaveChunks = true
      } else if starts(line, with: Self.length) {
        if isEnd {
          if hasLength { finding.defect = "Content-Length twice (RFC 9112 6.3)" }
          hasLength = true
        }
      } else if !starts(line, with: Self.connection) {
        return
      }
      if hasLength, mayHaveChunks {
        finding.defect = "Content-Length beside Transfer-Encoding (RFC 9112 6.3)"
      }
      var tab = Self.index(of: 0x09, in: line, from: 0)
      while let found = tab {
        finding.tabs.append(start + found)
        tab = Self.index(of: 0x09, in: line, from: found + 1)
      }
    }

    /// Whether the line, with its part that arrived before, begins with a name.
    private func starts(_ line: UnsafeRawBufferPointer, with wanted: [UInt8]) -> Bool {
      guard name.count + line.count >= wanted.count else { return false }
      for (index, byte) in wanted.enumerated() {
        let octet = index < name.count ? name[index] : line[index - name.count]
        guard octet == byte || octet | 0x20 == byte else { return false }
      }
      return true
    }

    private static func index(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
      guard let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), bytes.count - start)
      else {
        return nil
      }
      return UnsafeRawPointer(found) - base
    }

    private mutating func count(_ octets: Int, limits: ResponseHeadLimits) throws {
      size += octets
      var meter = ResponseHeadMeter(limits)
      try meter.add(size, isField: false)
    }
  }
#endif
