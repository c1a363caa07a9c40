/// A media type, such as `text/html;charset=utf-8` (RFC 9110 8.3.1).
///
/// Type, subtype and parameter names are in lower case; values are unquoted but otherwise unchanged. Equality ignores
/// the order of parameters and the case of a charset; compare ``essence`` to ignore parameters. The type and subtype
/// are never `*` and there are no control characters, so the text is safe in a field and never a ``MediaRange`` with a
/// wildcard.
///
/// It is the value of a Content-Type field:
///
/// ```swift
/// request.fields.contentType = .plainText.with(charset: .utf8)  // text/plain;charset=UTF-8
/// response.fields.contentType?.charset
/// ```
public struct MediaType: Sendable, Hashable, LosslessStringConvertible {
  /// A parameter such as `charset=utf-8`. The value of a charset is case-insensitive (RFC 9110 8.3.2).
  public struct Parameter: Sendable {
    /// The name in lower case.
    public let name: String
    /// The unquoted value.
    public let value: String

    /// Creates a parameter, or `nil` if the name is not a token or the value contains a control character other than a
    /// tab (RFC 9110 5.6.2).
    public init?(name: String, value: String) {
      guard name.isToken, !value.utf8.contains(where: \.isControlInField) else { return nil }
      self.init(checkedName: name.lowercased(), value: value)
    }

    package init(checkedName name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The type in lower case, such as `text`.
  public let type: String
  /// The subtype in lower case, such as `html` or `vnd.api+json`.
  public let subtype: String
  private let parameterList: MediaParameters

  /// The parameters in order, with unique names.
  public var parameters: [Parameter] { parameterList.list }

  /// Parses a media type leniently, as real servers write it; `nil` if it is malformed.
  ///
  /// Accepts: any case, whitespace around the parts, empty parameters, parameters without a value, unquoted values
  /// that are not tokens, and a trailing semicolon. Of several parameters with the same name, the first is used.
  /// Malformed are: a missing part, a `*` in type or subtype, a control character, anything but a semicolon after the
  /// subtype (such as a list of media types), and more than 64 parameters.
  public init?(_ description: String) {
    guard let syntax = MediaTypeSyntax(description) else { return nil }
    self.init(syntax)
  }

  init?(_ syntax: MediaTypeSyntax) {
    guard !syntax.type.utf8.contains(UInt8(ascii: "*")), !syntax.subtype.utf8.contains(UInt8(ascii: "*"))
    else { return nil }
    self.init(checkedType: syntax.type, subtype: syntax.subtype, parameters: syntax.parameters)
  }

  package init(checkedType type: String, subtype: String, parameters: [Parameter] = []) {
    self.type = type
    self.subtype = subtype
    parameterList = MediaParameters(list: parameters)
  }

  /// The media type without its parameters.
  public var essence: MediaType {
    parameters.isEmpty ? self : MediaType(checkedType: type, subtype: subtype)
  }

  /// The structured syntax suffix without its plus: `json` of `application/vnd.api+json` (RFC 6839).
  public var suffix: String? {
    guard let plus = subtype.utf8.lastIndex(of: UInt8(ascii: "+")), plus > subtype.startIndex else {
      return nil
    }
    let suffix = subtype[plus...].dropFirst()
    return suffix.isEmpty ? nil : String(suffix)
  }

  /// The value of a parameter, ignoring the case of its name; `nil` if absent.
  public subscript(parameter name: String) -> String? {
    let name = name.lowercased()
    return parameters.first { $0.name == name }?.value
  }

  /// The `charset` parameter; `nil` if it is absent or malformed.
  public var charset: Charset? {
    parameters.first { $0.name == "charset" }.flatMap { Charset($0.value) }
  }

  /// Returns this media type with a parameter, which replaces one with the same name or is added at the end.
  public func with(_ parameter: Parameter) -> MediaType {
    var parameters = parameters
    if let index = parameters.firstIndex(where: { $0.name == parameter.name }) {
      parameters[index] = parameter
    } else {
      parameters.append(parameter)
    }
    return MediaType(checkedType: type, subtype: subtype, parameters: parameters)
  }

  /// Returns this media type with a `charset` parameter.
  public func with(charset: Charset) -> MediaType {
    with(Parameter(checkedName: "charset", value: charset.name))
  }

  /// The field value, with quotes where necessary; it parses to an equal value.
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

  /// Returns whether the name and the value are the same.
  public static func == (a: MediaType.Parameter, b: MediaType.Parameter) -> Bool {
    guard a.name == b.name else { return false }
    guard a.isCharset else { return a.value == b.value }
    return a.value.utf8.elementsEqual(b.value.utf8) { $0.lowercasedInField == $1.lowercasedInField }
  }

  /// Hashes the same parts that equality compares.
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
