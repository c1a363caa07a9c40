package import HTTPTypes

/// The directives of Cache-Control in a request or a response (RFC 9111 5.2).
///
/// Several fields are read as one list. A directive that occurs twice, or has a malformed argument, gets the most
/// restrictive meaning; unknown directives and empty elements are ignored.
package struct CacheControl: Sendable, Hashable {
  /// The largest number of seconds that is told apart (RFC 9111 1.2.2).
  package static let maximumSeconds = 1 << 31

  package private(set) var isNoStore = false
  /// `no-cache`, also with field names, which are read as if they were not there (RFC 9111 5.2.2.4).
  package private(set) var isNoCache = false
  package private(set) var isPublic = false
  /// `private` without field names.
  package private(set) var isPrivate = false
  /// The names of `private="a, b"` in lower case.
  package private(set) var privateFields: [String] = []
  package private(set) var isMustRevalidate = false
  package private(set) var isProxyRevalidate = false
  package private(set) var isMustUnderstand = false
  package private(set) var isImmutable = false
  package private(set) var isOnlyIfCached = false
  /// In seconds; 0 if it is malformed or contradicts itself.
  package private(set) var maxAge: Int?
  package private(set) var sMaxAge: Int?
  /// In seconds; `Int.max` if it is malformed, so that every response is validated.
  package private(set) var minFresh: Int?
  /// In seconds; `Int.max` without an argument, `nil` if it is malformed.
  package private(set) var maxStale: Int?
  package private(set) var staleWhileRevalidate: Int?
  package private(set) var staleIfError: Int?
  /// Whether a field has a control character, so that its meaning is unknown.
  package private(set) var isMalformed = false
  /// Whether an element is not a directive, or something follows a directive before its comma: a missing comma or an
  /// unclosed quotation mark may hide `private`, which a shared cache then assumes.
  package private(set) var hasMalformedElement = false

  /// Creates an empty value.
  package init() {}

  /// Whether a field that has the directives of a request, such as Pragma, contains `no-cache`.
  package static func isNoCache(_ field: HTTPField) -> Bool {
    field.withUnsafeBytesOfValue { octets in
      var reader = DirectiveReader(octets: octets)
      while let directive = reader.next() {
        if Name(octets[directive.name]) == .noCache { return true }
      }
      return false
    }
  }

  /// Reads the directives of a request.
  package init(request fields: HTTPFields) { self.init(fields, isRequest: true) }

  /// Reads the directives of a response.
  package init(response fields: HTTPFields) { self.init(fields, isRequest: false) }

  private init(_ fields: HTTPFields, isRequest: Bool) {
    for index in fields.indices where fields[index].name == .cacheControl {
      fields[index].withUnsafeBytesOfValue { octets in
        if octets.contains(where: \.isControlInField) { isMalformed = true }
        var reader = DirectiveReader(octets: octets)
        while let directive = reader.next() {
          guard let name = Name(octets[directive.name]) else { continue }
          add(name, directive.argument.value(in: octets), isRequest: isRequest)
        }
        if reader.hasMalformedElement { hasMalformedElement = true }
      }
    }
  }
}

