/// A media range of `Accept`: one type, all types with a structured suffix (of one top-level type or of any), all
/// subtypes of a type, or all types (RFC 9110 12.5.1).
///
/// An exact range matches only its own type: `application/json` does not match `application/vnd.api+json`, the suffix
/// range `application/*+json` does. If a range has parameters, a type must have the same parameters and values; a
/// `charset` is not compared, because it does not describe the kind of content.
public struct MediaRange: Sendable, Hashable, LosslessStringConvertible {
  private enum Kind: Sendable, Hashable {
    case any
    case subtypes(of: String)
    case suffix(String, of: String?)
    case exact(type: String, subtype: String)
  }

  private let kind: Kind
  private let parameterList: MediaParameters
  private var thousandths: UInt16?

  /// The parameters that a type must have, without the weight; their order is ignored.
  public var parameters: [MediaType.Parameter] { parameterList.list }

  /// The weight, 0...1 in thousandths; `nil` if none is given, which means 1 (RFC 9110 12.4.2).
  public var quality: Double? { thousandths.map { Double($0) / 1000 } }

  private init(_ kind: Kind, parameters: [MediaType.Parameter] = [], thousandths: UInt16? = nil) {
    self.kind = kind
    parameterList = MediaParameters(list: parameters)
    self.thousandths = thousandths
  }

  /// Creates a range of one media type. Its parameter `q` is removed, because it would be the weight.
  public init(_ type: MediaType) {
    self.init(
      .exact(type: type.type, subtype: type.subtype),
      parameters: type.parameters.filter { $0.name != "q" }
    )
  }

  /// Parses a range with its weight, as leniently as a ``MediaType``; `nil` if it is malformed.
  ///
  /// Parameters after the weight are ignored (RFC 9110 12.5.1). An invalid weight is malformed, and so is `*` anywhere
  /// except in `*/*`, `type/*`, `type/*+suffix` and `*/*+suffix`.
  public init?(_ description: String) {
    guard let syntax = MediaTypeSyntax(description) else { return nil }
    let weight = syntax.parameters.firstIndex { $0.name == "q" }
    let thousandths = weight.flatMap { Self.thousandths(syntax.parameters[$0].value) }
    guard let kind = Self.kind(syntax), weight == nil || thousandths != nil else { return nil }
    self.init(
      kind,
      parameters: Array(syntax.parameters[..<(weight ?? syntax.parameters.count)]),
      thousandths: thousandths
    )
  }

  private static func kind(_ syntax: MediaTypeSyntax) -> Kind? {
    if let type = MediaType(syntax) { return .exact(type: type.type, subtype: type.subtype) }
    let isAnyType = syntax.type == "*"
    guard isAnyType || !syntax.type.utf8.contains(UInt8(ascii: "*")) else { return nil }
    if syntax.subtype == "*" { return isAnyType ? .any : .subtypes(of: syntax.type) }
    let suffix = syntax.subtype.utf8.dropFirst(2)
    guard syntax.subtype.utf8.starts(with: "*+".utf8), !suffix.isEmpty,
      !suffix.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "+") })
    else { return nil }
    return .suffix(String(Substring(suffix)), of: isAnyType ? nil : syntax.type)
  }

  /// Reads `qvalue` (RFC 9110 12.4.2).
  private static func thousandths(_ text: String) -> UInt16? {
    let octets = Array(text.utf8)
    guard (1...5).contains(octets.count), octets.count == 1 || octets[1] == UInt8(ascii: ".") else {
      return nil
    }
    var value: UInt16 = 0
    for (position, factor) in [(0, 1000), (2, 100), (3, 10), (4, 1)] as [(Int, UInt16)] {
      guard position < octets.count else { break }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octets[position]) else { return nil }
      value += factor * UInt16(octets[position] - UInt8(ascii: "0"))
    }
    return value <= 1000 ? value : nil
  }

  /// Returns this range with a weight, rounded to thousandths; a number outside of 0...1 becomes the nearest bound,
  /// and NaN means no weight.
  public func weighted(_ quality: Double) -> MediaRange {
    var range = self
    range.thousandths = quality.isNaN ? nil : UInt16((min(max(quality, 0), 1) * 1000).rounded())
    return range
  }

  /// Returns whether the range matches the type, ignoring the weight.
  public func matches(_ type: MediaType) -> Bool {
    let isInKind =
      switch kind {
      case .any: true
      case .subtypes(let name): type.type == name
      case .suffix(let suffix, let name): (name == nil || type.type == name) && type.suffix == suffix
      case .exact(let name, let subtype): type.type == name && type.subtype == subtype
      }
    return isInKind
      && parameters.allSatisfy { $0.name == "charset" || type.parameters.contains($0) }
  }

  /// The specificity of a range: of several matching ranges, the most specific one decides (RFC 9110 12.5.1). One type
  /// is more specific than a suffix of a type, that than a suffix of any type, that than `type/*`, that than `*/*`;
  /// then more parameters are more specific.
  public struct Specificity: Sendable, Hashable, Comparable {
    fileprivate let kind: Int
    fileprivate let parameterCount: Int

    /// Returns whether `a` is less specific than `b`.
    public static func < (a: Specificity, b: Specificity) -> Bool {
      (a.kind, a.parameterCount) < (b.kind, b.parameterCount)
    }
  }

  /// The specificity of this range.
  public var specificity: Specificity {
    let kind =
      switch kind {
      case .any: 0
      case .subtypes: 1
      case .suffix(_, nil): 2
      case .suffix: 3
      case .exact: 4
      }
    return Specificity(kind: kind, parameterCount: parameters.count { $0.name != "charset" })
  }

  /// The text for `Accept`, which parses to an equal value.
  public var description: String {
    var text =
      switch kind {
      case .any: "*/*"
      case .subtypes(let type): "\(type)/*"
      case .suffix(let suffix, let type): "\(type ?? "*")/*+\(suffix)"
      case .exact(let type, let subtype): "\(type)/\(subtype)"
      }
    for parameter in parameters {
      parameter.write(to: &text)
    }
    if let thousandths {
      text += ";q=" + Self.text(thousandths)
    }
    return text
  }

  private static func text(_ thousandths: UInt16) -> String {
    guard thousandths < 1000 else { return "1" }
    var digits = "\(1000 + thousandths)".dropFirst()
    while digits.last == "0" {
      digits.removeLast()
    }
    return digits.isEmpty ? "0" : "0.\(digits)"
  }
}

