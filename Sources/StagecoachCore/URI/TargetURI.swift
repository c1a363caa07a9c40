/// The URI of a request's target (RFC 9110 7.1): absolute, `http` or `https`, ready to be sent.
///
/// A value is always well formed: the scheme and the host are lower-cased, the path starts with a slash
/// and holds no dot segments, and every octet that RFC 3986 does not allow is percent-encoded. What is
/// allowed stays as it was given, octet for octet: `%7E` does not become `~`, nor `%2f` `%2F`.
///
/// Equality is that of RFC 9110 4.2.3 as far as it needs no decoding: the default port equals none, and an
/// empty path equals `/`.
public struct TargetURI: Sendable {
  /// The most octets a URI may have, before and after percent-encoding: 16 KiB.
  public static let maximumLength = 16 * 1024

  /// What to do with user information (`user:password@`) before the host.
  ///
  /// The URI does not keep it (RFC 9110 4.2.4); a request takes the one of its own URL as a credential.
  public enum UserInformationRule: Sendable, Hashable {
    /// Refuse the URI with ``URIError/Reason/userInformation``.
    case refuse
    /// Leave it out.
    case strip
  }

  /// Whether the scheme is `https`.
  public let isSecure: Bool

  /// The host, lower-cased: a name, an IPv4 address, or an IPv6 address in brackets.
  public let host: String

  /// The port as it was given, 1...65535, or nil if there was none.
  public let port: Int?

  /// The host, and the port unless it is the scheme's default: the value of `Host` (RFC 9110 7.2).
  public let authority: String

  /// The path and, behind a `?`, the query: the origin form of the request target (RFC 9112 3.2.1).
  public let requestTarget: String

  /// How many octets of `requestTarget` are the path; a `?` follows if there are more.
  let pathLength: Int

  /// The fragment without its `#`, or nil if there is none; never sent.
  public internal(set) var fragment: String?

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
  /// Spaces and tabs around it are ignored. In path, query and fragment, a space, an octet above 0x7F and
  /// the other octets that a URI may not hold are percent-encoded, as is a `%` that no two hexadecimal
  /// digits follow. Dot segments are removed. Brackets stay as they are: servers expect `a[]=1`.
  ///
  /// - Parameters:
  ///   - string: The URI, at most ``maximumLength`` octets.
  ///   - userInformation: What to do with user information before the host.
  public init(
    parsing string: String,
    userInformation: UserInformationRule = .refuse
  ) throws(URIError) {
    var string = string
    self = try string.withUTF8 { octets in
      Self.resolved(octets, against: nil, userInformation: userInformation)
    }.get()
  }

  /// Parses an absolute URI given as octets, which need not be UTF-8: as `init(parsing:)` does.
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
  /// The reference is read as leniently as `init(parsing:)` reads a URI. The empty reference gives this URI
  /// without its fragment. The fragment is that of the reference alone.
  ///
  /// - Parameters:
  ///   - reference: An absolute or relative reference, at most ``maximumLength`` octets.
  ///   - userInformation: What to do with user information before the reference's host.
  public func resolving(
    _ reference: String,
    userInformation: UserInformationRule = .refuse
  ) throws(URIError) -> TargetURI {
    var reference = reference
    return try reference.withUTF8 { octets in
      Self.resolved(octets, against: self, userInformation: userInformation)
    }.get()
  }

  /// Resolves a reference given as octets, which need not be UTF-8: as `resolving(_:)` does.
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
      // With an `@` anywhere, any component may be the password of someone who did not encode it.
      let mayQuote = !reference.contains(UInt8(ascii: "@"))
      return .failure(mayQuote ? error : URIError(error.reason))
    }
  }
}

extension TargetURI: Hashable {
  /// Whether both name the same target and fragment; the default port equals none.
  public static func == (a: TargetURI, b: TargetURI) -> Bool {
    a.isSecure == b.isSecure && a.effectivePort == b.effectivePort && a.host == b.host
      && a.requestTarget == b.requestTarget && a.fragment == b.fragment
  }

  /// Feeds what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(isSecure)
    hasher.combine(effectivePort)
    hasher.combine(host)
    hasher.combine(requestTarget)
    hasher.combine(fragment)
  }
}

extension TargetURI: CustomStringConvertible {
  /// The whole URI, with the port if it was given and with the fragment; parses to an equal value.
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
