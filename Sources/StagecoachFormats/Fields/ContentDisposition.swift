public import HTTPTypes

/// A Content-Disposition field: how to present content, and its suggested file name (RFC 6266; in a form RFC 7578
/// 4.2).
///
/// ```swift
/// let field = ContentDisposition("attachment; filename=\"EURO rates\"; filename*=UTF-8''%e2%82%ac%20rates")
/// field?.fileName  // "€ rates"
/// ContentDisposition.attachment(fileName: "€ rates").description
/// ```
///
/// A parameter is written in one of two ways: plain, as a token or in quotes, or extended (RFC 8187) as
/// `name*=UTF-8''...`, which can represent any text and takes precedence over the plain one with the same name. In the
/// type `form-data` plain values are escaped as in browsers (`%22`, `%0D`, `%0A`, nothing else), in every other type
/// by backslashes (RFC 9110 5.6.4).
public struct ContentDisposition: Sendable, Hashable, LosslessStringConvertible {
  /// The type in lower case, such as `attachment`, `inline` or `form-data`.
  public let type: String

  /// The parameters in order, without duplicates of the same name and kind.
  public let parameters: [FieldParameter]

  /// The most parameters that are read; real fields hold one to three.
  static let maximumParameterCount = 64

  /// Creates a disposition, or `nil` if it cannot be written: the type or a name is not a token (RFC 9110 5.6.2), a
  /// name ends in `*`, a parameter repeats another in name and kind, there are more than 64, or a plain value contains
  /// a control character other than a tab; in `form-data` only NUL is not allowed.
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

  /// Returns a disposition for content to be saved as a file.
  ///
  /// A name that is not plain ASCII, or contains `"`, `\` or `%`, is written twice: with such characters replaced by
  /// `_`, and extended (RFC 6266 appendix D).
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

  /// Returns a disposition for a field of a form, or `nil` if a name contains NUL (RFC 7578 4.2).
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - fileName: The name of the file, if the field is a file.
  ///   - extendsFileName: Whether to add a file name outside ASCII as `filename*`. RFC 7578 forbids it and browsers do
  ///     not send it, but some servers require it.
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

  /// The value of a parameter, ignoring the case of its name: the extended one if present, otherwise the plain one.
  public subscript(parameter name: String) -> String? {
    let name = name.lowercased()
    var plain: String?
    for parameter in parameters where parameter.name == name {
      if parameter.isExtended { return parameter.value }
      plain = parameter.value
    }
    return plain
  }

  /// The name of the form field.
  public var name: String? { self[parameter: "name"] }

  /// The file name as sent, which may be a path to anywhere. Use it for display only, not to open a file.
  public var rawFileName: String? { self[parameter: "filename"] }

  /// The file name sanitized by ``safeFileName(from:)``; `nil` if it is absent or nothing is left of it.
  public var fileName: String? { rawFileName.flatMap(Self.safeFileName) }

  /// The field value. It parses to an equal value, except for a `form-data` value that already contains `%22`, `%0D`
  /// or `%0A`: browsers do not escape the percent sign, so it is ambiguous.
  public var description: String {
    var text = type
    for parameter in parameters {
      text += "; \(parameter.name)"
      if parameter.isExtended {
        text += "*=" + ExtendedValue.encode(parameter.value)
      } else if type == Self.formDataType {
        text += "=\"" + parameter.value.percentEncoded(.formName) + "\""
      } else {
        text += "=" + parameter.value.quotedUnlessToken
      }
    }
    return text
  }
}

extension HTTPFields {
  /// The first Content-Disposition field; `nil` if it is absent or malformed. Octets that are not UTF-8 are read as
  /// ISO-8859-1.
  public var contentDisposition: ContentDisposition? {
    for index in startIndex..<endIndex where self[index].name == .contentDisposition {
      return self[index].withUnsafeBytesOfValue { ContentDisposition(octets: $0) }
    }
    return nil
  }
}
