import StagecoachCore
import StagecoachXML

/// Compares bodies by their media type.
struct BodyComparison {
  let rules: RuleTable
  let isStrict: Bool
  /// The number of multipart bodies around the body.
  var level = 0

  /// Compares bodies.
  ///
  /// - Parameters:
  ///   - expected: The expected body.
  ///   - expectedType: Its media type, if declared.
  ///   - actual: The actual body.
  ///   - actualType: Its media type, if declared.
  func mismatches(
    _ expected: ComparedBody,
    _ expectedType: MediaType?,
    _ actual: ComparedBody,
    _ actualType: MediaType?
  ) -> [Mismatch] {
    switch (expected.content, actual.content) {
    case (.absent, _): return []
    case (.null, .bytes(let bytes)), (.empty, .bytes(let bytes)):
      if expected.content == .null, bytes.isNull { return [] }
      let text = "Expected empty body but received \(actual.shown(actualType))"
      return [Mismatch(.body, path: "$", expected: nil, actual: bytes.shown, message: text)]
    case (.null, _), (.empty, _): return []
    case (.bytes(let wanted), .bytes(let received)):
      return mismatches(wanted, expectedType, received, actualType)
    case (.bytes(let wanted), _):
      let state = actual.content == .absent ? "missing" : actual.content == .null ? "null" : "empty"
      var texts = ["Expected body \(expected.shown(expectedType)) but was \(state)"]
      if let hit = rootRule, hit.matchers.contains(.notEmpty) {
        texts.append("Expected [] (0 bytes) to not be empty")
      }
      return texts.map { Mismatch(.body, path: "$", expected: wanted.shown, actual: nil, message: $0) }
    }
  }

  /// The rule for the whole body.
  private var rootRule: RuleTable.Hit? { rules.best(for: .root) }

  private func mismatches(
    _ expected: Bytes,
    _ expectedType: MediaType?,
    _ actual: Bytes,
    _ actualType: MediaType?
  ) -> [Mismatch] {
    let type = expectedType ?? BodyFormat.assumedType(of: expected)
    if rootRule?.matchers.contains(where: { if case .contentType = $0 { true } else { false } }) == true {
      return BinaryComparison(rules: rules).mismatches(expected, type, actual, actualType)
    }
    let format = BodyFormat(type, expected, actual)
    if let hit = rootRule, hit.matchers.allSatisfy(\.isOfText), !format.hasText(expected) {
      return TextComparison(rules: rules).mismatches(expected, actual)
    }
    if let (wanted, other) = differentTypes(expectedType, actualType, type, format, expected, actual) {
      return [
        Mismatch(
          .bodyContentType,
          path: "$",
          expected: wanted.description,
          actual: other.description,
          message: "Expected a body of '\(wanted.essence)' but the actual content type was '\(other.essence)'"
        )
      ]
    }
    switch format {
    case .json: return json(expected, actual)
    case .xml: return xml(expected, actual)
    case .form:
      let (wanted, received) = (String(decoding: expected), String(decoding: actual))
      return ParameterComparison(.body, rules: rules, isStrict: isStrict)
        .mismatches(ComparedQuery(parsing: wanted).parameters, ComparedQuery(parsing: received).parameters)
    case .multipart:
      return MultipartComparison(rules: rules, isStrict: isStrict, level: level)
        .mismatches(expected, type, actual, actualType ?? type)
    case .text: return TextComparison(rules: rules).mismatches(expected, actual)
    case .binary: return BinaryComparison(rules: rules).mismatches(expected, type, actual, actualType)
    }
  }

  /// The types of bodies that cannot be compared.
  private func differentTypes(
    _ expectedType: MediaType?,
    _ actualType: MediaType?,
    _ type: MediaType,
    _ format: BodyFormat,
    _ expected: Bytes,
    _ actual: Bytes
  ) -> (expected: MediaType, actual: MediaType)? {
    guard let expectedType else {
      // JSON and XML without a declaration can be told apart from text.
      guard let actualType, format == .json || format == .xml, expected.isDocument,
        BodyFormat(actualType, expected, actual) != format
      else {
        return nil
      }
      return (type, actualType)
    }
    let other = actualType ?? (format == .json && actual.looksLikeXML ? .xml : nil)
    return other.flatMap { expectedType.accepts($0) ? nil : (expectedType, $0) }
  }

