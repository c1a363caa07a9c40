import StagecoachCore

/// One coding of a body being undone, within the limits of the request.
struct DecodingLayer {
  /// The most room that a decoder gets at a time, and the least.
  private static let room = 1024...64 * 1024
  /// From how many decoded bytes on their ratio to the coded ones counts, and the other way round.
  private static let freeBytes: Int64 = 1024 * 1024

  private let name: String
  private let decoder: any ContentDecoder
  private let sizeLimit: Int64?
  private let ratioLimit: Int?
  private var input = Bytes()
  /// Whether the decoder may have more without more input.
  private var wasFilled = false
  private var consumed: Int64 = 0
  private var produced: Int64 = 0
  /// Coded bytes that nothing has come of: each decoded one makes up for as many as the ratio allows.
  private var fruitless: Int64 = 0
  /// Bytes behind the end of the coded data.
  private var ignored: Int64 = 0
  /// Whether the coded data has ended, although more bytes follow, and whether that was reported.
  private var hasEnded = false
  private var isEndReported = false

  init(_ coding: any ContentCoding, options: RequestOptions) throws(ExchangeError) {
    name = coding.name
    do throws(ContentCodingError) {
      decoder = try coding.makeDecoder()
    } catch {
      throw Self.failure(error, of: name)
    }
    sizeLimit = options.decodedBodyLimit
    ratioLimit = options.decodingRatioLimit
  }

  /// Gives the next coded bytes, once ``decode()`` has returned nil.
  mutating func append(_ chunk: Bytes) {
    input = chunk
  }

  /// The next decoded bytes; nil if that needs more input.
  mutating func decode() throws(ExchangeError) -> Bytes? {
    while !input.isEmpty || wasFilled {
      let output = hasEnded ? skip() : try step()
      try checkLimits()
      if !output.isEmpty { return Bytes(output) }
    }
    return nil
  }

  /// Returns the name of the coding if its data has ended before the body, once.
  mutating func takeEndedCoding() -> String? {
    guard hasEnded, !isEndReported else { return nil }
    isEndReported = true
    return name
  }

  /// Ignores the input.
  private mutating func skip() -> [UInt8] {
    consumed += Int64(input.count)
    ignored += Int64(input.count)
    (input, wasFilled) = (Bytes(), false)
    return []
  }

  /// Calls the decoder once. Little input gets little room, so that small chunks do not keep large buffers.
  private mutating func step() throws(ExchangeError) -> [UInt8] {
    let room = min(max(input.count, Self.room.lowerBound / 4), Self.room.upperBound / 4) * 4
    // The standard library's initializer does not support typed throws.
    var result: Result<(consumed: Int, produced: Int), ContentCodingError> = .success((0, 0))
    let output = input.withUnsafeBytes { [decoder] input in
      [UInt8](unsafeUninitializedCapacity: room) { output, count in
        let output = UnsafeMutableRawBufferPointer(start: output.baseAddress, count: room)
        do throws(ContentCodingError) {
          let step = try decoder.decode(input, into: output)
          count = min(max(0, step.produced), room)
          result = .success(step)
        } catch {
          result = .failure(error)
        }
      }
    }
    do throws(ContentCodingError) {
      let step = try result.get()
      guard output.count == step.produced, 0...input.count ~= step.consumed else {
        throw ContentCodingError(.coder, "the decoder returned an impossible result")
      }
      if step.consumed + step.produced == 0, !input.isEmpty {
        try decoder.finish()
        hasEnded = true
      }
      input = input.dropFirst(step.consumed)
      wasFilled = step.produced == room
      consumed += Int64(step.consumed)
      produced += Int64(step.produced)
      let credit = Int64(step.produced).multipliedReportingOverflow(by: Int64(max(1, ratioLimit ?? 1)))
      fruitless = credit.overflow ? 0 : max(0, fruitless + Int64(step.consumed) - credit.partialValue)
    } catch {
      throw Self.failure(error, of: name)
    }
    return output
  }

  /// Checks that the coded data has ended with the body. A body without a byte is empty in every coding.
  func finish() throws(ExchangeError) {
    guard consumed > 0, !hasEnded else { return }
    do throws(ContentCodingError) {
      try decoder.finish()
    } catch {
      throw Self.failure(error, of: name)
    }
  }

  private func checkLimits() throws(ExchangeError) {
    if let limit = sizeLimit, produced > limit {
      throw ExchangeError.limit(
        .decodedBody,
        "the response body is larger than \(limit) bytes after decoding \(name)",
        advice: "raise options.\(RequestOptions.decodedBodyLimit.name) if a body of this size is expected",
        limit: (RequestOptions.decodedBodyLimit.name, "\(limit) bytes")
      )
    }
    guard let limit = ratioLimit else { return }
    // More than `limit` times what was consumed, without a product that could overflow.
    if produced > Self.freeBytes, (produced - 1) / Int64(max(1, limit)) >= consumed {
      throw outOfProportion("\(limit) to 1")
    }
    // Without that, empty members or frames without end would keep the reader waiting and a core busy.
    if fruitless > Self.freeBytes { throw outOfProportion("1 to \(limit)") }
    // Nor may what is ignored go on without end.
    if ignored > Self.freeBytes {
      throw ExchangeError.limit(
        .decodedBody,
        "more than \(Self.freeBytes) bytes follow the end of the \(name) data",
        advice: "unset options.\(RequestOptions.decodingRatioLimit.name) to ignore them without a limit",
        limit: (RequestOptions.decodingRatioLimit.name, "1 to \(limit)")
      )
    }
  }

  private func outOfProportion(_ ratio: String) -> ExchangeError {
    ExchangeError.limit(
      .decodedBody,
      "decoding \(name) turned \(consumed) bytes of the response body into \(produced)",
      advice: "raise options.\(RequestOptions.decodingRatioLimit.name) if the server is trusted",
      limit: (RequestOptions.decodingRatioLimit.name, ratio)
    )
  }

  static func failure(_ error: ContentCodingError, of name: String) -> ExchangeError {
    ExchangeError(
      .contentCoding(error.reason),
      "the content is not valid \(name): \(error.detail)",
      advice: error.reason == .malformed
        ? "if the server mislabels its content, set Accept-Encoding explicitly to get it undecoded" : nil,
      underlying: error
    )
  }
}
