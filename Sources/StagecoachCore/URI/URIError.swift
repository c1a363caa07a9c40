/// Why a string is not an `http` or `https` URI that a request can be sent to.
///
/// The text for people names the offending scheme or host where that helps. It never shows user
/// information: a string that holds an `@` anywhere is not quoted at all, since a password with a
/// stray delimiter in it can end up in any component.
public struct URIError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with the string.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// A relative reference or an empty string where an absolute URI is needed.
    case missingScheme
    /// A scheme other than `http` and `https`.
    case unsupportedScheme
    /// `http:` without the two slashes and the authority behind it (`http:t`).
    case missingAuthority
    /// No host between the slashes (`http:///t`, `//:80`).
    case emptyHost
    /// A host with characters outside ASCII: Stagecoach does no IDNA.
    case nonASCIIHost
    /// A percent sign in the host: clients disagree whether to decode it.
    case percentInHost
    /// A space or another character that no host may hold, or more than 255 octets.
    case invalidHost
    /// Brackets that hold no IPv6 address.
    case invalidIPv6Address
    /// The zone identifier of an IPv6 address (RFC 6874) is malformed.
    case zoneIdentifier
    /// A port that is no number in 1...65535.
    case invalidPort
    /// User information before the host (RFC 9110 4.2.4).
    case userInformation
    /// A backslash where some clients read a slash and would find another host.
    case backslash
    /// A control character: C0 (so also a tab or line break inside) or DEL.
    case controlCharacter
    /// More octets than ``TargetURI/maximumLength``, before or after percent-encoding.
    case tooLong
  }

  /// What is wrong with the string.
  public let reason: Reason

  /// The scheme or host in question, if it may be shown.
  public let excerpt: String?

  init(_ reason: Reason, excerpt: String? = nil) {
    self.reason = reason
    self.excerpt = excerpt
  }

  /// What happened and what to do about it, for people.
  public var description: String {
    let shown = excerpt.map { " \($0.debugDescription)" } ?? ""
    return switch reason {
    case .missingScheme:
      "The URI is relative: it has to start with http:// or https://, or be resolved against a base."
    case .unsupportedScheme:
      "The URI scheme\(shown) is not supported: only http and https are. "
        + "A host and port without a scheme need http:// or https:// in front."
    case .missingAuthority:
      "The URI has a scheme but no host: two slashes and the host have to follow the colon."
    case .emptyHost:
      "The host of the URI is empty."
    case .nonASCIIHost:
      "The host\(shown) holds characters outside ASCII: pass its A-label (Punycode, \"xn--...\")."
    case .percentInHost:
      "The host\(shown) holds a percent sign: pass the name itself, or its A-label (Punycode)."
    case .invalidHost:
      "The host\(shown) is not valid: it holds a character that no host may hold, or is too long. "
        + "An IPv6 address stands in brackets."
    case .invalidIPv6Address:
      "The host\(shown) is not an IPv6 address."
    case .zoneIdentifier:
      "The IPv6 address\(shown) has a malformed zone: write it as [fe80::1%25eth0]."
    case .invalidPort:
      "The port of the URI is not a number from 1 to 65535."
    case .userInformation:
      "The URI holds user information before the host: remove it, and pass credentials to the "
        + "authentication stage."
    case .backslash:
      "The URI starts its authority with a backslash, or holds one in it: clients disagree about the "
        + "host, so it is refused. Use slashes."
    case .controlCharacter:
      "The URI holds a control character, such as a tab or a line break."
    case .tooLong:
      "The URI is longer than \(TargetURI.maximumLength) octets."
    }
  }
}
