#if Tool
  extension Advice {
    private static let undecoded = Counterpart.clause(
      "use -H \"Accept-Encoding: identity\" to get the body without a coding"
    )

    /// The options of the commands that have one for each timeout, `proxy` and `record`.
    static let upstreamOptions = [
      "options.connectTimeout": "--connect-timeout",
      "options.poolTimeout": "--head-timeout",
      "options.headTimeout": "--head-timeout",
      "options.idleTimeout": "--idle-timeout",
    ]

    /// Every name of the library's API that an advice contains, or that sets a limit; `AdviceTests` reads them from the
    /// sources.
    static let counterparts: [String: Counterpart] = [
      // Limits and timeouts.
      "options.bodyLimit": .option("--limit"),
      "options.fileBodyLimit": .option("--limit"),
      "options.connectTimeout": .option("--timeout"),
      "options.poolTimeout": .option("--timeout"),
      "options.headTimeout": .option("--timeout"),
      "options.idleTimeout": .option("--timeout"),
      "options.totalTimeout": .option("--timeout"),
      "options.redirectLimit": .option("--max-redirects"),
      "options.requestHeadLimit": .missing,
      "options.responseHeadLimits": .missing,
      "options.contentCodingLimit": undecoded,
      "options.decodedBodyLimit": undecoded,
      "options.decodingRatioLimit": undecoded,
      "options.elementLimit": .missing,
      "options.imagePixelLimit": .missing,
      "options.retryPolicy": .missing,
      "the limit if": .missing,
      "limits of the serializer": .missing,
      "queueLimit": .missing,
      "ConcurrencyLimit": .missing,
      "bodyLimit": .missing,

      // Policies of a request.
      "options.redirectPolicy = .refuse": .option("--no-follow"),
      "options.redirectPolicy": .missing,
      "send(_": .missing,
      "RedirectRules.allowsInsecure": .missing,
      ".anyOrigin": .missing,
      "options.expectedContent": .option("--as data"),
      "options.expectedContent.statuses": .missing,
      "options.validation": .missing,
      "predicate of Validation": .clause("compare the body with the schema of --schema"),
      "options.cacheMode": .missing,
      "cache mode": .missing,
      "CacheEvent": .missing,
      "options.allowsPlainCredentials": .missing,
      "options.isIdempotent": .missing,
      "options.coalesces": .missing,
      "options.refusesUnknownCodings": .missing,
      "to the stage": .missing,
      "requiresServerProof": .missing,
      "challenge handler": .missing,
      "authentication stage": .clause("pass the name and the password with --user"),
      "token source": .missing,

      // Content.
      ".bytes": .clause("send a file, which can be read again, instead of standard input"),
      ".file": .missing,
      ".file(path": .missing,
      ".stream": .missing,
      "Request.Body.oneShot": .clause("pass pipes and devices through standard input, as @-"),
      "options.textCharset": .missing,
      ".lossy": .clause("use --as data to get the body unchanged"),
      ".text": .option("--as text"),
      ".ignored": .missing,
      "the serializer expects": .clause("use --as data to get the body unchanged"),
      "a serializer": .missing,
      "serializer .file": .missing,
      "optional type": .clause("use --as data if an empty response is allowed"),
      "the body as a stream": .clause("use --as data or --output to stream the body"),
      ".overwrite": .missing,
      "RequestContent.query": .option("--query"),
      "base URL of the client": .missing,

      // Transports and trust.
      "another transport": .option("another --transport"),
      "a transport": .option("a --transport"),
      "roots of the transport's trust": .option("roots of --cacert"),
      "evaluation closure": .missing,
      "connections.proxy": .option("--proxy"),
      "connections.versions": .missing,
      "streamsResponseBodies": .missing,
      "trust.roots": .option("--cacert"),
      "trust.pins": .option("--pin"),
      "trust.identity": .option("--cert"),
      "trust.verification": .option("--insecure"),
      "unixSocket": .option("--unix-socket"),
      "pins is empty": .missing,
      ".environment": .missing,
      ".http3": .missing,
      ".none": .missing,
      "MultiThreadedEventLoopGroup": .missing,
      "NSAppTransportSecurity": .missing,
      "Info.plist": .missing,
      "new client": .missing,
      "initializer of the transport": .missing,
      "Pipeline.standard(over:cache": .missing,

      // Transfers that are archived.
      "makeRetry(": .missing,
      "restoreDownload(_": .missing,
      "restore(_:as": .missing,
      "with the serializer": .missing,
      "TransferSnapshot": .missing,
    ]
  }
#endif
