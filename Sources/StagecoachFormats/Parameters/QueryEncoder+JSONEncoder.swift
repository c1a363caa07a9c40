#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension QueryEncoder {
  /// An encoder of JSON with the styles of dates, data and coding keys of this encoder.
  package var jsonEncoder: JSONEncoder {
    let (dateStyle, dataStyle, keyCase) = (dateStyle, dataStyle, keyCase)
    let encoder = JSONEncoder.plain
    encoder.dateEncodingStrategy = .custom { date, encoder in
      guard let value = try dateStyle.json(of: date) else {
        throw ParameterError.unwritableDate(key: ParameterTree.text(of: encoder.codingPath))
      }
      try value.encode(to: encoder)
    }
    if dataStyle != .base64 {
      encoder.dataEncodingStrategy = .custom { data, encoder in
        try dataStyle.text(of: Bytes(data)).encode(to: encoder)
      }
    }
    if case .asGiven = keyCase { return encoder }
    encoder.keyEncodingStrategy = .custom { path in
      let key = path.last?.stringValue ?? ""
      return MemberKey(stringValue: path.last is MemberKey ? key : keyCase.text(of: key))
    }
    return encoder
  }
}

extension QueryEncoder.DateStyle {
  /// Returns the JSON value of a date: a number if the style is numeric, otherwise a text; `nil` if this style cannot
  /// represent it. Throws any error of a custom style.
  func json(of date: Date) throws -> JSONValue? {
    let text = try text(of: date)
    return switch self {
    case .seconds, .milliseconds: text.flatMap { JSONNumber($0) }.map(JSONValue.number)
    case .iso8601, .iso8601Milliseconds, .iso8601OrInternetMessage, .custom: text.map(JSONValue.string)
    }
  }
}
