import StagecoachCore

extension Generator {
  /// Returns a value; `nil` if the generator is not for this side, so that the example stays.
  ///
  /// - Throws: ``GeneratorError`` if there is none.
  func value(in context: GeneratorContext) throws(GeneratorError) -> JSONValue? {
    switch self {
    case .randomInteger(let min, let max):
      return .number(JSONNumber(context.random(in: Swift.min(min, max)...Swift.max(min, max))))
    case .randomDecimal(let digits): return decimal(digits, context)
    case .randomHexadecimal(let digits): return .string(context.text(of: "0123456789ABCDEF", count: digits))
    case .randomString(let size): return .string(context.text(of: Self.alphanumerics, count: size))
    case .regex(let text): return .string(try RegexSample(text).text(in: context))
    case .uuid(let format): return .string(Self.uuid(format, context))
    case .date(let pattern, let expression):
      return .string(try date(pattern ?? .date, expression, context))
    case .time(let pattern, let expression):
      return .string(try date(pattern ?? .time, expression, context))
    case .dateTime(let pattern, let expression):
      return .string(try date(pattern ?? Self.dateTimePattern ?? .dateTime, expression, context))
    case .randomBoolean: return .bool(context.random(below: 2) == 1)
    case .providerState(let expression):
      return context.side == .provider
        ? try ProviderStateExpression(expression).value(context.providerState) : nil
    case .mockServerURL(let example, let regex):
      guard context.side == .consumer, let base = context.mockServerURL else { return nil }
      return .string(try Self.url(base, example, regex))
    }
  }

  /// The name of the first value that the handlers of provider states did not return; `nil` if none is missing.
  func missingState(in context: GeneratorContext) -> String? {
    guard case .providerState = self else { return nil }
    do throws(GeneratorError) {
      _ = try value(in: context)
      return nil
    } catch {
      if case .missingValue(let name) = error { return name }
      return nil
    }
  }

  private static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  /// The most digits or characters that are generated.
  package static let greatestSize = 10_000

  private func decimal(_ digits: Int, _ context: GeneratorContext) -> JSONValue {
    let before = context.random(in: 1...max(1, digits - 1))
    let first =
      before == 1 ? context.text(of: "0123456789", count: 1) : context.text(of: "123456789", count: 1)
    let whole = first + context.text(of: "0123456789", count: before - 1)
    let fraction =
      context.text(of: "0123456789", count: digits - before - 1) + context.text(of: "123456789", count: 1)
    return JSONNumber("\(whole).\(fraction)").map { .number($0) } ?? .null
  }

  /// A UUID of version 4 (RFC 9562 5.4).
  private static func uuid(_ format: UUIDFormat, _ context: GeneratorContext) -> String {
    let high = context.randomSource.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = context.randomSource.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = (high.bigEndianBytes + low.bigEndianBytes).hexadecimal
    let hyphenated = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
      String(digits.dropFirst(range.lowerBound).prefix(range.count))
    }
    .joined(separator: "-")
    switch format {
    case .simple: return digits
    case .lowerCaseHyphenated: return hyphenated
    case .upperCaseHyphenated: return hyphenated.uppercased()
    case .urn: return "urn:uuid:" + hyphenated
    }
  }

  private func date(
    _ pattern: DateTimePattern,
    _ expression: String?,
    _ context: GeneratorContext
  ) throws(GeneratorError) -> String {
    let now = context.clock.date
    guard let expression, !expression.trimmed.isEmpty else { return pattern.string(from: now) }
    return pattern.string(from: try DateExpression(expression).date(from: now))
  }

  private static func url(_ base: String, _ example: String, _ regex: String) throws(GeneratorError) -> String
  {
    do throws(TextPatternError) {
      guard let path = try TextPattern(regex).firstGroup(in: example) else {
        throw TextPatternError.malformed(pattern: regex, reason: "")
      }
      return (base.hasSuffix("/") && path.hasPrefix("/") ? String(base.dropLast()) : base) + path
    } catch {
      throw .mismatchedExample(example, regex: regex)
    }
  }
}
