import StagecoachCore

/// The codings of a body being undone, one after the other.
struct DecodingChain {
  /// The result of a decoding step.
  enum Step {
    case chunk(Bytes)
    case needsInput
    case end
  }

  /// In the order in which they are undone.
  private var layers: [DecodingLayer] = []
  private var input: Bytes?
  private var inputHasEnded = false

  init(_ codings: [any ContentCoding], options: RequestOptions) throws(ExchangeError) {
    for coding in codings { layers.append(try DecodingLayer(coding, options: options)) }
  }

  /// Gives the next bytes of the body, or nil at its end, once ``next()`` has asked for them.
  mutating func append(_ chunk: Bytes?) {
    input = chunk
    inputHasEnded = chunk == nil
  }

  /// The next bytes with all codings undone.
  mutating func next() throws(ExchangeError) -> Step {
    try next(layers.count)
  }

  /// Returns the name of a coding whose data has ended before the body, once for each.
  mutating func takeEndedCoding() -> String? {
    for index in layers.indices {
      if let name = layers[index].takeEndedCoding() { return name }
    }
    return nil
  }

  /// Returns the next bytes after decoding this many of the codings.
  private mutating func next(_ count: Int) throws(ExchangeError) -> Step {
    guard count > 0 else {
      defer { input = nil }
      return input.map { .chunk($0) } ?? (inputHasEnded ? .end : .needsInput)
    }
    while true {
      if let chunk = try layers[count - 1].decode() { return .chunk(chunk) }
      switch try next(count - 1) {
      case .chunk(let chunk): layers[count - 1].append(chunk)
      case .needsInput: return .needsInput
      case .end:
        try layers[count - 1].finish()
        return .end
      }
    }
  }
}
