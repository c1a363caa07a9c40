public import HTTPTypes

/// A Content-Disposition field: how content is meant to be presented, and under which name it may be kept
/// (RFC 6266; RFC 7578 4.2 in a form).
///
/// ```swift
/// let field = ContentDisposition("attachment; filename=\"EURO rates\"; filename*=UTF-8''%e2%82%ac%20rates")
/// field?.fileName  // "€ rates"
/// ContentDisposition.attachment(fileName: "€ rates").description
/// ```
///
/// A parameter is written in one of two ways: plain, as a token or in quotes, or extended (RFC 8187) as
/// `name*=UTF-8''...`, which carries any text and takes precedence over the plain one of the same name.
/// In the type `form-data` plain values are escaped as browsers do (`%22`, `%0D`, `%0A`, nothing else), in
/// every other type by backslashes (RFC 9110 5.6.4).
public struct ContentDisposition: Sendable, Hashable, LosslessStringConvertible {
  /// The type, lower-cased, such as `attachment`, `inline` or `form-data`.
  public let type: String

  /// The parameters in order; no two are the same in both name and kind.
  public let parameters: [FieldParameter]

  /// The most parameters that are read; real fields hold one to three.
  static let maximumParameterCount = 64

  /// A disposition, or nil where it cannot be written: the type or a name is no token (RFC 9110 5.6.2), a name
  /// ends in `*`, a parameter repeats another in name and kind, there are more than 64, or a plain value
  /// holds a control character other than a tab; in `form-data` only NUL is refused.
  public init?(type: String, parameters: [FieldParameter] = []) {
    let type = type.lowercased()
    guard type.isToken, parameters.count <= Self.maximumParameterCount else { return nil }
    var seen: Set<String> = []
    for parameter in parameters {
      guard parameter.name.isToken, parameter.name.utf8.last != UInt8(ascii: "*"),
        seen.insert(parameter.isExtended ? parameter.name + "*" : parameter.name).inserted,
        parameter.isExtended || Self.canQuote(parameter.value, in: type)
      else { return nil }
    }
    self.init(checkedType: type, parameters: parameters)
  }

  init(checkedType type: String, parameters: [FieldParameter]) {
    self.type = type
    self.parameters = parameters
  }

  static let formDataType = "form-data"

  private static func canQuote(_ value: String, in type: String) -> Bool {
    let isForm = type == formDataType
    return !value.utf8.contains { isForm ? $0 == 0 : $0.isControlInField }
  }

  /// Content to be kept as a file.
  ///
  /// A name that is not plain ASCII, or holds `"`, `\` or `%`, is written twice, as RFC 6266 appendix D
  /// advises: with `_` in place of such characters, and extended.
  public static func attachment(fileName: String) -> ContentDisposition {
    var hasFallback = false
    let plain = String(
      String.UnicodeScalarView(
        fileName.unicodeScalars.map { scalar in
          let isSafe =
            (0x20..<0x7F).contains(scalar.value) && scalar != "\"" && scalar != "\\" && scalar != "%"
          if !isSafe { hasFallback = true }
          return isSafe ? scalar : "_"
        }
      )
    )
    var parameters = [FieldParameter(name: "filename", value: plain)]
    if hasFallback { parameters.append(FieldParameter(name: "filename", value: fileName, isExtended: true)) }
    return ContentDisposition(checkedType: "attachment", parameters: parameters)
  }

  /// A field of a form (RFC 7578 4.2), or nil if a name holds NUL.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - fileName: The name of the file, if it is one.
  ///   - extendsFileName: Whether a file name beyond ASCII is added as `filename*`. RFC 7578 forbids it and
  ///     browsers do not send it, some servers want it.
  public static func formData(name: String, fileName: String? = nil, extendsFileName: Bool = false)
    -> ContentDisposition?
  {
    var parameters = [FieldParameter(name: "name", value: name)]
    if let fileName {
      parameters.append(FieldParameter(name: "filename", value: fileName))
      if extendsFileName, !fileName.utf8.allSatisfy({ $0 < 0x80 }) {
        parameters.append(FieldParameter(name: "filename", value: fileName, isExtended: true))
      }
    }
    return ContentDisposition(type: formDataType, parameters: parameters)
  }

  /// The value of a parameter, in any case: of the extended one if there is one, else of the plain one.
  public subscript(parameter name: String) -> String? {
    let name = name.lowercased()
    var plain: String?
    for parameter in parameters where parameter.name == name {
      if parameter.isExtended { return parameter.value }
      plain = parameter.value
    }
    return plain
  }

  /// The name of the form's field.
  public var name: String? { self[parameter: "name"] }

  /// The file name as the sender wrote it, which may be a path to anywhere: to show, not to open.
  public var rawFileName: String? { self[parameter: "filename"] }

  /// The file name made harmless by ``safeFileName(from:)``, nil if there is none or nothing is left of it.
  public var fileName: String? { rawFileName.flatMap(Self.safeFileName) }

  /// The text for a field; parses to an equal value, but for a `form-data` value in which `%22`, `%0D` or
  /// `%0A` stood already: browsers leave the percent sign alone, so nobody can tell.
  public var description: String {
    var text = type
    for parameter in parameters {
      text += "; \(parameter.name)"
      if parameter.isExtended {
        text += "*=" + ExtendedValue.encode(parameter.value)
      } else if type == Self.formDataType {
        text += "=\"" + parameter.value.escapedAsInBrowsers + "\""
      } else {
        text += "=" + parameter.value.quotedUnlessToken
      }
    }
    return text
  }
}

extension HTTPFields {
  /// The first Content-Disposition field; nil if there is none or it is unreadable. Octets that are not UTF-8
  /// are read as ISO-8859-1.
  public var contentDisposition: ContentDisposition? {
    for index in startIndex..<endIndex where self[index].name == .contentDisposition {
      return self[index].withUnsafeBytesOfValue { ContentDisposition(octets: $0) }
    }
    return nil
  }
}

extension String {
  /// As the HTML standard writes names into a form (multipart/form-data encoding algorithm).
  fileprivate var escapedAsInBrowsers: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "%22"
      case "\r": text += "%0D"
      case "\n": text += "%0A"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
