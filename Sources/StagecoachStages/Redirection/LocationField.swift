public import HTTPTypes
public import StagecoachCore

/// The `Location` field of a response (RFC 9110 10.2.2).
enum LocationField: Equatable {
  case missing
  case empty
  /// Several fields that differ.
  case ambiguous
  case tooLong
  /// A reference without the blanks around it, as the octets that came: they need not be UTF-8.
  case reference([UInt8])

  /// Reads the fields. A comma is part of a reference, and equal fields count as one.
  init(_ fields: HTTPFields) {
    var found: [UInt8]?
    for index in fields.startIndex..<fields.endIndex where fields[index].name == .location {
      let octets = fields[index].withUnsafeBytesOfValue { Array($0.trimmed) }
      guard found == nil || found == octets else {
        self = .ambiguous
        return
      }
      found = octets
    }
    guard let octets = found else {
      self = .missing
      return
    }
    self =
      octets.isEmpty ? .empty : octets.count > TargetURI.maximumLocationLength ? .tooLong : .reference(octets)
  }

  /// Returns the target of the reference; `nil` if it is absent or empty.
  ///
  /// - Returns: The target without user information, and whether there was any.
  func target(
    from base: TargetURI,
    userInformation: TargetURI.UserInformationRule
  ) throws(URIError) -> (target: TargetURI, hadUserInformation: Bool)? {
    switch self {
    case .missing, .empty: return nil
    case .ambiguous: throw URIError(.ambiguous)
    case .tooLong: throw URIError(.tooLong)
    case .reference(let octets):
      do {
        return (try base.resolving(octets), false)
      } catch  where error.reason == .userInformation && userInformation == .strip {
        return (try base.resolving(octets, userInformation: .strip), true)
      }
    }
  }
}

extension TargetURI {
  /// Returns the target of the `Location` of a response to this target: the resource that a 201 created, or the target
  /// of a redirect (RFC 9110 10.2.2).
  ///
  /// ```swift
  /// let order = try TargetURI(parsing: "https://shop.example/orders")
  /// let created = try order.location(in: response.fields)
  /// ```
  ///
  /// The reference may be relative, and is parsed leniently: raw octets are percent-encoded, whatever their charset.
  /// References that clients interpret differently are refused: backslashes in the authority, `http:t`, tabs.
  ///
  /// - Parameters:
  ///   - fields: The fields of the response. Equal `Location` fields count as one.
  ///   - userInformation: How to handle user information before the host; it is removed by default.
  /// - Returns: The target, or `nil` if the field is absent or empty.
  public func location(
    in fields: HTTPFields,
    userInformation: UserInformationRule = .strip
  ) throws(URIError) -> TargetURI? {
    try LocationField(fields).target(from: self, userInformation: userInformation)?.target
  }
}