extension MediaRange {
  /// Whether this is `*/*`, with any weight.
  package var isAny: Bool { kind == .any && parameters.isEmpty }

  /// Whether this is a suffix range such as `application/*+json`, which RFC 9110 does not define.
  package var isSuffix: Bool { if case .suffix = kind { true } else { false } }

  /// The range to send in `Accept`: a suffix of any type, which looks like a type named `*`, is replaced by the suffix
  /// of `application`, where most such types are.
  package var asked: MediaRange {
    guard case .suffix(let suffix, nil) = kind else { return self }
    return MediaRange(.suffix(suffix, of: "application"), parameters: parameters, thousandths: thousandths)
  }

  /// Whether this is one media type.
  package var isExact: Bool { if case .exact = kind { true } else { false } }

  /// The weight in thousandths, 1000 if there is none.
  package var weight: UInt16 { thousandths ?? 1000 }

  /// Whether the range has a weight.
  package var hasWeight: Bool { thousandths != nil }

  /// Returns this range with another weight in thousandths, up to 1000, or without a weight.
  package func weighted(thousandths: UInt16?) -> MediaRange {
    var range = self
    range.thousandths = thousandths
    return range
  }
}

extension [MediaRange] {
  /// Returns the most specific range that matches the type; of equally specific ones the first.
  package func narrowest(for type: MediaType) -> MediaRange? {
    var narrowest: (range: MediaRange, specificity: MediaRange.Specificity)?
    for range in self where range.matches(type) {
      let specificity = range.specificity
      if let narrowest, narrowest.specificity >= specificity { continue }
      narrowest = (range, specificity)
    }
    return narrowest?.range
  }
}

extension MediaRange {
  /// `*/*`: all media types.
  public static let any = MediaRange(.any)
  /// `text/*`.
  public static let anyText = MediaRange(.subtypes(of: "text"))
  /// `image/*`.
  public static let anyImage = MediaRange(.subtypes(of: "image"))
  /// `application/*+json`: formats built on JSON (RFC 6839 3.1).
  public static let anyJSONSuffix = MediaRange(.suffix("json", of: "application"))
  /// `*/*+xml`: formats based on XML, of any type, such as `image/svg+xml`. An ``Accept`` field of an ``Acceptance``
  /// contains `application/*+xml` instead, or neither (RFC 7303 4.2).
  public static let anyXMLSuffix = MediaRange(.suffix("xml", of: nil))
  /// `application/json`.
  public static let json = MediaRange(.json as MediaType)
  /// `application/xml`.
  public static let xml = MediaRange(.xml as MediaType)
  /// `text/xml`.
  public static let textXML = MediaRange(.textXML as MediaType)
  /// `text/plain`.
  public static let plainText = MediaRange(.plainText as MediaType)
  /// `text/html`.
  public static let html = MediaRange(.html as MediaType)
}
