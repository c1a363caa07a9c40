public import StagecoachCore

extension Client {
  #if canImport(Darwin) || AsyncHTTPClient && os(Linux) || CURL
    /// A client that makes its transport itself, under the standard chain.
    ///
    /// ```swift
    /// let client = try Client(base: "https://api.example.com/v1/")
    /// let users: [User] = try await client.get("users")
    /// ```
    ///
    /// The transport is URLSession on Apple's systems; elsewhere AsyncHTTPClient, or libcurl where the package trait
    /// `CURL` is on and `AsyncHTTPClient` is off. It belongs to the client: it frees its connections when nobody
    /// refers to the client any more and no body of it is being read, or at once with `shutdown()`.
    ///
    /// - Parameters:
    ///   - base: The base URL for relative references; nil if all are absolute.
    ///   - configuration: What requests inherit, who observes them, how the transport connects and whom it trusts.
    ///   - cache: The stage that caches responses, such as `Cache` of the module `StagecoachCache`; none by default.
    /// - Throws: `ExchangeError` of kind `invalidRequest` if the base is no absolute http or https URL. What the
    ///   transport cannot do of the configuration fails each request, with kind `unsupported`.
    public convenience init(
      base: String? = nil,
      configuration: Configuration = Configuration(),
      cache: (any Middleware)? = nil
    ) throws {
      try self.init(base: base, configuration: configuration) { .standard(over: $0, cache: cache) }
    }

    /// A client that makes its transport itself, under a pipeline of the caller; see ``init(base:configuration:cache:)``.
    ///
    /// - Parameters:
    ///   - base: The base URL for relative references; nil if all are absolute.
    ///   - configuration: What requests inherit, who observes them, how the transport connects and whom it trusts.
    ///   - pipeline: Puts stages over the transport; called once, before the initializer returns.
    /// - Throws: What `pipeline` throws, and what the initializer without it throws.
    public convenience init(
      base: String? = nil,
      configuration: Configuration = Configuration(),
      pipeline: (any Transport) throws -> Pipeline
    ) throws {
      let transport = BuiltInTransport(
        connections: configuration.connections,
        trust: configuration.trust,
        clock: configuration.clock
      )
      try self.init(owning: pipeline(transport), base: base, configuration: configuration)
    }

    #if canImport(Darwin)
      private typealias BuiltInTransport = URLSessionTransport
    #elseif AsyncHTTPClient && os(Linux)
      private typealias BuiltInTransport = AsyncHTTPClientTransport
    #else
      private typealias BuiltInTransport = CURLTransport
    #endif
  #else
    /// A client that makes its transport itself, for which there is none.
    @available(
      *,
      unavailable,
      message:
        "no transport is built in: turn on the trait AsyncHTTPClient or CURL of the package, or write Client(over: transport)"
    )
    public convenience init(
      base: String? = nil,
      configuration: Configuration = Configuration(),
      cache: (any Middleware)? = nil,
      pipeline: (any Transport) throws -> Pipeline = { .standard(over: $0) }
    ) throws {
      try self.init(.standard(over: HandlerTransport { _ in Response(.ok) }))
    }
  #endif

  /// A client with the standard chain over a transport; see `Pipeline.standard(over:)`.
  ///
  /// - Parameters:
  ///   - transport: The transport, which `shutdown()` leaves alone.
  ///   - base: The base URL for relative references.
  ///   - configuration: What requests inherit, and who observes them.
  ///   - cache: The stage that caches responses, such as `Cache` of the module `StagecoachCache`; none by default.
  /// - Throws: `ExchangeError` of kind `invalidRequest` if the base is no absolute http or https URL, or the
  ///   configuration says something of connections or trust.
  public convenience init(
    over transport: any Transport,
    base: String? = nil,
    configuration: Configuration = Configuration(),
    cache: (any Middleware)? = nil
  ) throws {
    try self.init(.standard(over: transport, cache: cache), base: base, configuration: configuration)
  }

  /// A standard chain over a pipeline would stand above the stages of that pipeline, which is rarely meant.
  @available(
    *,
    unavailable,
    message:
      "write Client(pipeline) for this chain, Client(.standard(over: pipeline)) for the standard one above it"
  )
  public convenience init(
    over pipeline: Pipeline,
    base: String? = nil,
    configuration: Configuration = Configuration()
  ) throws {
    try self.init(pipeline)
  }
}
