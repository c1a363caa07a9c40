public import HTTPTypes

/// A link of a Link field: to what, and as what (RFC 8288 3).
///
/// ```swift
/// for link in response.fields.links where link.relations.contains("next") {
///   print(link.target)  // "/users?page=2"
/// }
/// LinkField(target: "/users?page=2", relations: ["next"])?.description  // </users?page=2>; rel="next"
/// ```
public struct LinkField: Sendable, Hashable, LosslessStringConvertible {
  /// The reference to the target, as it was given: to be resolved against the URL that was answered, for
  /// instance by ``TargetURI``.
  public let target: String

  /// The parameters in order, `rel` among them. A name may repeat; the first counts.
  public let parameters: [FieldParameter]

  /// The most links that are read from all fields of a message: 1000.
  public static let maximumCount = 1000

  /// The most parameters that are read of a link; real ones have one to four.
  static let maximumParameterCount = 64

  /// A link, or nil where it cannot be written: the target holds `<`, `>`, a control character or a blank
  /// at an end; a relation is empty or holds whitespace or a control character; there are more than 64
  /// parameters; a parameter's name is no token (RFC 9110 5.6.2), ends in `*` or is `rel`; or a plain value
  /// holds a control character other than a tab.
  ///
  /// - Parameters:
  ///   - target: A URI reference.
  ///   - relations: The relation types, such as `next`, or URIs for those that are not registered.
  ///   - parameters: The parameters besides `rel`.
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

  /// The relation types, lower-cased, since their case does not matter (RFC 8288 2.1).
  public var relations: [String] {
    guard let value = parameters.first(where: { $0.name == Self.relation && !$0.isExtended })?.value else {
      return []
    }
    return value.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
  }

  /// The value of a parameter, its name in any case: of the first extended one if there is one, else of the
  /// first plain one.
  public subscript(parameter name: String) -> String? {
    let name = name.lowercased()
    var plain: String?
    for parameter in parameters where parameter.name == name {
      if parameter.isExtended { return parameter.value }
      plain = plain ?? parameter.value
    }
    return plain
  }

  /// What the link is from, if not from the resource that was answered for (RFC 8288 3.2).
  public var anchor: String? { self[parameter: "anchor"] }

  /// The title for people, `title*` before `title`.
  public var title: String? { self[parameter: "title"] }

  /// The media type that the target probably has, if it is readable.
  public var mediaType: MediaType? { self[parameter: "type"].flatMap { MediaType($0) } }

  /// The text for a field; parses to an equal value.
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
  /// The links of all Link fields, in order, at most ``LinkField/maximumCount``, read as
  /// ``LinkField/parse(_:)`` does. Octets that are not UTF-8 are read as ISO-8859-1.
  public var links: [LinkField] {
    var links: [LinkField] = []
    for index in startIndex..<endIndex where self[index].name == LinkField.fieldName {
      self[index].withUnsafeBytesOfValue { LinkField.append(octets: $0, to: &links) }
    }
    return links
  }
}
