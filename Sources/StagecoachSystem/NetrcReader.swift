import StagecoachCore

/// Reads the words of a `.netrc` file; see ``NetrcFile``.
struct NetrcReader {
  private let octets: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var line = 1
  /// Whether nothing but blanks was read of the line.
  private var isAtLineStart = true
  private var entries: [NetrcFile.Entry] = []

  init(octets: UnsafeBufferPointer<UInt8>) {
    self.octets = octets
  }

  mutating func read() throws(NetrcError) -> [NetrcFile.Entry] {
    while skipBlanks() {
      if octets[position] == UInt8(ascii: "#") {
        skipLine()
        continue
      }
      let start = line
      let keyword = try readWord().lowercased()
      switch keyword {
      case "machine": entries.append(NetrcFile.Entry(host: try readValue(of: keyword)))
      case "default": entries.append(NetrcFile.Entry())
      case "login": try set(\.login, keyword, line: start)
      case "password": try set(\.password, keyword, line: start)
      case "account": try set(\.account, keyword, line: start)
      case "macdef": skipMacro()
      default: throw NetrcError(.unknownWord, line: start)
      }
    }
    return entries
  }

  private mutating func set(
    _ value: WritableKeyPath<NetrcFile.Entry, String?>,
    _ keyword: String,
    line: Int
  ) throws(NetrcError) {
    guard !entries.isEmpty else { throw NetrcError(.outsideOfMachine(keyword: keyword), line: line) }
    entries[entries.count - 1][keyPath: value] = try readValue(of: keyword)
  }

  private mutating func readValue(of keyword: String) throws(NetrcError) -> String {
    let start = line
    while skipBlanks() {
      // As curl has it, a line that starts so is a comment even between a keyword and its value.
      guard isAtLineStart, octets[position] == UInt8(ascii: "#") else { return try readWord() }
      skipLine()
    }
    throw NetrcError(.missingValue(keyword: keyword), line: start)
  }

  /// Whether there is something behind the blanks.
  private mutating func skipBlanks() -> Bool {
    while position < octets.count, octets[position] <= 0x20 {
      if octets[position] == UInt8(ascii: "\n") {
        line += 1
        isAtLineStart = true
      }
      position += 1
    }
    return position < octets.count
  }

  private mutating func skipLine() {
    while position < octets.count, octets[position] != UInt8(ascii: "\n") { position += 1 }
  }

  /// Skips to the end of the next line that is empty.
  private mutating func skipMacro() {
    skipLine()
    while position < octets.count {
      position += 1
      line += 1
      isAtLineStart = true
      let start = position
      skipLine()
      if octets[start..<position].allSatisfy({ $0 <= 0x20 }) { return }
    }
  }

  private mutating func readWord() throws(NetrcError) -> String {
    isAtLineStart = false
    guard octets[position] == UInt8(ascii: "\"") else {
      let start = position
      while position < octets.count, octets[position] > 0x20 { position += 1 }
      return try word(octets[start..<position])
    }
    position += 1
    var value: [UInt8] = []
    while position < octets.count, octets[position] != UInt8(ascii: "\n") {
      var octet = octets[position]
      position += 1
      if octet == UInt8(ascii: "\"") { return try word(value) }
      if octet == UInt8(ascii: "\\") {
        guard position < octets.count, octets[position] != UInt8(ascii: "\n") else { break }
        octet = Self.escaped(octets[position])
        position += 1
      }
      value.append(octet)
    }
    throw NetrcError(.unterminatedQuote, line: line)
  }

  private func word(_ octets: some Collection<UInt8>) throws(NetrcError) -> String {
    guard octets.count <= NetrcFile.maximumWordLength else {
      throw NetrcError(.wordTooLong(limit: NetrcFile.maximumWordLength), line: line)
    }
    return String(decoding: octets, as: UTF8.self)
  }

  private static func escaped(_ octet: UInt8) -> UInt8 {
    switch octet {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: octet
    }
  }
}