extension CacheControl {
  /// The directives that mean something to a cache.
  package enum Name: String {
    case noStore = "no-store"
    case noCache = "no-cache"
    case maxAge = "max-age"
    case sMaxAge = "s-maxage"
    case isPublic = "public"
    case isPrivate = "private"
    case mustRevalidate = "must-revalidate"
    case proxyRevalidate = "proxy-revalidate"
    case mustUnderstand = "must-understand"
    case immutable
    case minFresh = "min-fresh"
    case maxStale = "max-stale"
    case onlyIfCached = "only-if-cached"
    case staleWhileRevalidate = "stale-while-revalidate"
    case staleIfError = "stale-if-error"

    /// Finds a name in any case.
    init?(_ octets: Slice<UnsafeBufferPointer<UInt8>>) {
      guard let name = Self.candidate(octets),
        octets.elementsEqual(name.rawValue.utf8, by: { $0.lowercasedInField == $1 })
      else { return nil }
      self = name
    }

    /// The only name that the octets can be, by their number and a letter: every hit reads directives.
    private static func candidate(_ octets: Slice<UnsafeBufferPointer<UInt8>>) -> Self? {
      func hasLetter(_ letter: Unicode.Scalar, at offset: Int) -> Bool {
        octets[octets.startIndex + offset].lowercasedInField == UInt8(ascii: letter)
      }
      switch octets.count {
      case 6: return .isPublic
      case 7: return hasLetter("m", at: 0) ? .maxAge : .isPrivate
      case 8: return hasLetter("s", at: 0) ? .sMaxAge : hasLetter("s", at: 3) ? .noStore : .noCache
      case 9: return hasLetter("a", at: 1) ? .maxStale : hasLetter("i", at: 1) ? .minFresh : .immutable
      case 14: return hasLetter("o", at: 0) ? .onlyIfCached : .staleIfError
      case 15: return hasLetter("r", at: 5) ? .mustRevalidate : .mustUnderstand
      case 16: return .proxyRevalidate
      case 22: return .staleWhileRevalidate
      default: return nil
      }
    }
  }

  /// The argument of a directive, as far as its meaning needs it.
  package enum Value {
    case absent
    case seconds(Int)
    case text([UInt8])
    case malformed
  }

  /// Adds a directive.
  package mutating func add(_ name: Name, _ value: Value, isRequest: Bool) {
    // A permission whose argument is malformed is not given; a restriction is.
    let isPermitted = if case .malformed = value { false } else { true }
    switch name {
    case .noStore: isNoStore = true
    case .noCache: isNoCache = true
    case .isPublic: isPublic = isPublic || isPermitted
    case .isPrivate: addPrivate(value)
    case .mustRevalidate: isMustRevalidate = true
    case .proxyRevalidate: isProxyRevalidate = true
    case .mustUnderstand: isMustUnderstand = isMustUnderstand || isPermitted
    case .immutable: isImmutable = isImmutable || isPermitted
    case .onlyIfCached: isOnlyIfCached = true
    case .maxAge: maxAge = Self.lifetime(maxAge, value, isRequest: isRequest)
    case .sMaxAge: sMaxAge = Self.lifetime(sMaxAge, value, isRequest: isRequest)
    case .minFresh: minFresh = max(minFresh ?? 0, value.seconds ?? .max)
    case .maxStale: maxStale = Self.smaller(maxStale, value.isAbsent ? .max : value.seconds)
    case .staleWhileRevalidate: staleWhileRevalidate = Self.smaller(staleWhileRevalidate, value.seconds)
    case .staleIfError: staleIfError = Self.smaller(staleIfError, value.seconds)
    }
  }

  /// The first of two different lifetimes is only used if it is the smaller one; otherwise the response is stale
  /// (RFC 9111 4.2.1). Of a request the smaller one counts, because it asks for more.
  private static func lifetime(_ previous: Int?, _ value: Value, isRequest: Bool) -> Int {
    let seconds = value.seconds ?? 0
    guard let previous else { return seconds }
    if isRequest { return min(previous, seconds) }
    return seconds < previous ? 0 : previous
  }

  private static func smaller(_ previous: Int?, _ seconds: Int?) -> Int? {
    guard let previous, let seconds else { return previous ?? seconds }
    return min(previous, seconds)
  }

  private mutating func addPrivate(_ value: Value) {
    guard case .text(let octets) = value,
      let names = octets.withUnsafeBufferPointer(FieldNameList.init)?.names, !names.isEmpty
    else {
      isPrivate = true
      return
    }
    privateFields += names
  }
}

extension CacheControl.Value {
  var seconds: Int? { if case .seconds(let seconds) = self { seconds } else { nil } }
  var isAbsent: Bool { if case .absent = self { true } else { false } }
}
