#if Tool
  import Stagecoach
  import StagecoachCache
  import StagecoachFixtures
  import StagecoachOrigin
  import StagecoachTransfers

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// The exit code of the process. Thrown by a command that has already reported the reason.
  struct ExitStatus: Error, Hashable {
    let code: Int32

    /// All went well.
    static let success = ExitStatus(code: 0)
    /// A complete response came and was refused: status, media type, serialization, checksum. Also a tour that
    /// noticed something wrong.
    static let refused = ExitStatus(code: 1)
    /// The command line cannot be carried out.
    static let usage = ExitStatus(code: 2)
    /// No complete response came: transport, TLS, timeout, limit, policy.
    static let incomplete = ExitStatus(code: 3)
    /// A local file could not be read or written.
    static let file = ExitStatus(code: 4)

    /// Ended by a signal, as shells count: 130 for SIGINT.
    static func interrupted(by signal: Int32) -> ExitStatus {
      ExitStatus(code: 128 + signal)
    }

    init(code: Int32) {
      self.code = code
    }

    /// The status that an error leads to.
    init(of error: any Error) {
      switch error {
      case let status as ExitStatus: self = status
      case is BrokenPipe: self = .success
      case let error as ExchangeError where error.underlying is BrokenPipe: self = .success
      case let error as ExchangeError: self = Self.status(of: error.kind)
      case is CancellationError: self = .interrupted(by: SIGINT)
      case is ScenarioError: self = .file
      #if SQLite
        case is DiskCacheError: self = .file
      #endif
      case is RedactionError: self = .refused
      case OriginError.cannotListen, OriginError.stopped: self = .incomplete
      // What the argument parser throws, and the origin for a fault that it does not know.
      default: self = .usage
      }
    }

    private static func status(of kind: ExchangeError.Kind) -> ExitStatus {
      switch kind {
      case .status, .mediaType, .validation, .serialization: .refused
      case .stageFailure(let failure) where failure is ChecksumFailure: .refused
      // The tool makes its requests of the command line and of nothing else.
      case .invalidRequest, .requestSerialization: .usage
      // The tool takes its client certificate from files.
      case .file, .tls(.identity): .file
      default: .incomplete
      }
    }
  }
#endif
