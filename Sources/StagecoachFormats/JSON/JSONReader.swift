/// Reads one JSON text from UTF-8 bytes in one pass.
///
/// Open containers are kept on separate stacks instead of the call stack, so that no input can exhaust that. Children
/// are collected on one stack per kind and moved to an array of the exact size when their container closes: one
/// allocation per container.
///
/// `bytes` is not bounds-checked in optimized code: every subscript follows a comparison with its count.
struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  let limits: JSONValue.Limits
  var position = 0
  /// The text of a string with escapes, kept for its storage.
  var unescaped: [UInt8] = []

  private enum Container {
    /// The index of its first child in `elements` or `members`.
    case array(Int), object(Int)
  }

  private var containers: [Container] = []
  private var elements: [JSONValue] = []
  private var members: [JSONObject.Member] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONValue.Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// The byte at the position, nil at the end.
  @inline(__always)
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Reads the whole text.
  mutating func document() throws(JSONSyntaxError) -> JSONValue {
    try skipMark()
    skipWhitespace()
    if isAtEnd { throw failure(.empty) }
    while true {
      guard let leaf = try beginValue() else { continue }
      if let document = try endValue(leaf) { return document }
    }
  }

  /// Reads a leaf or an empty container, or opens a container and returns nil: then its first value follows.
  @inline(__always)
  private mutating func beginValue() throws(JSONSyntaxError) -> JSONValue? {
    guard let byte = next else { throw failure(.expectedValue) }
    switch byte {
    case UInt8(ascii: "\""):
      return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .number(try number())
    case UInt8(ascii: "{"):
      try open(.object(members.count))
      if next == UInt8(ascii: "}") { return close() }
      try key()
      return nil
    case UInt8(ascii: "["):
      try open(.array(elements.count))
      return next == UInt8(ascii: "]") ? close() : nil
    case UInt8(ascii: "t"):
      return try word("true", .bool(true))
    case UInt8(ascii: "f"):
      return try word("false", .bool(false))
    case UInt8(ascii: "n"):
      return try word("null", .null)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
      throw failure(.unknownWord)
    default:
      throw failure(.expectedValue)
    }
  }

  /// Gives a complete value to its container, closes the containers that end after it, and goes on to the place
  /// of the next value. At the end of the text returns the outermost value.
  @inline(__always)
  private mutating func endValue(_ complete: JSONValue) throws(JSONSyntaxError) -> JSONValue? {
    var value = complete
    while true {
      skipWhitespace()
      switch containers.last {
      case .array:
        elements.append(value)
        if next == UInt8(ascii: ",") {
          skip()
          if next == UInt8(ascii: "]") { throw failure(.trailingComma) }
          return nil
        }
        guard next == UInt8(ascii: "]") else { throw failure(.expectedCommaOrBracket) }
      case .object:
        members[members.count - 1].value = value
        if next == UInt8(ascii: ",") {
          skip()
          if next == UInt8(ascii: "}") { throw failure(.trailingComma) }
          try key()
          return nil
        }
        guard next == UInt8(ascii: "}") else { throw failure(.expectedCommaOrBrace) }
      case nil:
        guard isAtEnd else { throw failure(.trailingContent) }
        return value
      }
      value = close()
    }
  }

  private mutating func open(_ container: Container) throws(JSONSyntaxError) {
    let limit = min(limits.depth, JSONValue.Limits.greatestDepth)
    guard containers.count < limit else { throw failure(.tooDeep(limit: limit)) }
    containers.append(container)
    skip()
  }

  /// Takes the innermost container with its children off the stacks and steps over its closing bracket.
  private mutating func close() -> JSONValue {
    position += 1
    switch containers.removeLast() {
    case .array(let start): return .array(Self.moveTail(of: &elements, from: start, filler: .null))
    case .object(let start):
      let filler = JSONObject.Member(key: "", value: .null)
      return .object(JSONObject(Self.moveTail(of: &members, from: start, filler: filler)))
    }
  }

  /// Moves instead of copying, which would retain and release every child.
  private static func moveTail<Child>(of stack: inout [Child], from start: Int, filler: Child) -> [Child] {
    let count = stack.count - start
    guard count > 0 else { return [] }
    let children = [Child](unsafeUninitializedCapacity: count) { target, initializedCount in
      stack.withUnsafeMutableBufferPointer { source in
        let tail = UnsafeMutableBufferPointer(rebasing: source[start...])
        _ = target.moveInitialize(fromContentsOf: tail)
        tail.initialize(repeating: filler)
      }
      initializedCount = count
    }
    stack.removeLast(count)
    return children
  }

  /// Reads the key of a member, its colon and the space around it.
  @inline(__always)
  private mutating func key() throws(JSONSyntaxError) {
    guard next == UInt8(ascii: "\"") else { throw failure(.expectedKey) }
    members.append(JSONObject.Member(key: try string(), value: .null))
    skipWhitespace()
    guard next == UInt8(ascii: ":") else { throw failure(.expectedColon) }
    skip()
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count else {
      throw failure(.unknownWord)
    }
    for offset in 0..<word.utf8CodeUnitCount where bytes[position + offset] != word.utf8Start[offset] {
      throw failure(.unknownWord)
    }
    position = end
    return value
  }

  /// Reads a number at the position, of which only the first byte has been looked at.
  mutating func number() throws(JSONSyntaxError) -> JSONNumber {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") {
      position += 1
      if let next, Self.isDigit(next) { throw failure(.leadingZero, at: position - 1) }
    } else {
      try digits()
    }
    if next == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if let next, next | 0x20 == UInt8(ascii: "e") {
      position += 1
      if self.next == UInt8(ascii: "+") || self.next == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    guard position - start <= limits.numberLength else {
      throw failure(.numberTooLong(limit: limits.numberLength), at: start)
    }
    return JSONNumber(checked: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  @inline(__always)
  private mutating func digits() throws(JSONSyntaxError) {
    let start = position
    while let next, Self.isDigit(next) { position += 1 }
    guard position > start else { throw failure(.invalidNumber) }
  }

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Steps over one byte and the white space after it.
  @inline(__always)
  private mutating func skip() {
    position += 1
    skipWhitespace()
  }

  @inline(__always)
  private mutating func skipWhitespace() {
    while let next, next <= 0x20,
      next == 0x20 || next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r") || next == UInt8(ascii: "\t")
    {
      position += 1
    }
  }

  /// Steps over a UTF-8 byte order mark and refuses other encodings, which their mark or the zero bytes around
  /// their first character give away.
  private mutating func skipMark() throws(JSONSyntaxError) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      return
    }
    let (first, second) = (bytes.first, bytes.dropFirst().first)
    guard let first, let second else { return }
    let pair = bytes.dropFirst(2).prefix(2)
    let wide = pair.count == 2 && pair.allSatisfy { $0 == 0 }
    switch (first, second) {
    case (0, 0): throw failure(.unsupportedEncoding("UTF-32"))
    case (0xFF, 0xFE), (1..., 0): throw failure(.unsupportedEncoding(wide ? "UTF-32" : "UTF-16"))
    case (0xFE, 0xFF), (0, _): throw failure(.unsupportedEncoding("UTF-16"))
    default: return
    }
  }

  /// An error at the position, or at `offset`. What begins a comment is reported as one.
  func failure(_ reason: JSONSyntaxError.Reason, at offset: Int? = nil) -> JSONSyntaxError {
    let offset = offset ?? position
    switch reason {
    case .expectedValue, .expectedKey, .expectedColon, .expectedCommaOrBracket, .expectedCommaOrBrace,
      .trailingContent:
      let start = bytes.dropFirst(offset).prefix(2)
      if start.elementsEqual("//".utf8) || start.elementsEqual("/*".utf8) {
        return JSONSyntaxError(.comment, at: offset, in: bytes)
      }
      return JSONSyntaxError(reason, at: offset, in: bytes)
    default:
      return JSONSyntaxError(reason, at: offset, in: bytes)
    }
  }
}
