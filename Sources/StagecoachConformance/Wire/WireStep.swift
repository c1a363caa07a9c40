package import StagecoachCore

/// A step of a wire script.
public enum WireStep: Sendable, Hashable {
  /// Reads a head.
  case readHead
  /// Reads the body that the last head declares.
  case readBody
  /// Reads this many bytes.
  case read(Int)
  /// Reads until the peer closes its side.
  case readToEnd
  /// Sends bytes.
  case send([UInt8])
  /// Sends bytes one at a time.
  case drip([UInt8], every: Duration)
  /// Sends bytes repeatedly, until the peer ends the connection or this many bytes are sent.
  case sendForever([UInt8], limit: Int)
  /// Waits.
  case pause(Duration)
  /// Closes the sending side, but continues to read.
  case halfClose
  /// Closes the connection.
  case close
  /// Resets the connection.
  case reset
  /// Expects the peer to end the connection within a time, without sending any bytes.
  case expectEnd(within: Duration)
  /// Expects the peer to send nothing for a time.
  case expectSilence(for: Duration)
  /// Keeps the connection open until the peer ends it.
  case hold

  /// Does the step.
  func run(on wire: WireConnection) throws {
    switch self {
    case .readHead: try wire.readHead()
    case .readBody: try wire.readBody()
    case .read(let count): _ = try wire.read(count)
    case .readToEnd: try wire.readToEnd()
    case .send(let bytes): try wire.send(bytes)
    case .drip(let bytes, let interval):
      for byte in bytes {
        try wire.send([byte])
        if interval > .zero { wire.pause(interval) }
      }
    case .sendForever(let bytes, let limit):
      let block = Array(repeatElement(bytes, count: max(1, 16_384 / max(1, bytes.count))).joined())
      var sent = 0
      while sent < limit {
        try wire.send(block)
        sent += block.count
      }
    case .pause(let duration): wire.pause(duration)
    case .halfClose: wire.halfClose()
    case .close: wire.close()
    case .reset: wire.reset()
    case .expectEnd(let duration): try wire.expectEnd(within: duration)
    case .expectSilence(let duration): try wire.expectSilence(for: duration)
    case .hold: try wire.hold()
    }
  }
}

extension WireStep {
  /// Creates a step from its JSON form: a word, or an object with one member and optionally `every`, `times` or
  /// `limit`.
  package init(_ json: JSONValue) throws {
    switch json.stringValue {
    case "read head": self = .readHead
    case "read body": self = .readBody
    case "read to end": self = .readToEnd
    case "half-close": self = .halfClose
    case "close": self = .close
    case "reset": self = .reset
    case "hold": self = .hold
    case let word?: throw ScriptError("\"\(word)\" is not a step")
    case nil: self = try Self.step(json)
    }
  }

  private static func step(_ json: JSONValue) throws -> WireStep {
    func count(_ key: String) throws -> Int? {
      guard let count = try json.number(key) else { return nil }
      guard count >= 0 else { throw ScriptError("\"\(key)\" is negative") }
      return count
    }
    func duration(_ key: String) throws -> Duration? { try count(key).map { .milliseconds($0) } }
    func only(_ known: String...) throws { try json.refuseOthers(than: Set(known)) }
    if let count = try count("read") {
      try only("read")
      return .read(count)
    }
    if let pause = try duration("pause") {
      try only("pause")
      return .pause(pause)
    }
    if let within = try duration("expect end") {
      try only("expect end")
      return .expectEnd(within: within)
    }
    if let time = try duration("expect silence") {
      try only("expect silence")
      return .expectSilence(for: time)
    }
    if let text = try json.text("send") {
      try only("send", "times")
      let bytes = try bytes(of: ScriptText.expanded(text))
      return .send(Array(repeatElement(bytes, count: try count("times") ?? 1).joined()))
    }
    if let hex = try json.text("send hex") {
      try only("send hex")
      return .send(try ScriptText.bytes(ofHex: hex))
    }
    if let text = try json.text("drip") {
      try only("drip", "every")
      return .drip(try bytes(of: ScriptText.expanded(text)), every: try duration("every") ?? .zero)
    }
    if let text = try json.text("send forever") {
      try only("send forever", "limit")
      return .sendForever(
        try bytes(of: ScriptText.expanded(text)),
        limit: try count("limit") ?? 256 << 20
      )
    }
    throw ScriptError("\(json) is not a step")
  }

  /// Returns the bytes of a text in which each character represents the byte with its number.
  static func bytes(of text: String) throws -> [UInt8] {
    try text.unicodeScalars.map { scalar in
      guard let byte = UInt8(exactly: scalar.value) else {
        throw ScriptError("\(scalar) is not a byte: write bytes of UTF-8 one by one, as \\u00c3\\u00a9")
      }
      return byte
    }
  }
}

/// An error of a wire script that cannot be read.
public struct ScriptError: Error, CustomStringConvertible {
  /// A description of the error.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The notation of texts in scripts.
enum ScriptText {
  /// Returns a text with `{{x 100}}` replaced by `x`, repeated a hundred times.
  static func expanded(_ text: String) throws -> String {
    guard text.contains("{{") else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{") {
      result += rest[..<start.lowerBound]
      guard let end = rest[start.upperBound...].firstRange(of: "}}") else { break }
      let inner = rest[start.upperBound..<end.lowerBound]
      if let space = inner.lastIndex(of: " "), let count = Int(inner[inner.index(after: space)...]),
        count >= 0
      {
        result += String(repeating: String(inner[..<space]), count: count)
      } else {
        // Replaced when the server is known.
        result += "{{\(inner)}}"
      }
      rest = rest[end.upperBound...]
    }
    return result + rest
  }

  static func bytes(ofHex hex: String) throws -> [UInt8] {
    let digits = Array(hex.utf8.filter { $0 > 32 })
    guard digits.count % 2 == 0 else { throw ScriptError("an odd number of hexadecimal digits") }
    return try stride(from: 0, to: digits.count, by: 2).map { index in
      let pair = String(decoding: digits[index...(index + 1)], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { throw ScriptError("\(pair) is not hexadecimal") }
      return byte
    }
  }
}
