import StagecoachCore

/// The server that the credential of a request is bound to.
enum CredentialBinding {
  case unbound
  case bound(TargetURI.Origin)
  /// The request was sent to another server than the one it was bound to, if any, so that later redirects may be
  /// controlled by that server.
  case left(TargetURI.Origin?)

  /// The one of an exchange.
  static let state = ExchangeState(CredentialBinding.unbound)

  /// Binds the credential to the server of hop 0, and returns whether a hop is still at that server.
  ///
  /// A hop 0 that follows others is the request of the caller again, repeated by a stage above redirects.
  mutating func binds(to server: TargetURI.Origin, atHop hop: Int32) -> Bool {
    switch self {
    case .unbound where hop == 0:
      self = .bound(server)
      return true
    case .bound(let bound) where bound == server: return true
    case .left(let bound) where hop == 0 && bound == server:
      self = .bound(server)
      return true
    case .bound(let bound):
      self = .left(bound)
      return false
    case .unbound:
      self = .left(nil)
      return false
    case .left: return false
    }
  }
}
