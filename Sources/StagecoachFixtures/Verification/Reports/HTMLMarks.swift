import StagecoachCore

/// The lines of a message, those marked that a difference is about.
///
/// In JSON these are values at the paths of differences. Other content has no paths here: of content that differs, all lines
/// that the other side has not are marked, also those that rules allow.
struct HTMLMarks {
  typealias Drift = VerificationReport.Drift

  struct Line {
    let text: String
    /// What the difference means; `nil` if there is none here.
    let drift: Drift?
  }

  /// What differs, by the places of differences; field names in lowercase.
  private var drifts: [String: Drift] = [:]

  /// Marks nothing.
  init() {}

  init(_ exchange: VerificationReport.Exchange) {
    for difference in exchange.differences {
      let isField = difference.place.hasPrefix(Self.field(""))
      let place = isField ? difference.place.lowercased() : difference.place
      drifts[place] = Self.worse(drifts[place], difference.drift)
    }
  }

  private static func field(_ name: String) -> String { "header \(name.lowercased())" }

  private static func worse(_ first: Drift?, _ second: Drift) -> Drift {
    guard let first else { return second }
    return Drift.allCases.last { $0 == first || $0 == second } ?? second
  }

  /// Returns the lines of a message: the start, the fields, an empty line and the content.
  func lines(
    of message: VerificationReport.Message,
    besides other: VerificationReport.Message?
  ) -> [Line] {
    var lines = [Line(text: message.start, drift: drifts["status"])]
    lines += message.fields.map { Line(text: "\($0.name): \($0.value)", drift: drifts[Self.field($0.name)]) }
    guard let body = message.body else { return lines }
    lines.append(Line(text: "", drift: nil))
    if let value = Self.json(body) {
      var writer = Writer(drifts)
      writer.write(value, besides: other?.body.flatMap(Self.json), at: .root, mark: drifts["body"])
      return lines + writer.lines
    }
    return lines + textLines(body, besides: other?.body ?? "")
  }

  private static func json(_ text: String) -> JSONValue? {
    try? JSONValue(parsing: Array(text.utf8), limits: JSONComparison.limits)
  }

  /// Of content that has no paths, the lines that the other side has not.
  private func textLines(_ body: String, besides other: String) -> [Line] {
    let drift = drifts.filter { $0.key.hasPrefix("body") }.values.reduce(nil as Drift?, Self.worse)
    var left = Self.split(other).reduce(into: [:]) { counts, line in counts[line, default: 0] += 1 }
    return Self.split(body).map { line in
      guard let count = left[line], count > 0 else { return Line(text: String(line), drift: drift) }
      left[line] = count - 1
      return Line(text: String(line), drift: nil)
    }
  }

  private static func split(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}

extension HTMLMarks {
  /// Writes a JSON value, a line for each member and element.
  private struct Writer {
    private let drifts: [String: Drift]
    private(set) var lines: [Line] = []

    init(_ drifts: [String: Drift]) {
      self.drifts = drifts
    }

    /// - Parameters:
    ///   - other: The value at the same place of the other side, if there is one.
    ///   - mark: What is said of all that the value is a part of.
    ///   - prefix: What stands in front of the value in its line.
    ///   - suffix: What follows the value.
    mutating func write(
      _ value: JSONValue,
      besides other: JSONValue?,
      at path: ValuePath,
      mark: Drift?,
      prefix: String = "",
      suffix: String = ""
    ) {
      var (mark, ofMissing) = (mark, mark)
      if let drift = drifts["body \(Format.oneLine(path.description))"] {
        ofMissing = drift
        if !Self.lacksParts(value, other) { mark = drift }
      }
      let indent = String(prefix.prefix { $0 == " " })
      func add(_ text: String) { lines.append(Line(text: text, drift: mark)) }
      let parts: [(name: String, value: JSONValue, other: JSONValue?, path: ValuePath)]
      switch value {
      case .object(let object):
        let known = other?.objectValue?.dictionary ?? [:]
        parts = object.members.map {
          ("\(JSONValue.string($0.key)): ", $0.value, known[$0.key], path.key($0.key))
        }
      case .array(let elements):
        let known = other?.arrayValue ?? []
        parts = elements.enumerated().map { ("", $1, $0 < known.count ? known[$0] : nil, path.index($0)) }
      default: parts = []
      }
      guard !parts.isEmpty else { return add(prefix + value.description + suffix) }
      let isObject = value.objectValue != nil
      add(prefix + (isObject ? "{" : "["))
      for (number, part) in parts.enumerated() {
        write(
          part.value,
          besides: part.other,
          at: part.path,
          mark: part.other == nil ? ofMissing : mark,
          prefix: indent + "  " + part.name,
          suffix: number < parts.count - 1 ? "," : ""
        )
      }
      add(indent + (isObject ? "}" : "]") + suffix)
    }

    /// Whether of two objects or arrays one has a part that the other has not, so that the part is what differs.
    private static func lacksParts(_ value: JSONValue, _ other: JSONValue?) -> Bool {
      switch (value, other) {
      case (.object(let first), .object(let second)?):
        Set(first.members.map(\.key)) != Set(second.members.map(\.key))
      case (.array(let first), .array(let second)?): first.count != second.count
      default: false
      }
    }
  }
}
