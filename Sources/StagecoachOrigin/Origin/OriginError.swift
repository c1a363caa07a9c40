#if Tool
  /// An error of starting an origin or waiting for it.
  @nonexhaustive
  public enum OriginError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A value of the configuration is invalid; the text names it and the valid values.
    case invalidConfiguration(String)
    /// The address could not be bound; the text contains the reason of the system.
    case cannotListen(String)
    /// The certificate or the private key could not be read; the text contains the reason.
    case invalidCertificate(String)
    /// The time for waiting has passed.
    case timedOut(waitingFor: String)
    /// The origin was stopped during a wait.
    case stopped

    /// A description of the error.
    public var description: String {
      switch self {
      case .invalidConfiguration(let reason): "Invalid origin configuration: \(reason)"
      case .cannotListen(let reason): "The server cannot listen: \(reason)"
      case .invalidCertificate(let reason): "The origin's certificate or key is invalid: \(reason)"
      case .timedOut(let what): "Timed out waiting for \(what)"
      case .stopped: "The origin was stopped"
      }
    }
  }
#endif
