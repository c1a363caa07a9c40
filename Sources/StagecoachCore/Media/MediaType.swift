/// A media type (RFC 9110 8.3.1), such as `text/html;charset=utf-8`.
///
/// Type, subtype and parameter names are lower-cased; values are kept as they are, unquoted. Equality
/// compares all of it, but neither the order of parameters nor the case of a charset; compare ``essence`` to
/// ignore them. A value never holds a `*` as its type or subtype, nor a control character, so its text is safe
/// in a field and is never a ``MediaRange`` with a wildcard.
///
/// It is the value of a Content-Type field:
///
/// ```swift
/// request.fields.contentType = .plainText.with(charset: .utf8)  // text/plain;charset=UTF-8
/// response.fields.contentType?.charset
/// ```
public struct MediaType: Sendable, Hashable, LosslessStringConvertible {
  /// A parameter such as `charset=utf-8`. The case of a charset's name makes no difference (RFC 9110 8.3.2).
  public struct Parameter: Sendable {
    /// The name, lower-cased.
    public let name: String
    /// The value, unquoted.
    public let value: String

    /// A parameter, or nil if the name is no token (RFC 9110 5.6.2) or the value holds a control character
    /// other than a tab.
    public init?(name: String, value: String) {
      guard name.isToken, !value.utf8.contains(where: \.isControlInField) else { return nil }
      self.init(checkedName: name.lowercased(), value: value)
    }

    init(checkedName name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The type, lower-cased, such as `text`.
  public let type: String
  /// The subtype, lower-cased, such as `html` or `vnd.api+json`.
  public let subtype: String
  private let parameterList: MediaParameters

  /// The parameters in order; no two have the same name.
  public var parameters: [Parameter] { parameterList.list }

  /// Reads a media type as real servers write it, or nil.
  ///
  /// Any case, whitespace around the parts, empty parameters, parameters without a value, unquoted values
  /// that are no tokens, and a trailing semicolon are tolerated. Of parameters with one name the first
  /// counts. Nil are: a missing part, a `*` in type or subtype, a control character, anything but a semicolon
  /// behind the subtype (so also a list of media types), and more than 64 parameters.
  public init?(_ description: String) {
    guard let syntax = MediaTypeSyntax(description) else { return nil }
    self.init(syntax)
  }

  init?(_ syntax: MediaTypeSyntax) {
    guard !syntax.type.utf8.contains(UInt8(ascii: "*")), !syntax.subtype.utf8.contains(UInt8(ascii: "*"))
    else { return nil }
    self.init(checkedType: syntax.type, subtype: syntax.subtype, parameters: syntax.parameters)
  }

  init(checkedType type: String, subtype: String, parameters: [Parameter] = []) {
    self.type = type
    self.subtype = subtype
    parameterList = MediaParameters(list: parameters)
  }

  /// The media type without its parameters.
  public var essence: MediaType {
    parameters.isEmpty ? self : MediaType(checkedType: type, subtype: subtype)
  }

  /// The structured syntax suffix (RFC 6839) without its plus: `json` of `application/vnd.api+json`.
  public var suffix: String? {
    guard let plus = subtype.utf8.lastIndex(of: UInt8(ascii: "+")), plus > subtype.startIndex else {
      return nil
    }
    let suffix = subtype[plus...].dropFirst()
    return suffix.isEmpty ? nil : String(suffix)
  }

  /// The value of the parameter with this name, in any case; nil if there is none.
  public subscript(parameter name: String) -> String? {
    let name = name.lowercased()
    return parameters.first { $0.name == name }?.value
  }

  /// The `charset` parameter; nil if there is none or its value cannot be a name.
  public var charset: Charset? {
    parameters.first { $0.name == "charset" }.flatMap { Charset($0.value) }
  }

  /// This media type with the parameter in place of one with the same name, or else behind the others.
  public func with(_ parameter: Parameter) -> MediaType {
    var parameters = parameters
    if let index = parameters.firstIndex(where: { $0.name == parameter.name }) {
      parameters[index] = parameter
    } else {
      parameters.append(parameter)
    }
    return MediaType(checkedType: type, subtype: subtype, parameters: parameters)
  }

  /// This media type with the `charset` parameter set.
  public func with(charset: Charset) -> MediaType {
    with(Parameter(checkedName: "charset", value: charset.name))
  }

  /// The text for a field, with values quoted where they have to be; parses to an equal value.
  public var description: String {
    var text = "\(type)/\(subtype)"
    for parameter in parameters {
      parameter.write(to: &text)
    }
    return text
  }
}

extension MediaType.Parameter: Hashable {
  private var isCharset: Bool { name == "charset" }

  /// Whether name and value are the same.
  public static func == (a: MediaType.Parameter, b: MediaType.Parameter) -> Bool {
    guard a.name == b.name else { return false }
    guard a.isCharset else { return a.value == b.value }
    return a.value.utf8.elementsEqual(b.value.utf8) { $0.lowercasedInField == $1.lowercasedInField }
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    if isCharset {
      for octet in value.utf8 { hasher.combine(octet.lowercasedInField) }
    } else {
      hasher.combine(value)
    }
  }

  /// Appends `;name=value`, the value quoted unless it is a token (RFC 9110 5.6.6).
  func write(to text: inout String) {
    text += ";\(name)=\(value.quotedUnlessToken)"
  }
}
