import StagecoachCore

/// One `Set-Cookie` field, read as RFC 6265bis 5.6 demands, which is more lenient than its grammar.
struct SetCookie: Sendable {
  let pair: CookiePair
  /// In seconds since 1970.
  private(set) var expires: Int64?
  /// In seconds.
  private(set) var maxAge: Int64?
  /// As it was given, without a leading dot; nil if there was none or it was empty.
  private(set) var domain: ArraySlice<UInt8>?
  /// Nil unless it starts with a slash.
  private(set) var path: String?
  private(set) var isSecure = false
  private(set) var isHTTPOnly = false
  private(set) var sameSite = Cookie.SameSite.unspecified

  /// The most octets of an attribute's value.
  private static let longestAttribute = 1024

  init(_ octets: [UInt8]) throws(CookieRejection) {
    guard !octets.contains(where: \.isControlInField) else { throw .controlCharacter }
    let semicolon = UInt8(ascii: ";")
    let end = octets.firstIndex(of: semicolon) ?? octets.endIndex
    let (name, value) = Self.split(octets[..<end])
    pair =
      if let value { try CookiePair(name: name, value: value) } else { try CookiePair(name: [], value: name) }
    var rest = octets[end...].dropFirst()
    while !rest.isEmpty {
      let end = rest.firstIndex(of: semicolon) ?? rest.endIndex
      let (name, value) = Self.split(rest[..<end])
      take(name.trimmed, value?.trimmed ?? [])
      rest = rest[end...].dropFirst()
    }
  }

  /// Returns the parts before and after the first equals sign; the second part is `nil` if there is none.
  private static func split(_ octets: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
    guard let sign = octets.firstIndex(of: UInt8(ascii: "=")) else { return (octets, nil) }
    return (octets[..<sign], octets[(sign + 1)...])
  }

  /// Of attributes of one name the last counts, unless its value is ignored.
  private mutating func take(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    guard value.count <= Self.longestAttribute, name.count <= 8 else { return }
    switch String(decoding: name.map(\.lowercasedInField), as: UTF8.self) {
    case "expires": expires = CookieDate.parse(value) ?? expires
    case "max-age": maxAge = Self.seconds(value) ?? maxAge
    case "domain":
      let domain = value.first == UInt8(ascii: ".") ? value.dropFirst() : value
      self.domain = domain.isEmpty ? nil : domain
    case "path":
      path = value.first == UInt8(ascii: "/") ? String(utf8OrLatin1: value) : nil
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    case "samesite": sameSite = Cookie.SameSite(attribute: String(utf8OrLatin1: value))
    default: break
    }
  }

  /// Digits behind an optional minus; what does not fit is as great as it gets.
  private static func seconds(_ value: ArraySlice<UInt8>) -> Int64? {
    let isNegative = value.first == UInt8(ascii: "-")
    let digits = isNegative ? value.dropFirst() : value
    guard !digits.isEmpty, digits.allSatisfy(\.isDigitOfURI) else { return nil }
    if isNegative { return -1 }
    return Int64(String(decoding: digits, as: UTF8.self)) ?? .max
  }
}

extension Cookie.SameSite {
  /// Parses the value of the attribute, or of the member of a file.
  init(attribute: String) {
    let text = attribute.lowercased()
    self = [.strict, .lax, .none].first { $0.rawValue.lowercased() == text } ?? .unspecified
  }
}
