import HTTPTypes
package import StagecoachFormats

/// What a parser made of some content: parts with their content joined, whether they were complete, and how it
/// ended.
package struct ReadMultipart: Equatable, Sendable {
  package struct Part: Equatable, Sendable {
    package var fields: [String] = []
    package var content: [UInt8] = []
    package var isComplete = false
    package var text: String { String(decoding: content, as: UTF8.self) }
  }

  package var parts: [Part] = []
  package var isClosed = false
  package var error: MultipartError?

  /// Reads content fed in chunks of the sizes that `size` gives.
  package init(
    _ content: [UInt8],
    boundary: String,
    limits: MultipartLimits = MultipartLimits(),
    size: () -> Int = { .max }
  ) {
    do throws(MultipartError) {
      var parser = try MultipartParser(boundary: boundary, limits: limits)
      var rest = content[...]
      while !rest.isEmpty {
        let chunk = rest.prefix(max(1, size()))
        rest = rest.dropFirst(chunk.count)
        parser.feed(Bytes(chunk))
        try drain(&parser)
      }
      parser.finish()
      try drain(&parser)
    } catch {
      self.error = error
    }
  }

  private mutating func drain(_ parser: inout MultipartParser) throws(MultipartError) {
    while let event = try parser.next() {
      switch event {
      case .partStarted(let fields):
        parts.append(Part(fields: fields.map { "\($0.name.rawName): \($0.value)" }))
      case .content(let bytes): parts[parts.count - 1].content += bytes.array
      case .partEnded: parts[parts.count - 1].isComplete = true
      case .ended: isClosed = true
      @unknown default: break
      }
    }
  }
}
