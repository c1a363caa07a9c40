public import HTTPTypes

/// A link of a Link field: its target and its relations (RFC 8288 3).
///
/// ```swift
/// for link in response.fields.links where link.relations.contains("next") {
///   print(link.target)  // "/users?page=2"
/// }
/// LinkField(target: "/users?page=2", relations: ["next"])?.description  // </users?page=2>; rel="next"
/// ```
public struct LinkField: Sendable, Hashable, LosslessStringConvertible {
  /// The reference to the target, as it was sent. Resolve it against the URL of the response, for example with
  /// ``TargetURI``.
  public let target: String

  /// The parameters in order, including `rel`. Of several with the same name, the first is used.
  public let parameters: [FieldParameter]

  /// The maximum number of links read from all fields of a message: 1000.
  public static let maximumCount = 1000

  /// The most parameters that are read of a link; real ones have one to four.
  static let maximumParameterCount = 64

  /// Creates a link, or `nil` if it cannot be written: the target contains `<`, `>`, a control character or leading or
  /// trailing whitespace; a relation is empty or contains whitespace or a control character; there are more than 64
  /// parameters; the name of a parameter is not a token (RFC 9110 5.6.2), ends in `*` or is `rel`; or a plain value
  /// contains a control character other than a tab.
  ///
  /// - Parameters:
  ///   - target: A URI reference.
  ///   - relations: The relation types, such as `next`, or URIs for unregistered types.
  ///   - parameters: The parameters in addition to `rel`.
  public init?(target: String, relations: [String], parameters: [FieldParameter] = []) {
    for relation in relations {
      guard !relation.isEmpty, !relation.utf8.contains(where: { $0 == 0x20 || $0.isControlInURI }) else {
        return nil
      }
    }
    guard !parameters.contains(where: { $0.name == Self.relation && !$0.isExtended }) else { return nil }
    let relation = FieldParameter(name: Self.relation, value: relations.joined(separator: " "))
    self.init(target: target, parameters: (relations.isEmpty ? [] : [relation]) + parameters)
  }

  init?(target: String, parameters: [FieldParameter]) {
    guard Self.canWrite(target: target), parameters.count <= Self.maximumParameterCount,
      parameters.allSatisfy(Self.canWrite)
    else { return nil }
    self.target = target
    self.parameters = parameters
  }

  static let relation = "rel"

  static let fieldName = HTTPField.Name("Link")!

  static func canWrite(target: String) -> Bool {
    let octets = target.utf8
    return octets.first != 0x20 && octets.last != 0x20
      && !octets.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") || $0.isControlInURI }
  }

  static func canWrite(_ parameter: FieldParameter) -> Bool {
    let name = parameter.name.utf8
    return !name.isEmpty && name.last != UInt8(ascii: "*") && name.allSatisfy(\.isTokenOctet)
      && (parameter.isExtended || !parameter.value.utf8.contains(where: \.isControlInField))
  }

  /// The relation types in lower case, because they are case-insensitive (RFC 8288 2.1).
  public var relations: [String] {
    guard let value = parameters.first(where: { $0.name == Self.relation && !$0.isExtended })?.value else {
      return []
    }
    return value.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
  }

  /// The value of a parameter, ignoring the case of its name: the first extended one if present, otherwise the first
  /// plain one.
  public subscript(parameter name: String) -> String? {
    let name = name.lowercased()
    var plain: String?
    for parameter in parameters where parameter.name == name {
      if parameter.isExtended { return parameter.value }
      plain = plain ?? parameter.value
    }
    return plain
  }

  /// The context of the link, if it is not the resource of the response (RFC 8288 3.2).
  public var anchor: String? { self[parameter: "anchor"] }

  /// The human-readable title: `title*` if present, otherwise `title`.
  public var title: String? { self[parameter: "title"] }

  /// The expected media type of the target; `nil` if it is absent or malformed.
  public var mediaType: MediaType? { self[parameter: "type"].flatMap { MediaType($0) } }

  /// The field value, which parses to an equal value.
  public var description: String {
    var text = "<\(target)>"
    for parameter in parameters {
      text += "; \(parameter.name)"
      if parameter.isExtended {
        text += "*=" + ExtendedValue.encode(parameter.value)
      } else {
        text += "=\""
        for scalar in parameter.value.unicodeScalars {
          if scalar == "\"" || scalar == "\\" { text += "\\" }
          text.unicodeScalars.append(scalar)
        }
        text += "\""
      }
    }
    return text
  }
}

extension HTTPFields {
  /// The links of all Link fields, in order, at most ``LinkField/maximumCount``, parsed by ``LinkField/parse(_:)``.
  /// Octets that are not UTF-8 are read as ISO-8859-1.
  public var links: [LinkField] {
    var links: [LinkField] = []
    for index in startIndex..<endIndex where self[index].name == LinkField.fieldName {
      self[index].withUnsafeBytesOfValue { LinkField.append(octets: $0, to: &links) }
    }
    return links
  }
}
