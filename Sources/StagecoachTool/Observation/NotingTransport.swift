#if Tool
  import HTTPTypes
  import Stagecoach
  import Synchronization

  /// A transport that remembers what was sent last, after all redirects and attempts, and what it was answered with.
  final class NotingTransport: TransportWrapper {
    /// Heads without secrets.
    struct Note {
      var request: HTTPRequest
      /// Nil if there was no answer.
      var response: HTTPResponse?
      /// The version of HTTP, if the transport reports it.
      var version: HTTPVersion?
    }

    let transport: any Transport
    private let last = Mutex<Note?>(nil)

    init(_ transport: any Transport) {
      self.transport = transport
    }

    /// The last request, once there is one.
    var note: Note? { last.withLock { $0 } }

    func send(_ request: Request) async throws -> Response {
      var note = Note(request: Redaction.head(of: request))
      last.withLock { [note] in $0 = note }
      let response = try await transport.send(request)
      note.response = Redaction.head(response.head)
      note.version = response.version
      last.withLock { [note] in $0 = note }
      return response
    }
  }
#endif
