#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// These functions return the value at a place; `nil` if it is not of the type, with the reason from `refusal`.
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
    case .iso8601: withText(at: place) { DateText.date($0) }
    case .iso8601OrInternetMessage: withText(at: place) { DateText.any($0) }
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
    case .other, .attribute, .text: return try nested(type, at: place, depth)
    case .optional:
      guard isEmpty(place) else { return try nested(type, at: place, depth) }
      // From nowhere an optional decodes as nil.
      return try absent(at: place, depth: depth) { try nested(type, at: place, depth) }
        ?? nested(type, at: .missing, depth)
    case .date: return try same(try date(at: place, depth), type, place, depth)
    case .data: return try same(try data(at: place, depth), type, place, depth)
    case .url: return try same(url(at: place), type, place, depth)
    case .decimal: return try same(decimal(at: place), type, place, depth)
    case .element: return try same(element(at: place), type, place, depth)
    }
  }

  @inline(__always)
  private func nested<Value: Decodable>(_ type: Value.Type, at place: Place, _ depth: Int) throws -> Value {
    if place.kind == .missing || place.kind == .emptyList,
      let empty = (type as? any DictionaryMark.Type)?.empty as? Value
    {
      return empty
    }
    guard workspace.nest() else { throw nestingRefusal(depth) }
    defer { workspace.unnest() }
    do {
      return try Value(from: PlaceDecoder(self, place, depth: depth))
    } catch let error as DecodingError {
      return try trimmed(type, at: place, depth, after: error)
    }
  }

  /// Decodes a text without the white space around it, after that failed with it: of an enumeration with raw values or
  /// a UUID. Throws an error with the position in the document, if the failure has none.
  @inline(never)
  private func trimmed<Value: Decodable>(
    _ type: Value.Type,
    at place: Place,
    _ depth: Int,
    after error: DecodingError
  ) throws -> Value {
    switch error {
    case .dataCorrupted(let context) where context.codingPath.count == depth:
      guard type == UUID.self || type is any RawRepresentable.Type, let text = string(at: place),
        let trimmed = trimmedString(at: place)
      else { throw error }
      if trimmed != text,
        let value = try? Value(from: PlaceDecoder(self, slice(trimmed, insteadOf: place), depth: depth))
      {
        return value
      }
      throw refusal(of: type, at: place, depth)
    case .typeMismatch(let found, let context) where found == type && workspace.isQuiet == 0:
      // What a synthesized enumeration throws has no other mark.
      guard context.debugDescription.hasPrefix("Invalid number of keys found") else { throw error }
      throw refusalOfChoice(type, at: place, depth, context)
    default: throw error
    }
  }

  /// Reads an optional value from a place that may hold none; nil if that fails. What is read as a list of
  /// several elements is not nil, whatever the first one holds, and what has keys is not if the element has attributes.
  func absent<Value>(at place: Place, depth: Int, _ read: () throws -> Value) throws -> Value? {
    let (result, isContainer) = try workspace.quietly(from: place.index, read)
    switch result {
    case .success(let value): return value
    case .failure(let error):
      guard
        isContainer && hasAttributes(place)
          || workspace.isQuietList(place.index) && isLongList(place, depth: depth)
      else { return nil }
      guard workspace.isQuiet == 0 else { throw error }
      // Once more, for an error that tells where it is in the document.
      return try read()
    }
  }

  /// Whether more elements follow the first one of a list.
  func isLongList(_ place: Place, depth: Int) -> Bool {
    guard place.kind == .repeated, let list = try? ElementList(self, place, depth: depth) else {
      return false
    }
    return list.count ?? 0 > 1
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

/// Says that a type is a dictionary, which is empty if it is missing, as an array is.
private protocol DictionaryMark {
  static var empty: Self { get }
}

extension Dictionary: DictionaryMark {
  fileprivate static var empty: Self { [:] }
}
