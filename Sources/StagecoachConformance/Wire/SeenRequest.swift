/// A request as received by a server on the wire.
public struct SeenRequest: Sendable {
  /// The first line, such as `GET / HTTP/1.1`.
  public let startLine: String
  /// The lines of the header section as pairs of name and value, without whitespace around values.
  public let fields: [(name: String, value: String)]
  /// The bytes of the head, including the empty line.
  public let head: [UInt8]
  /// The body, without framing.
  public internal(set) var body: [UInt8] = []
  /// The chunks of a chunked body.
  public internal(set) var chunks: [[UInt8]] = []
  /// The trailer fields of a chunked body.
  public internal(set) var trailers: [(name: String, value: String)] = []
  /// The values of the trailer fields, which need not be UTF-8.
  var trailerOctets: [[UInt8]] = []

  /// The method: the first word of the start line.
  public var method: String { String(startLine.prefix { $0 != " " }) }

  /// The target: the text between the method and the version.
  public var target: String {
    let parts = startLine.split(separator: " ", omittingEmptySubsequences: false)
    return parts.count == 3 ? String(parts[1]) : ""
  }

  init(head: [UInt8]) throws {
    let text = head.dropLast(4)
    var lines = text.split(separator: 10, omittingEmptySubsequences: false).map { line in
      line.last == 13 ? line.dropLast() : line
    }
    startLine = String(decoding: lines.removeFirst(), as: UTF8.self)
    fields = try lines.map { try Self.field($0) }
    self.head = head
  }

  init(startLine: String, fields: [(name: String, value: String)], body: [UInt8]) {
    self.startLine = startLine
    self.fields = fields
    self.body = body
    head = []
  }

  static func field(_ line: ArraySlice<UInt8>) throws -> (name: String, value: String) {
    let (name, octets) = try nameAndOctets(line)
    return (name, String(decoding: octets, as: UTF8.self))
  }

  static func nameAndOctets(_ line: ArraySlice<UInt8>) throws -> (name: String, octets: ArraySlice<UInt8>) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      throw WireError.unexpected("a line without a colon: \(String(decoding: line, as: UTF8.self))")
    }
    var value = line[(colon + 1)...]
    while let first = value.first, first == 32 || first == 9 { value = value.dropFirst() }
    while let last = value.last, last == 32 || last == 9 { value = value.dropLast() }
    return (String(decoding: line[..<colon], as: UTF8.self), value)
  }

  /// Returns the value of the first line with a name, ignoring case, as it came.
  func octets(of name: String) -> [UInt8]? {
    for line in head.dropLast(4).split(separator: 10).dropFirst() {
      let field = try? Self.nameAndOctets(line.last == 13 ? line.dropLast() : line)
      if let field, field.name.lowercased() == name.lowercased() { return Array(field.octets) }
    }
    return nil
  }

  /// Returns the values of all lines with a name, ignoring case.
  public func values(of name: String) -> [String] {
    let name = name.lowercased()
    return fields.filter { $0.name.lowercased() == name }.map(\.value)
  }
}
