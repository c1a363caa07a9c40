import StagecoachCore

/// Decodes gzip and deflate, including variants of servers: several members, padding, missing wrappers.
final class InflatingDecoder: ContentDecoder {
  enum Format: Equatable {
    case gzip(passesPlainContent: Bool)
    case deflate
  }

  private enum Phase {
    /// The format is determined by the first two bytes of a member.
    case start
    case inflating
    /// Content that is labelled as encoded but is not.
    case copying
    /// A member has ended.
    case between
    /// Zeros have followed the last member.
    case padding
    /// Something else follows the last member.
    case ended
    case failed(ContentCodingError)
  }

  private let format: Format
  private let inflater: Inflater
  private var phase = Phase.start
  private var members = 0
  /// The first two bytes of a member, until they are decoded.
  private var held: [UInt8] = []

  init(_ format: Format) throws(ContentCodingError) {
    self.format = format
    inflater = try Inflater()
  }

  func decode(
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) throws(ContentCodingError) -> (consumed: Int, produced: Int) {
    var (consumed, produced) = (0, 0)
    while true {
      let rest = UnsafeRawBufferPointer(rebasing: input[consumed...])
      let room = UnsafeMutableRawBufferPointer(rebasing: output[produced...])
      switch phase {
      case .failed(let error):
        // Decoded bytes are passed on first.
        guard produced == 0 else { return (consumed, produced) }
        throw error
      case .start:
        guard let byte = rest.first else { return (consumed, produced) }
        held.append(byte)
        consumed += 1
        if held.count == 2 || held[0] != 0x1F && format != .deflate { begin() }
        if case .ended = phase { consumed -= 1 }
      case .between:
        guard let byte = rest.first else { return (consumed, produced) }
        endOfMember(before: byte)
      case .padding:
        guard rest.allSatisfy({ $0 == 0 }) else {
          phase = .ended
          continue
        }
        return (input.count, produced)
      case .ended:
        return (consumed, produced)
      case .copying, .inflating:
        let step = take(rest, into: room)
        consumed += step.consumed
        produced += step.produced
        guard step.hasChanged else { return (consumed, produced) }
      }
    }
  }

  /// Decodes the stored bytes, then the input. Returns whether there is more to do with the same input.
  private func take(
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) -> (consumed: Int, produced: Int, hasChanged: Bool) {
    guard held.isEmpty else {
      let step = held.withUnsafeBytes { advance($0, into: output) }
      held.removeFirst(step.consumed)
      return (0, step.produced, step.hasChanged || step.consumed > 0)
    }
    return advance(input, into: output)
  }

  private func advance(
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) -> (consumed: Int, produced: Int, hasChanged: Bool) {
    if case .copying = phase {
      let count = min(input.count, output.count)
      output.copyBytes(from: input.prefix(count))
      return (count, count, false)
    }
    let step = inflater.inflate(input, into: output)
    switch step.outcome {
    case .isUnderWay:
      return (step.consumed, step.produced, false)
    case .hasEnded:
      members += 1
      phase = .between
    case .failed(let error):
      phase = .failed(error)
    }
    return (step.consumed, step.produced, true)
  }

  /// Chooses how to go on by the first two bytes of a member.
  private func begin() {
    phase = .inflating
    switch format {
    case .deflate:
      // RFC 1950 2.2: method 8, a window of at most 32 KiB, and the two bytes are a multiple of 31. Bare
      // data that begins like this would be a stored block with rubbish in its padding.
      let isZlib =
        held[0] & 0x0F == 8 && held[0] >> 4 <= 7 && (Int(held[0]) << 8 | Int(held[1])) % 31 == 0
      inflater.start(isZlib ? .zlib : .none)
    case .gzip(let passesPlainContent):
      if held == [0x1F, 0x8B] {
        inflater.start(.gzip)
      } else if members > 0 {
        phase = .ended
      } else if passesPlainContent {
        phase = .copying
      } else {
        phase = .failed(ContentCodingError(.malformed, "the content does not start like gzip"))
      }
    }
  }

  private func endOfMember(before byte: UInt8) {
    if byte == 0 {
      phase = .padding
    } else if byte == 0x1F, case .gzip = format {
      phase = .start
    } else {
      phase = .ended
    }
  }

  func finish() throws(ContentCodingError) {
    switch phase {
    case .failed(let error): throw error
    case .between, .padding, .ended, .copying: return
    // A single octet behind a member does not start another one.
    case .start where members > 0: return
    case .start, .inflating: throw .truncated
    }
  }
}
