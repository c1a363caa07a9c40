#if AsyncHTTPClient
  import StagecoachCore

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Finds the end of a head, and what a parser would make too much or too little of: a status line of any length, with
  /// empty lines before it, and tabs in the fields that say where the content ends.
  ///
  /// It follows the octets as they come, ahead of the parser that reads them. What is no head it leaves to that.
  struct HeadMeter {
    /// What is in a part of a head.
    struct Finding {
      /// How many of the octets are up to its end; nil if that has yet to come.
      var end: Int?
      /// Whether the content may be in chunks.
      var mayHaveChunks = false
      /// Where tabs are in the values of fields that say where the content ends, and of Connection. Only such stand
      /// there as are no part of a value (RFC 9110 5.5), and the parser takes spaces alone for that.
      var tabs: [Int] = []
    }

    private static let length = Array("content-length:".utf8)
    private static let coding = Array("transfer-encoding:".utf8)
    private static let connection = Array("connection:".utf8)

    private var isInFields = false
    /// How many octets came of what is bounded.
    private var size = 0
    /// How many octets came of the line that goes on, the last of them, and the first of them, to know its name.
    private var lineSize = 0
    private var last: UInt8 = 0
    private var name: [UInt8] = []
    private var mayHaveChunks = false

    /// Follows more of a head.
    ///
    /// - Parameter limits: What is counted against them, as a field is.
    /// - Returns: What is in it. After the end of a head the next one begins.
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
          look(at: line, from: start, &finding)
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

    private mutating func look(at line: UnsafeRawBufferPointer, from start: Int, _ finding: inout Finding) {
      // Nearly all are told apart by their first octet.
      guard let first = (name.first ?? line.first).map({ $0 | 0x20 }),
        first == UInt8(ascii: "c") || first == UInt8(ascii: "t")
      else { return }
      if starts(line, with: Self.coding) {
        mayHaveChunks = true
      } else if !starts(line, with: Self.length), !starts(line, with: Self.connection) {
        return
      }
      var tab = Self.index(of: 0x09, in: line, from: 0)
      while let found = tab {
        finding.tabs.append(start + found)
        tab = Self.index(of: 0x09, in: line, from: found + 1)
      }
    }

    /// Whether the line, with what came of it before, has a name.
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
      var meter = ResponseHeadLimits.Meter(limits)
      try meter.add(size, isField: false)
    }
  }
#endif
