extension Pipeline {
  // Two declarations, of which there is one at a time: a parameter cannot be conditional.
  #if ContentCoding
    /// The standard chain over a transport: every stage of the library that a client should have unless
    /// its author decides otherwise, in the order that keeps each of them right.
    ///
    /// Each call makes stages of its own: a jar of cookies, a store of credentials without any, a budget for retries.
    ///
    /// ```swift
    /// let login = try Authentication(user: "ada", password: "secret", for: "https://files.example.com")
    /// let pipeline = Pipeline.standard(over: transport, authentication: login, cookies: nil)
    /// print(pipeline)  // Validation ▸ ContentDecoding ▸ Redirects ▸ Retry ▸ Authentication ▸ HandlerTransport
    /// ```
    ///
    /// - Parameters:
    ///   - transport: What the stages stand on.
    ///   - validation: The stage that judges statuses and media types; nil for none.
    ///   - contentDecoding: The stage that asks for coded content and decodes it; nil for none. It is there with the
    ///     package trait `ContentCoding`, which the traits of transports turn on.
    ///   - redirects: The stage that follows redirects; nil for none.
    ///   - retry: The stage that repeats what failed; nil for none.
    ///   - authentication: The stage that answers challenges; nil for none.
    ///   - cookies: The stage that keeps cookies; nil for none.
    ///   - cache: The stage that caches responses, as that of the module `StagecoachCache`; nil for none.
    public static func standard(
      over transport: any Transport,
      validation: Validation? = Validation(),
      contentDecoding: ContentDecoding? = ContentDecoding(),
      redirects: Redirects? = Redirects(),
      retry: Retry? = Retry(),
      authentication: Authentication? = Authentication(),
      cookies: Cookies? = Cookies(),
      cache: (any Middleware)? = nil
    ) -> Pipeline {
      let stages: [(any Middleware)?] = [
        validation, contentDecoding, redirects, retry, authentication, cookies, cache,
      ]
      return Pipeline(over: transport, stages: stages.compactMap(\.self))
    }
  #else
    /// The standard chain over a transport, without the stage that decodes content, for which the package trait
    /// `ContentCoding` is off.
    ///
    /// - Parameters:
    ///   - transport: What the stages stand on.
    ///   - validation: The stage that judges statuses and media types; nil for none.
    ///   - redirects: The stage that follows redirects; nil for none.
    ///   - retry: The stage that repeats what failed; nil for none.
    ///   - authentication: The stage that answers challenges; nil for none.
    ///   - cookies: The stage that keeps cookies; nil for none.
    ///   - cache: The stage that caches responses, as that of the module `StagecoachCache`; nil for none.
    public static func standard(
      over transport: any Transport,
      validation: Validation? = Validation(),
      redirects: Redirects? = Redirects(),
      retry: Retry? = Retry(),
      authentication: Authentication? = Authentication(),
      cookies: Cookies? = Cookies(),
      cache: (any Middleware)? = nil
    ) -> Pipeline {
      let stages: [(any Middleware)?] = [validation, redirects, retry, authentication, cookies, cache]
      return Pipeline(over: transport, stages: stages.compactMap(\.self))
    }
  #endif
}
