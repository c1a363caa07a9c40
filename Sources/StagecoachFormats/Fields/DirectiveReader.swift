/// Reads a list of directives: `name`, `name=token` or `name="quoted"`, separated by commas (RFC 9111 5.2).
struct DirectiveReader: FieldReading {
  let octets: UnsafeBufferPointer<UInt8>
  var position = 0
  /// Whether an element so far is not a directive.
  private(set) var hasMalformedElement = false

  struct Directive {
    let name: Range<Int>
    let argument: Argument
  }

  enum Argument {
    case absent
    case token(Range<Int>)
    case quoted([UInt8])
    /// There is something between the name and the comma that the grammar does not allow, such as a blank beside `=`.
    case malformed
  }

  init(octets: UnsafeBufferPointer<UInt8>) { self.octets = octets }

  /// The next directive; nil at the end. Elements that do not start with a name are skipped.
  mutating func next() -> Directive? {
    while position < octets.count {
      skipBlanks()
      let start = position
      while position < octets.count, octets[position].isTokenOctet { position += 1 }
      let name = start..<position
      if name.isEmpty {
        skipElement()
        continue
      }
      let argument = argument()
      if case .malformed = argument { hasMalformedElement = true }
      skipBlanks()
      guard position == octets.count || octets[position] == UInt8(ascii: ",") else {
        skipElement()
        return Directive(name: name, argument: .malformed)
      }
      position += 1
      return Directive(name: name, argument: argument)
    }
    return nil
  }

  private mutating func argument() -> Argument {
    guard take(UInt8(ascii: "=")) else { return .absent }
    if take(UInt8(ascii: "\"")) { return closedQuotedString().map(Argument.quoted) ?? .malformed }
    let start = position
    while position < octets.count, octets[position].isTokenOctet { position += 1 }
    return position == start ? .malformed : .token(start..<position)
  }

  /// The rest of a quoted string; nil if its closing quote is missing.
  private mutating func closedQuotedString() -> [UInt8]? {
    var value: [UInt8] = []
    while position < octets.count {
      if take(UInt8(ascii: "\"")) { return value }
      if octets[position] == UInt8(ascii: "\\"), position + 1 < octets.count { position += 1 }
      value.append(octets[position])
      position += 1
    }
    return nil
  }

  /// Goes behind the next comma that is not in a quoted string.
  private mutating func skipElement() {
    // An empty element is allowed.
    if position < octets.count, octets[position] != UInt8(ascii: ",") { hasMalformedElement = true }
    while position < octets.count, !take(UInt8(ascii: ",")) {
      if take(UInt8(ascii: "\"")) {
        _ = closedQuotedString()
      } else {
        position += 1
      }
    }
  }
}

extension DirectiveReader.Argument {
  func value(in octets: UnsafeBufferPointer<UInt8>) -> CacheControl.Value {
    switch self {
    case .absent: .absent
    case .malformed: .malformed
    case .token(let range): octets[range].deltaSeconds.map { .seconds($0) } ?? .text(Array(octets[range]))
    case .quoted(let text): text.deltaSeconds.map { .seconds($0) } ?? .text(text)
    }
  }
}

extension Collection<UInt8> {
  /// A number of seconds, at most 2³¹; nil if there is anything but digits (RFC 9111 1.2.2).
  @inlinable
  package var deltaSeconds: Int? {
    guard !isEmpty else { return nil }
    var seconds = 0
    for octet in self {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) else { return nil }
      seconds = Swift.min(seconds * 10 + Int(octet - UInt8(ascii: "0")), 1 << 31)
    }
    return seconds
  }
}
