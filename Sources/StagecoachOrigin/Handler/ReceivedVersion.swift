#if Tool
  package import StagecoachCore

  extension RequestOptions {
    private static let version = RequestOption<HTTPVersion>(
      "receivedVersion",
      default: .http11,
      distinguishes: false
    )

    /// The version of HTTP in which a ``HandlerServer`` received the request.
    package var receivedVersion: HTTPVersion {
      get { self[Self.version] }
      set { self[Self.version] = newValue }
    }
  }
#endif
