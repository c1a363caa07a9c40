import HTTPTypes
public import StagecoachCore
import Synchronization

/// The Basic scheme: name and password in clear text, only over https unless a request allows otherwise (RFC 7617).
///
/// After a server has asked for them, they are sent with every request at or below the directory of the challenged
/// path (RFC 7617 2.2).
public struct BasicScheme: AuthenticationScheme {
  /// The charset of name and password: UTF-8 unless an old server requires another one.
  public var charset = Charset.utf8

  /// Creates the scheme.
  public init() {}

  /// The name of the scheme: `Basic`.
  public var name: String { "Basic" }

  /// Returns a session for a name and a password; `nil` for a token.
  public func session(
    for challenge: AuthenticationChallenge?,
    in space: ProtectionSpace,
    with credential: Credential
  ) throws -> (any AuthenticationSession)? {
    guard let user = credential.user, let password = credential.password else { return nil }
    let value: String
    do {
      value = try BasicCredentials.authorization(user: user, password: password, charset: charset)
    } catch {
      throw ExchangeError(error)
    }
    return BasicSession(value: value, coversAll: challenge == nil || space.isProxy)
  }
}

private final class BasicSession: AuthenticationSession {
  private let value: String
  private let coversAll: Bool
  /// Directories, each with a slash at its end, none below another.
  private let directories = Mutex<[String]>([])

  /// The maximum number of directories; the oldest is removed.
  private static let limit = 64

  init(value: String, coversAll: Bool) {
    self.value = value
    self.coversAll = coversAll
  }

  func authorize(_ request: Request) -> Authorization? { Authorization(value) }

  func coverage(of target: String) -> Int? {
    if coversAll { return 0 }
    return directories.withLock { directories in
      directories.lazy.filter { target.utf8.starts(with: $0.utf8) }.map(\.utf8.count).max()
    }
  }

  func learn(_ challenge: AuthenticationChallenge, from request: Request) {
    guard !coversAll, let target = request.head.path else { return }
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return }
    let directory = String(Substring(path[...slash]))
    directories.withLock { directories in
      guard !directories.contains(where: { directory.utf8.starts(with: $0.utf8) }) else { return }
      directories.removeAll { $0.utf8.starts(with: directory.utf8) }
      if directories.count == Self.limit { directories.removeFirst() }
      directories.append(directory)
    }
  }
}
