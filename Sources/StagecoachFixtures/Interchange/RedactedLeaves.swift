import HTTPTypes
import StagecoachCore

/// The leaves of a message that stand for secrets, as rules that other tools know: any value of the type is equal.
struct RedactedLeaves {
  /// The rules, except those of the method and the status.
  private(set) var rules: [Scenario.Rule] = []
  /// The ranges of the content that stand for secrets, or have them inside.
  private(set) var ranges: [Range<Int>] = []
  /// The segments of the path.
  private var segments: [Range<Int>] = []
  private var places: Set<String> = []

  /// - Parameters:
  ///   - side: `request` or `reply`.
  ///   - listed: The made-up values of the exchange.
  init(_ message: RedactableMessage, side: String, listed: [Scenario.RedactedLeaf]) {
    let isText = message.isText
    for part in MessageTree(message).parts where part.name != "trailer" {
      let paths = listed.names(in: "\(side).\(part.name)")
      part.tree.forEachLeaf { place in
        let isHidden =
          !paths.isEmpty && paths[place.path] != nil
          || place.leaf.value.firstOffset(of: Placeholder.start) != nil
        guard isHidden else { return true }
        add(place.outermost, part, message, isText: isText)
        return false
      }
    }
    if !segments.isEmpty, let target = message.target {
      rules.append(.init("path", ["match": "regex", "regex": .string(Self.pattern(target, segments))]))
    }
  }

  private mutating func add(
    _ place: LeafPlace,
    _ part: MessageTree.Part,
    _ message: RedactableMessage,
    isText: Bool
  ) {
    let steps = place.steps
    switch (part.place, steps.first) {
    case (.field(let index), _): add(.init("header.\(message.fields[index].name.rawName)", "type"))
    case (.target, .parameter("query", _)?):
      if case .parameter(let name, _)? = steps.last { add(.init("query.\(name)", "type")) }
    case (.target, .parameter("path", _)?): segments.append(place.leaf.range)
    case (.body, _):
      if ranges.last != place.leaf.range { ranges.append(place.leaf.range) }
      add(.init(isText ? "body$" : "body\(Self.path(steps))", "type"))
    default: break
    }
  }

  /// The octets of the path as an expression, with any text for some of them.
  private static func pattern(_ target: String, _ segments: [Range<Int>]) -> String {
    // A target begins with an origin or the name of one.
    let scheme = target.firstRange(of: "://")?.upperBound
    let start =
      target.hasPrefix("{")
      ? target.firstIndex(of: "}").map { target.index(after: $0) }
      : scheme.flatMap { target[$0...].firstIndex(of: "/") }
    let end = target.firstIndex { "?#".contains($0) } ?? target.endIndex
    let offset = start.map { target.utf8.distance(from: target.startIndex, to: $0) } ?? 0
    return expression(Array(target[..<end].utf8), segments, any: "[^/]+", from: offset)
  }

  /// A text as an expression, with another one for some ranges.
  static func expression(_ bytes: [UInt8], _ ranges: [Range<Int>], any: String, from start: Int = 0) -> String
  {
    var (expression, offset) = ("", start)
    for range in ranges where range.lowerBound >= offset && range.upperBound <= bytes.count {
      expression +=
        WireMockCondition.escaped(String(decoding: bytes[offset..<range.lowerBound], as: UTF8.self)) + any
      offset = range.upperBound
    }
    return expression + WireMockCondition.escaped(String(decoding: bytes[offset...], as: UTF8.self))
  }

  /// Adds a rule; a place has one.
  private mutating func add(_ rule: Scenario.Rule) {
    if places.insert(rule.place).inserted { rules.append(rule) }
  }

  /// The path of a leaf in rules.
  static func path(_ steps: [TextTree.Step]) -> RulePath {
    RulePath(
      steps.map { step in
        switch step {
        case .member(let key): .key(key)
        case .index(let index): .index(index)
        case .parameter(let name, _), .element(let name, _): .key(name)
        case .attribute(let name): .key("@\(name)")
        case .characters: .key("#text")
        }
      }
    )
  }
}

extension RedactableMessage {
  /// Whether the content is compared as a whole.
  fileprivate var isText: Bool {
    guard let body else { return true }
    return switch BodyFormat(mediaType ?? BodyFormat.assumedType(of: body), body, body) {
    case .text, .binary: true
    case .json, .xml, .form, .multipart: false
    }
  }
}

extension LeafPlace {
  fileprivate var outermost: LeafPlace { outer?.outermost ?? self }
}
