import HTTPTypes

/// The fields of a part in the making, line by line.
struct MultipartHead {
  /// The most fields, whatever their size: `HTTPFields` traps at 65,535.
  static let mostFields = 1_000

  private let limit: Int
  private var size = 0
  private var line: [UInt8] = []
  private var fields: HTTPFields = [:]
  /// The field whose value may go on in the next line.
  private var open: (name: HTTPField.Name, value: [UInt8])?

  init(limit: Int) {
    self.limit = limit
  }

  /// Reads a piece of a line, with its line end if it has one; the fields once the line is the empty one.
  mutating func read(_ piece: Bytes, endsLine: Bool, part: Int) throws(MultipartError) -> HTTPFields? {
    guard piece.count <= limit - size else { throw .limit(.headSize, limit) }
    size += piece.count
    piece.withUnsafeBytes { line.append(contentsOf: $0) }
    guard endsLine else { return nil }
    line.removeLast()
    if line.last == 0x0D { line.removeLast() }
    defer { line.removeAll(keepingCapacity: true) }
    if line.isEmpty { return finish() }
    guard try readLine() else {
      throw .invalidField(part: part, line: String(decoding: line.prefix(80), as: UTF8.self))
    }
    return nil
  }

  /// Whether the line is a field, or goes on with one (RFC 5322 2.2.3).
  private mutating func readLine() throws(MultipartError) -> Bool {
    guard !line.contains(where: { $0 == 0 || $0 == 0x0D }), let first = line.first else { return false }
    if first.isBlankInField {
      guard open != nil else { return false }
      open?.value.append(0x20)
      open?.value.append(contentsOf: line[...].trimmed)
      return true
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      let name = HTTPField.Name(String(decoding: line[..<colon].trimmed, as: UTF8.self))
    else { return false }
    closeField()
    guard fields.count < Self.mostFields else { throw .limit(.headSize, limit) }
    open = (name, Array(line[(colon + 1)...].trimmed))
    return true
  }

  private mutating func closeField() {
    guard let field = open else { return }
    fields.append(HTTPField(name: field.name, lenientValue: field.value))
    open = nil
  }

  private mutating func finish() -> HTTPFields {
    closeField()
    defer {
      fields = [:]
      size = 0
    }
    return fields
  }
}
