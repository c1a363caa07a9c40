#if Tool
  import ArgumentParser
  import Stagecoach

  /// The limits of `proxy` and `record` for their upstream.
  struct UpstreamLimits: ParsableArguments {
    @Option(help: ArgumentHelp("The time to connect to the service; 10 by default.", valueName: "seconds"))
    var connectTimeout: SecondsArgument?

    @Option(
      help: ArgumentHelp(
        "The time until the service answers, from the end of the request, and that to wait for a free connection; 30 by "
          + "default.",
        valueName: "seconds"
      )
    )
    var headTimeout: SecondsArgument?

    @Option(
      help: ArgumentHelp(
        "The time for a pause of the service while it reads a request or sends its answer; 30 by default.",
        valueName: "seconds"
      )
    )
    var idleTimeout: SecondsArgument?

    func apply(to options: inout RequestOptions) {
      if let connectTimeout { options.connectTimeout = connectTimeout.duration }
      if let headTimeout {
        options.headTimeout = headTimeout.duration
        options.poolTimeout = headTimeout.duration
      }
      if let idleTimeout { options.idleTimeout = idleTimeout.duration }
    }
  }
#endif
