#if Tool
  import Stagecoach
  import Synchronization

  /// A transport that remembers the version of HTTP of the last response, for responses that are
  /// refused later on.
  final class NotingTransport: Transport {
    private let base: any Transport
    private let lastVersion = Mutex<HTTPVersion?>(nil)

    init(_ base: any Transport) {
      self.base = base
    }

    var name: String { base.name }
    var capabilities: TransportCapabilities { base.capabilities }

    /// The version of the last response, where the transport tells.
    var version: HTTPVersion? { lastVersion.withLock { $0 } }

    func send(_ request: Request) async throws -> Response {
      let response = try await base.send(request)
      lastVersion.withLock { $0 = response.version }
      return response
    }

    func shutdown() async {
      await base.shutdown()
    }
  }
#endif
