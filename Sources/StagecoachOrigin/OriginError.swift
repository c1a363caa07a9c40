#if Tool
  /// What can go wrong when a test origin is started or waited for.
  @nonexhaustive
  public enum OriginError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A value of the configuration cannot be used; the text names it and the values that can.
    case invalidConfiguration(String)
    /// The address could not be bound; the text holds the reason that the system gave.
    case cannotListen(String)
    /// The certificate or the private key could not be read; the text says which and why.
    case invalidCertificate(String)
    /// What was waited for did not come in time.
    case timedOut(waitingFor: String)
    /// The origin was stopped while something was waited for.
    case stopped

    /// A sentence for people.
    public var description: String {
      switch self {
      case .invalidConfiguration(let reason): "Invalid origin configuration: \(reason)"
      case .cannotListen(let reason): "The origin cannot listen: \(reason)"
      case .invalidCertificate(let reason): "The origin's certificate or key is unusable: \(reason)"
      case .timedOut(let what): "Timed out waiting for \(what)"
      case .stopped: "The origin was stopped"
      }
    }
  }
#endif