  private func json(_ expected: Bytes, _ actual: Bytes) -> [Mismatch] {
    compare(expected, actual, as: { try JSONValue(parsing: $0.array, limits: JSONComparison.limits) }) {
      var comparison = JSONComparison(rules: rules, isStrict: isStrict)
      comparison.compare($0, $1)
      return comparison.mismatches
    }
  }

  private func xml(_ expected: Bytes, _ actual: Bytes) -> [Mismatch] {
    compare(expected, actual, as: { try XML.Document(parsing: $0, limits: XMLComparison.limits) }) {
      var comparison = XMLComparison(rules: rules, isStrict: isStrict)
      comparison.compare($0, $1)
      return comparison.mismatches
    }
  }

  private func compare<Content>(
    _ expected: Bytes,
    _ actual: Bytes,
    as parse: (Bytes) throws -> Content,
    _ mismatches: (Content, Content) -> [Mismatch]
  ) -> [Mismatch] {
    let wanted: Content
    do {
      wanted = try parse(expected)
    } catch {
      // A part of a document, as in a reply with 206, is equal or not.
      return expected == actual ? [] : [unreadable("expected", error, expected, actual)]
    }
    do { return mismatches(wanted, try parse(actual)) } catch {
      return [unreadable("actual", error, expected, actual)]
    }
  }

  private func unreadable(_ name: String, _ error: any Error, _ expected: Bytes, _ actual: Bytes) -> Mismatch
  {
    Mismatch(
      .body,
      path: "$",
      expected: expected.shown,
      actual: actual.shown,
      message: "Failed to parse the \(name) body: '\(error)'"
    )
  }
}

/// The format of a body.
enum BodyFormat {
  case json, xml, form, multipart, text, binary

  /// Determines the format by the media type; for other types by whether both bodies are text.
  init(_ type: MediaType, _ expected: Bytes, _ actual: Bytes) {
    if type.isJSON {
      self = .json
    } else if type.isXML {
      self = .xml
    } else if type.essence == .form {
      self = .form
    } else if type.type == "multipart" {
      self = .multipart
    } else if type.isBinary {
      self = .binary
    } else {
      self = type.type == "text" || expected.isUTF8 && actual.isUTF8 ? .text : .binary
    }
  }

  /// Whether a condition on the text of the root is one on a value of the body, and not on all of it.
  fileprivate func hasText(_ bytes: Bytes) -> Bool {
    switch self {
    case .json:
      switch try? JSONValue(parsing: bytes.array, limits: JSONComparison.limits) {
      case .object, .array, nil: false
      default: true
      }
    case .xml: (try? XML.Document(parsing: bytes, limits: XMLComparison.limits)) != nil
    case .form: false
    case .multipart, .text, .binary: true
    }
  }

  /// The media type of a body without a declared one: XML if it starts like that, JSON if it parses, otherwise text or
  /// octets.
  static func assumedType(of bytes: Bytes) -> MediaType {
    if bytes.looksLikeXML { return .xml }
    if (try? JSONValue(parsing: bytes.array, limits: JSONComparison.limits)) != nil { return .json }
    let sniffed = ContentSniffer.mediaType(of: bytes)
    return sniffed == .html || sniffed == .xml ? .plainText : sniffed
  }
}

extension MediaType {
  /// Whether an actual body of another type can be compared: the type is the same, or what its suffix stands for.
  fileprivate func accepts(_ other: MediaType) -> Bool {
    essence == other.essence || essence == other.base || isXML && other.isXML && base == other.base
  }
}

extension ComparedBody {
  /// The size and the type for a message.
  fileprivate func shown(_ type: MediaType?) -> String {
    guard case .bytes(let bytes) = content else { return "Empty" }
    return "Present(\(bytes.count) bytes" + (type.map { ", \($0.essence)" } ?? "") + ")"
  }
}

extension Bytes {
  /// The text, or the number of bytes.
  var shown: String { String(validating: array, as: UTF8.self) ?? description }

  fileprivate var isUTF8: Bool { String(validating: array, as: UTF8.self) != nil }

  fileprivate var isNull: Bool { String(decoding: self).trimmed == "null" }

  /// Whether it is XML, or may be an object or array of JSON.
  fileprivate var isDocument: Bool {
    looksLikeXML || array[...].trimmingSpace.first.map("{[".utf8.contains) == true
  }

  fileprivate var looksLikeXML: Bool { array[...].trimmingSpace.starts(with: "<?xml".utf8) }
}
