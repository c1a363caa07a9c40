#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What is at a place, nil if that is no value of the type; why tells `refusal`.
extension DecodingSession {
  @inline(__always)
  func bool(at place: Place) -> Bool? { withText(at: place) { ScalarText.bool($0) } }

  @inline(__always)
  func string(at place: Place) -> String? { withText(at: place) { String(decoding: $0, as: UTF8.self) } }

  func double(at place: Place) -> Double? { withText(at: place) { ScalarText.double($0) } }

  func float(at place: Place) -> Float? { withText(at: place) { ScalarText.float($0) } }

  @inline(__always)
  func integer<Number: FixedWidthInteger>(at place: Place) -> Number? {
    withText(at: place) { ScalarText.integer($0, as: Number.self) }
  }

  private func trimmedString(at place: Place) -> String? {
    withText(at: place) { String(decoding: ScalarText.trimmed($0), as: UTF8.self) }
  }

  private func url(at place: Place) -> URL? { trimmedString(at: place).flatMap { URL(string: $0) } }

  private func decimal(at place: Place) -> Decimal? { withText(at: place) { ScalarText.decimal($0) } }

  private func date(at place: Place, _ depth: Int) throws -> Date? {
    switch options.dateStyle {
    case .iso8601: withText(at: place) { DateText.date($0, timeMayMiss: true) }
    case .day: withText(at: place) { DateText.day($0) }
    case .internetMessage: withText(at: place) { DateText.internetMessage($0) }
    case .seconds: double(at: place).map { Date(timeIntervalSince1970: $0) }
    case .milliseconds: double(at: place).map { Date(timeIntervalSince1970: $0 / 1000) }
    case .custom(_, let read): try custom(read, at: place, depth)
    }
  }

  private func data(at place: Place, _ depth: Int) throws -> Data? {
    switch options.dataStyle {
    case .base64: withText(at: place) { DataText.base64($0) }
    case .hexadecimal: withText(at: place) { DataText.hexadecimal($0) }
    case .custom(_, let read): try custom(read, at: place, depth)
    }
  }

  private func custom<Value>(
    _ read: @Sendable (String) throws -> Value,
    at place: Place,
    _ depth: Int
  ) throws -> Value? {
    guard let text = string(at: place) else { return nil }
    do {
      return try read(text)
    } catch let error as DecodingError {
      throw error
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: workspace.codingPath(depth),
          debugDescription: "“\(excerpt(text))” is not a \(Value.self)\(location(of: place))",
          underlyingError: error
        )
      )
    }
  }

  /// Decodes the value at a place.
  func decode<Value: Decodable>(
    _ type: Value.Type,
    _ kind: KeyPlan.ValueKind,
    at place: Place,
    depth: Int
  ) throws -> Value {
    switch kind {
    case .other, .attribute, .text:
      guard workspace.nest() else { throw nestingRefusal(depth) }
      defer { workspace.unnest() }
      return try Value(from: PlaceDecoder(self, place, depth: depth))
    case .date: return try same(try date(at: place, depth), type, place, depth)
    case .data: return try same(try data(at: place, depth), type, place, depth)
    case .url: return try same(url(at: place), type, place, depth)
    case .decimal: return try same(decimal(at: place), type, place, depth)
    case .element: return try same(element(at: place), type, place, depth)
    }
  }

  /// A value of a type that is known to be `Value`.
  @inline(__always)
  private func same<Known, Value>(
    _ value: Known?,
    _ type: Value.Type,
    _ place: Place,
    _ depth: Int
  ) throws -> Value {
    guard let value else { throw refusal(of: type, at: place, depth) }
    guard let same = value as? Value else { throw refusal(of: type, at: place, depth) }
    return same
  }
}
