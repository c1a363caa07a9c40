#if Tool
  import HTTPTypes
  import Stagecoach
  import Synchronization

  /// A transport that remembers what was sent last, after all redirects and attempts, and what it was answered with.
  final class NotingTransport: Transport {
    /// Heads without secrets.
    struct Note {
      var request: HTTPRequest
      /// Nil if there was no answer.
      var response: HTTPResponse?
      /// The version of HTTP, if the transport reports it.
      var version: HTTPVersion?
    }

    private let base: any Transport
    private let last = Mutex<Note?>(nil)

    init(_ base: any Transport) {
      self.base = base
    }

    var name: String { base.name }
    var capabilities: TransportCapabilities { base.capabilities }
    var trust: Trust { base.trust }
    var connections: ConnectionOptions { base.connections }

    /// The last request, once there is one.
    var note: Note? { last.withLock { $0 } }

    func send(_ request: Request) async throws -> Response {
      var note = Note(request: Redaction.head(of: request))
      last.withLock { [note] in $0 = note }
      let response = try await base.send(request)
      note.response = Redaction.head(response.head)
      note.version = response.version
      last.withLock { [note] in $0 = note }
      return response
    }

    func shutdown() async {
      await base.shutdown()
    }
  }
#endif
