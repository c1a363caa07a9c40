/// The URI of a request target: absolute, `http` or `https`, ready to be sent (RFC 9110 7.1).
///
/// A value is always well-formed: the scheme and the host are in lower case, the path starts with a slash and contains
/// no dot segments, and every octet that RFC 3986 does not allow is percent-encoded. Allowed octets are not changed:
/// `%7E` does not become `~`, nor `%2f` `%2F`.
///
/// Equality follows RFC 9110 4.2.3 without decoding: an explicit default port equals no port, and an empty path equals
/// `/`.
public struct TargetURI: Sendable {
  /// The maximum length of a URI in octets, before and after percent-encoding: 16 KiB.
  public static let maximumLength = 16 * 1024
  /// The maximum number of octets of a `Location` field: 8 KiB.
  package static let maximumLocationLength = 8 * 1024

  /// The handling of user information (`user:password@`) before the host.
  ///
  /// The URI never contains it (RFC 9110 4.2.4); a request uses the user information of its own URL as a credential.
  public enum UserInformationRule: Sendable, Hashable {
    /// Refuses the URI with ``URIError/Reason/userInformation``.
    case refuse
    /// Removes the user information.
    case strip
  }

  /// Whether the scheme is `https`.
  public let isSecure: Bool

  /// The host in lower case: a name, an IPv4 address, or an IPv6 address in brackets.
  public let host: String

  /// The explicit port, 1...65535; `nil` if absent.
  public let port: Int?

  /// The host, and the port unless it is the default of the scheme: the value of `Host` (RFC 9110 7.2).
  public let authority: String

  /// The path and the query, if any, after a `?`: the origin form of the request target (RFC 9112 3.2.1).
  public let requestTarget: String

  /// The length of the path in `requestTarget` in octets; if there are more octets, a `?` follows.
  let pathLength: Int

  /// The fragment without its `#`; `nil` if absent. It is never sent.
  public package(set) var fragment: String?

  init(isSecure: Bool, host: String, port: Int?, target: EncodedTarget) {
    self.isSecure = isSecure
    self.host = host
    self.port = port
    authority = if let port, port != Self.defaultPort(isSecure: isSecure) { "\(host):\(port)" } else { host }
    self.requestTarget = target.requestTarget
    self.pathLength = target.pathLength
    self.fragment = target.fragment
  }

  /// Another target on the server of a base.
  init(on base: TargetURI, target: EncodedTarget) {
    isSecure = base.isSecure
    host = base.host
    port = base.port
    authority = base.authority
    requestTarget = target.requestTarget
    pathLength = target.pathLength
    fragment = target.fragment
  }

  /// Parses an absolute `http` or `https` URI.
  ///
  /// Surrounding spaces and tabs are ignored. In path, query and fragment, octets that are not allowed in a URI are
  /// percent-encoded, such as a space or an octet above 0x7F, and so is a `%` that is not followed by two hexadecimal
  /// digits. Dot segments are removed. Brackets are kept, because servers expect `a[]=1`.
  ///
  /// - Parameters:
  ///   - string: The URI, at most ``maximumLength`` octets.
  ///   - userInformation: The handling of user information before the host.
  public init(
    parsing string: String,
    userInformation: UserInformationRule = .refuse
  ) throws(URIError) {
    var string = string
    self = try string.withUTF8 { octets in
      Self.resolved(octets, against: nil, userInformation: userInformation)
    }.get()
  }

  /// Parses an absolute URI from octets, which need not be UTF-8, like `init(parsing:)`.
  public init(
    parsing octets: [UInt8],
    userInformation: UserInformationRule = .refuse
  ) throws(URIError) {
    self = try octets.withUnsafeBufferPointer { octets in
      Self.resolved(octets, against: nil, userInformation: userInformation)
    }.get()
  }

  /// Resolves a reference against this URI (RFC 3986 5.2, strict).
  ///
  /// The reference is parsed as leniently as a URI by `init(parsing:)`. The empty reference gives this URI without its
  /// fragment. The fragment is always that of the reference.
  ///
  /// - Parameters:
  ///   - reference: An absolute or relative reference, at most ``maximumLength`` octets.
  ///   - userInformation: The handling of user information before the reference's host.
  public func resolving(
    _ reference: String,
    userInformation: UserInformationRule = .refuse
  ) throws(URIError) -> TargetURI {
    var reference = reference
    return try reference.withUTF8 { octets in
      Self.resolved(octets, against: self, userInformation: userInformation)
    }.get()
  }

  /// Resolves a reference from octets, which need not be UTF-8, like `resolving(_:)`.
  public func resolving(
    _ reference: [UInt8],
    userInformation: UserInformationRule = .refuse
  ) throws(URIError) -> TargetURI {
    try reference.withUnsafeBufferPointer { octets in
      Self.resolved(octets, against: self, userInformation: userInformation)
    }.get()
  }

  private static func resolved(
    _ reference: UnsafeBufferPointer<UInt8>,
    against base: TargetURI?,
    userInformation: UserInformationRule
  ) -> Result<TargetURI, URIError> {
    do {
      return .success(
        try URIReference(reference, userInformation: userInformation).resolved(against: base)
      )
    } catch {
      // If there is an `@` anywhere, any component may contain a password that was not encoded.
      let mayQuote = !reference.contains(UInt8(ascii: "@"))
      return .failure(mayQuote ? error : URIError(error.reason))
    }
  }
}

extension TargetURI: Hashable {
  /// Returns whether both have the same target and fragment; an explicit default port equals no port.
  public static func == (a: TargetURI, b: TargetURI) -> Bool {
    a.isSecure == b.isSecure && a.effectivePort == b.effectivePort && a.host == b.host
      && a.requestTarget == b.requestTarget && a.fragment == b.fragment
  }

  /// Hashes the same parts that equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(isSecure)
    hasher.combine(effectivePort)
    hasher.combine(host)
    hasher.combine(requestTarget)
    hasher.combine(fragment)
  }
}

extension TargetURI: CustomStringConvertible {
  /// The whole URI, with an explicit port and the fragment; it parses to an equal value.
  public var description: String {
    var text = isSecure ? "https://" : "http://"
    text += host
    if let port {
      text += ":\(port)"
    }
    text += requestTarget
    if let fragment {
      text += "#"
      text += fragment
    }
    return text
  }
}
