#if Tool
  import ArgumentParser
  import HTTPTypes
  import Stagecoach

  /// The options of every command that sends a request: its fields and its limits.
  struct CommonArguments: ParsableArguments {
    @Option(
      name: .customShort("H"),
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp("A request field, \"Name: value\". May be repeated.", valueName: "field")
    )
    var fieldArguments: [Concealed<FieldArgument>] = []

    @Option(
      help: ArgumentHelp(
        "The maximum total time. By default 10 seconds to connect, and 30 seconds for the response head and for each "
          + "pause in a body.",
        valueName: "seconds"
      )
    )
    var timeout: SecondsArgument?

    @Option(help: ArgumentHelp("The maximum size of the response body.", valueName: "bytes"))
    var limit: Int?

    private func fields() throws -> [FieldArgument] {
      try fieldArguments.map { try $0.value(of: "-H", as: "\"Name: value\"") }
    }

    func validate() throws {
      _ = try fields()
      if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
    }

    /// Adds the fields, and sets the limits.
    func apply(to request: inout Request) throws {
      for argument in try fields() { request.fields.append(argument.field) }
      if let timeout {
        request.options.totalTimeout = timeout.duration
        // Otherwise a shorter limit of a phase would end the exchange before this time.
        request.options.connectTimeout = request.options.connectTimeout.map { max($0, timeout.duration) }
        request.options.poolTimeout = request.options.poolTimeout.map { max($0, timeout.duration) }
        request.options.headTimeout = request.options.headTimeout.map { max($0, timeout.duration) }
        request.options.idleTimeout = request.options.idleTimeout.map { max($0, timeout.duration) }
      }
      if let limit {
        request.options.bodyLimit = limit
        request.options.fileBodyLimit = Int64(limit)
      }
    }
  }
#endif
