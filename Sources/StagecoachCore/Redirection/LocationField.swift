public import HTTPTypes

/// What the `Location` fields of a response say (RFC 9110 10.2.2).
enum LocationField: Equatable {
  case missing
  case empty
  /// Several fields that differ.
  case ambiguous
  case tooLong
  /// A reference without the blanks around it, as the octets that came: they need not be UTF-8.
  case reference([UInt8])

  /// The most octets of a reference: 8 KiB.
  static let maximumLength = 8 * 1024

  /// Reads the fields. A comma is part of a reference, and equal fields count as one.
  init(_ fields: HTTPFields) {
    var found: [UInt8]?
    for index in fields.startIndex..<fields.endIndex where fields[index].name == .location {
      let octets = fields[index].withUnsafeBytesOfValue(Self.trimmed)
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
      octets.isEmpty ? .empty : octets.count > Self.maximumLength ? .tooLong : .reference(octets)
  }

  private static func trimmed(_ octets: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    guard let first = octets.firstIndex(where: { !$0.isBlankInField }),
      let last = octets.lastIndex(where: { !$0.isBlankInField })
    else { return [] }
    return Array(octets[first...last])
  }

  /// Where the reference leads to; nil if there is none, or an empty one.
  ///
  /// - Returns: The target, without user information, and whether there was some.
  func target(
    from base: TargetURI,
    userInformation: TargetURI.UserInformationRule
  ) throws(LocationError) -> (target: TargetURI, hadUserInformation: Bool)? {
    switch self {
    case .missing, .empty: return nil
    case .ambiguous: throw LocationError(reason: .ambiguous)
    case .tooLong: throw LocationError(reason: .tooLong)
    case .reference(let octets):
      do {
        do {
          return (try base.resolving(octets), false)
        } catch  where error.reason == .userInformation && userInformation == .strip {
          return (try base.resolving(octets, userInformation: .strip), true)
        }
      } catch {
        throw LocationError(reason: error.reason == .tooLong ? .tooLong : .invalid(error))
      }
    }
  }
}

extension TargetURI {
  /// Where the `Location` of a response to this target leads to (RFC 9110 10.2.2): the resource that a 201 created,
  /// or the one that a redirect names.
  ///
  /// ```swift
  /// let order = try TargetURI(parsing: "https://shop.example/orders")
  /// let created = try order.location(in: response.fields)
  /// ```
  ///
  /// The reference may be relative, and is read leniently: raw octets are percent-encoded as they came, whatever
  /// their charset. What clients understand in different ways is refused: backslashes about the host, `http:t`,
  /// tabs.
  ///
  /// - Parameters:
  ///   - fields: The fields of the response. Equal `Location` fields count as one.
  ///   - userInformation: What to do with user information before the host; it is left out by default.
  /// - Returns: The target, or nil if the field is missing or empty.
  public func location(
    in fields: HTTPFields,
    userInformation: UserInformationRule = .strip
  ) throws(LocationError) -> TargetURI? {
    try LocationField(fields).target(from: self, userInformation: userInformation)?.target
  }
}

/// Why a `Location` leads nowhere.
public struct LocationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with the field.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// Several `Location` fields name different targets.
    case ambiguous
    /// The reference is longer than 8 KiB, or too long once it is resolved.
    case tooLong
    /// The reference is not one to an `http` or `https` URI.
    case invalid(URIError)
  }

  /// What is wrong with the field.
  public let reason: Reason

  /// What is wrong, for people; without the reference, which may hold a secret.
  public var description: String {
    switch reason {
    case .ambiguous: "the response has several Location fields that name different targets"
    case .tooLong: "the Location is longer than \(LocationField.maximumLength) octets"
    case .invalid(let error): "the Location cannot be followed. \(error)"
    }
  }
}
