/// The reason that a string is not a valid `http` or `https` URI for a request.
///
/// The description includes the offending scheme or host if that helps. It never shows user information: a string that
/// contains an `@` is not quoted at all, because a password with a stray delimiter can end up in any component.
public struct URIError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason of the error.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// The string is a relative reference or empty, but an absolute URI is required.
    case missingScheme
    /// The scheme is neither `http` nor `https`.
    case unsupportedScheme
    /// The scheme is not followed by two slashes and an authority (`http:t`).
    case missingAuthority
    /// The host is empty (`http:///t`, `//:80`).
    case emptyHost
    /// The host contains characters outside ASCII: Stagecoach does not support IDNA.
    case nonASCIIHost
    /// The host contains a percent sign, which not all clients decode.
    case percentInHost
    /// The host contains a space or another character that is not allowed, or has more than 255 octets.
    case invalidHost
    /// The brackets do not contain an IPv6 address.
    case invalidIPv6Address
    /// The zone identifier of an IPv6 address (RFC 6874) is malformed.
    case zoneIdentifier
    /// The port is not a number in 1...65535.
    case invalidPort
    /// There is user information before the host (RFC 9110 4.2.4).
    case userInformation
    /// A backslash, which some clients read as a slash, so that they would find another host.
    case backslash
    /// A control character: C0 (including a tab or line break) or DEL.
    case controlCharacter
    /// The URI is longer than ``TargetURI/maximumLength``, before or after percent-encoding, or longer than the 8 KiB
    /// that a `Location` field may have.
    case tooLong
    /// Several `Location` fields name different targets.
    case ambiguous
  }

  /// The reason of the error.
  public let reason: Reason

  /// The scheme or host in question, if it may be shown.
  public let excerpt: String?

  package init(_ reason: Reason, excerpt: String? = nil) {
    self.reason = reason
    self.excerpt = excerpt
  }

  /// A description with advice.
  public var description: String {
    let shown = excerpt.map { " \($0.debugDescription)" } ?? ""
    return switch reason {
    case .missingScheme:
      "The URI is relative: it must start with http:// or https://, or be resolved against a base."
    case .unsupportedScheme:
      "The URI scheme\(shown) is not supported: only http and https are. "
        + "A host and port must be preceded by http:// or https://."
    case .missingAuthority:
      "The URI has a scheme but no host: two slashes and the host must follow the colon."
    case .emptyHost:
      "The host of the URI is empty."
    case .nonASCIIHost:
      "The host\(shown) contains characters outside ASCII: use its A-label (Punycode, \"xn--...\")."
    case .percentInHost:
      "The host\(shown) contains a percent sign: use the name itself, or its A-label (Punycode)."
    case .invalidHost:
      "The host\(shown) is invalid: it contains a character that is not allowed, or is too long. "
        + "An IPv6 address must be in brackets."
    case .invalidIPv6Address:
      "The host\(shown) is not an IPv6 address."
    case .zoneIdentifier:
      "The IPv6 address\(shown) has a malformed zone: write it as [fe80::1%25eth0]."
    case .invalidPort:
      "The port of the URI is not a number from 1 to 65535."
    case .userInformation:
      "The URI contains user information before the host: remove it, and pass the credentials separately."
    case .backslash:
      "The URI contains a backslash in or before its authority: clients interpret the "
        + "host differently, so it is refused. Use slashes."
    case .controlCharacter:
      "The URI contains a control character, such as a tab or a line break."
    case .tooLong:
      "The URI is longer than \(TargetURI.maximumLength) octets, or \(TargetURI.maximumLocationLength) in a Location field."
    case .ambiguous:
      "The response has several Location fields with different targets."
    }
  }
}
