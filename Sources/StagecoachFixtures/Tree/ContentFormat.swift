import StagecoachFormats

/// The format of content.
enum ContentFormat: Hashable {
  case json, jsonSequence, form, xml, html, events
  case multipart(boundary: String)
  /// A program or a style sheet.
  case code
  /// Text without a syntax, or with one that is not known.
  case text
  /// Octets.
  case binary

  /// The format by the media type, or by the first characters: without a type, with one that says little, and where
  /// these begin another format, as in JSON that a client calls a form.
  init(_ type: MediaType?, _ content: [UInt8]) {
    guard !Self.isWide(type, content) else {
      self = .binary
      return
    }
    let start = content.dropFirst(content.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).prefix(1_024)
    let declared = type.flatMap(Self.declared)
    switch declared {
    case nil:
      self =
        Self.guessed(start)
        ?? (content.looksLikeForm && (type == nil || content.contains(UInt8(ascii: "&")))
          ? .form : String(validating: content, as: UTF8.self) == nil ? .binary : .text)
    case .json, .jsonSequence:
      self = (start.looksLikeMarkup ? Self.guessed(start) : nil) ?? declared ?? .json
    case .html where !start.looksLikeMarkup && content.contains(UInt8(ascii: "&")) && content.looksLikeForm:
      // Replies of OAuth 1, as scripts declare them that say nothing.
      self = .form
    case .form, .xml, .html, .code: self = (start.looksLikeJSON ? .json : nil) ?? declared ?? .text
    case .text: self = String(validating: content, as: UTF8.self) == nil ? .binary : .text
    case .events, .multipart, .binary: self = declared ?? .binary
    }
  }

  /// Whether characters have two or four octets.
  private static func isWide(_ type: MediaType?, _ content: [UInt8]) -> Bool {
    if let charset = type?[parameter: "charset"]?.lowercased(),
      charset.hasPrefix("utf-16") || charset.hasPrefix("utf-32")
    {
      return true
    }
    guard content.count >= 2 else { return false }
    return content.starts(with: [0xFE, 0xFF]) || content.starts(with: [0xFF, 0xFE]) || content[0] == 0
      || content[1] == 0
  }

  private static func declared(_ type: MediaType) -> ContentFormat? {
    let subtype = type.suffix ?? type.subtype
    switch (type.type, subtype) {
    case ("application", "x-www-form-urlencoded"): return .form
    case ("text", "html"): return .html
    case (_, "xml"): return type.subtype == "xhtml+xml" ? .html : .xml
    case ("application", "x-plist"): return .xml
    case ("multipart", _):
      return type[parameter: "boundary"].flatMap { $0.isEmpty ? nil : .multipart(boundary: $0) }
    case ("text", "event-stream"): return .events
    case (_, "json-seq"), (_, "ndjson"), (_, "x-ndjson"), (_, "jsonl"), (_, "jsonlines"), (_, "stream+json"):
      return .jsonSequence
    case (_, "json"), ("text", "x-json"), ("application", "csp-report"): return .json
    case ("application", _) where subtype.contains("ndjson"): return .jsonSequence
    case ("application", _) where subtype.contains("json"): return .json
    case (_, "javascript"), (_, "x-javascript"), (_, "ecmascript"), ("text", "css"): return .code
    case ("text", "plain"), ("application", "octet-stream"): return nil
    case ("image", _), ("audio", _), ("video", _), ("font", _): return .binary
    default: return .text
    }
  }

  private static func guessed(_ start: ArraySlice<UInt8>) -> ContentFormat? {
    if start.looksLikeJSON { return .json }
    guard start.looksLikeMarkup, !start.starts(with: "<?php".utf8) else { return nil }
    let text = String(decoding: start, as: UTF8.self).lowercased()
    return text.contains("<html") || text.contains("<!doctype html") ? .html : .xml
  }
}

extension Collection where Element == UInt8, SubSequence == ArraySlice<UInt8> {
  /// Whether this begins like an object or an array of JSON.
  var looksLikeJSON: Bool {
    let start = drop { $0.isSpace || $0 == 0x1E }
    guard let first = start.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return false
    }
    guard let second = start.dropFirst().first(where: { !$0.isSpace }) else { return true }
    if first == UInt8(ascii: "{") { return second == UInt8(ascii: "\"") || second == UInt8(ascii: "}") }
    return second.isDigit || second.isOne(of: "{[]\"-tfn")
  }

  /// Whether this begins like XML or HTML.
  var looksLikeMarkup: Bool {
    let start = drop(while: \.isSpace)
    guard start.first == UInt8(ascii: "<"), let second = start.dropFirst().first else { return false }
    return second.isLetter || second == UInt8(ascii: "!") || second == UInt8(ascii: "?")
      || second == UInt8(ascii: "_")
  }
}

extension [UInt8] {
  /// Whether this is a form: pairs of a name and a value, in characters that need no escape.
  var looksLikeForm: Bool {
    guard !contains(where: { $0 <= 0x20 || $0 >= 0x7F || $0.isOne(of: "\";<>\\`") }) else { return false }
    var isPlausible = false
    for pair in split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
      let name = pair.prefix { $0.isAlphanumeric || $0.isOne(of: "_-.[]%+$:~*") }
      guard name.endIndex < pair.endIndex else { continue }
      guard !name.isEmpty, pair[name.endIndex] == UInt8(ascii: "=") else { return false }
      // Base64 may end with one equals sign or two.
      let value = pair[(name.endIndex + 1)...]
      if pair.count < count || !value.isEmpty && value.first != UInt8(ascii: "=") { isPlausible = true }
    }
    return isPlausible
  }
}
