#if Tool
  import ArgumentParser
  import HTTPTypes
  import Stagecoach
  import StagecoachTransfers

  /// `stagecoach upload`: a file as the content of a request.
  struct UploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "upload",
      abstract: "Upload a file, and print the response.",
      discussion: """
        The file is sent as it is, and read while it is sent. Its media type is derived from its extension, unless \
        -H gives a Content-Type. The response is printed as fetch prints it.
        """
    )

    @Argument(help: "The file to send.")
    var file: String

    @Argument(help: "An absolute http or https URL.")
    var url: String

    @Option(
      name: [.customShort("X"), .customLong("method")],
      help: ArgumentHelp("The request method; PUT by default.", valueName: "method")
    )
    var method: MethodArgument?

    @OptionGroup(title: "Request and limit options")
    var common: CommonArguments

    @OptionGroup(title: "Connection and trust options")
    var connection: ConnectionArguments

    @OptionGroup(title: "Policy options")
    var policy: PolicyArguments

    func validate() throws {
      try policy.validate(with: url)
    }

    func run() async throws {
      let run = TransferRun(command: Self.self, connection: connection, policy: policy) { $0.sent }
      let output = StandardOutput()
      let raw = RawSerializer(accepts: .any, sink: output, limit: nil, progress: nil)
      try await run.run { client in
        var request = Request(method?.method ?? .put, url)
        try common.apply(to: &request)
        try policy.apply(to: &request)
        return client.transfer(request, sending: .file(file), as: AutoSerializer(raw: raw))
      } finish: { body in
        try await body.write(to: output)
      }
    }
  }
#endif
