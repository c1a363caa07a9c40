#if Tool
  import Stagecoach
  import Synchronization

  /// A stage of one's own: gives every request an identifier, so that a line in the server's log can be
  /// found again. A request that names itself with `requestName` keeps its name.
  final class RequestIdentifier: Middleware {
    private let prefix: String
    private let count = Atomic<Int>(0)

    init(prefix: String) {
      self.prefix = prefix
    }

    func handle(_ request: Request, next: Next) async throws -> Response {
      var request = request
      let number = count.add(1, ordering: .relaxed).newValue
      request.fields[.requestIdentifier] = request.options.requestName ?? "\(prefix)-\(number)"
      return try await next(request)
    }
  }

  extension RequestOptions {
    private static let requestName = RequestOption<String?>("requestName", default: nil)

    /// An option of one's own: what a single request is to be called.
    var requestName: String? {
      get { self[Self.requestName] }
      set { self[Self.requestName] = newValue }
    }
  }

  extension HTTPField.Name {
    static let requestIdentifier = HTTPField.Name("X-Request-ID")!
  }
#endif
